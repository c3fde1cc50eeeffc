"""A small client of the HTTP facade, for the verbs: one connection, problems as the platform's errors."""

from __future__ import annotations

import http.client
import json
import os
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

from omnium_deploy.endpoints import Endpoints
from omnium_deploy.errors import UsageProblem
from omnium_deploy.home import Home
from omnium_store import errors

_BY_STATUS: dict[int, type[errors.OmniumError]] = {
    400: errors.BadRequest,
    401: errors.Unauthenticated,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Refused,
    413: errors.TooLarge,
    422: errors.BadRequest,
    429: errors.TooMany,
    502: errors.FleetError,
    503: errors.FleetError,
    504: errors.FleetError,
}
#: How long a command is sent again while the fleet answers that it is in trouble.
PATIENCE_S = 30.0
_STANDARD = {"type", "title", "status", "detail", "instance", "reason"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the facade answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body) if self.body else None


class Client:
    """Speaks to one router with one token. Not for several threads at once: open one a thread."""

    def __init__(
        self, url: str, token: str, *, timeout_s: float = 60.0, patience_s: float = PATIENCE_S
    ) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageProblem(f"{url!r} is no address of a router. Say it like http://127.0.0.1:8600.")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.url = url.rstrip("/")
        self.token = token
        self._patience_s = patience_s
        self._prefix = parts.path.rstrip("/")
        self._connection = kind(parts.hostname, parts.port, timeout=timeout_s)

    @classmethod
    def open(cls, home: Path | None, url: str | None, token: str | None, *, role: str = "admin") -> Client:
        """The client that --home, --url and --token name; `role` says which token of the home it takes."""
        url = url or (None if home else os.environ.get("OMNIUM_URL"))
        if url is None:
            endpoints = Endpoints.read(Home.at(home))
            return cls(endpoints.router, token or endpoints.tokens[role])
        token = token or os.environ.get("OMNIUM_TOKEN")
        if not token:
            raise UsageProblem("--url needs a token. Say --token T or set OMNIUM_TOKEN.")
        return cls(url, token)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        self._connection.close()

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        """The JSON at `path`. Raises the error that a problem stands for."""
        return self.request("GET", path, query=query).json()

    def post(self, path: str, body: Any, query: Mapping[str, Any] | None = None) -> Any:
        """Send JSON, give JSON. Raises the error that a problem stands for."""
        content = json.dumps(body).encode()
        return self.request("POST", path, query=query, content=content).json()

    def command(
        self,
        workflow: str,
        subject: tuple[str, str],
        code: str,
        given: Mapping[str, Any],
        *,
        key: str = "",
        confirm: Sequence[str] = (),
        occurred_at: str = "",
    ) -> Any:
        """Send one command to a subject (kind, ref); the answer, accepted or refused.

        A fleet that is in trouble for a moment is asked again with the same key, which makes that safe.
        """
        kind, ref = subject
        path = f"/workflows/{quote(workflow)}/subjects/{quote(kind)}/{quote(ref, safe='')}/commands"
        body: dict[str, Any] = {
            "code": code,
            "input": given,
            "key": key or uuid.uuid4().hex,
            "confirm": list(confirm),
        }
        if occurred_at:
            body["occurredAt"] = occurred_at
        until = time.monotonic() + self._patience_s
        while True:
            try:
                return self.post(path, body)
            except errors.FleetError:
                if time.monotonic() > until:
                    raise
                time.sleep(1)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        content_type: str = "application/json",
    ) -> Reply:
        """Send one request as it is. Raises the error that a problem stands for."""
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        target = self._prefix + path + (f"?{urlencode(asked, doseq=True)}" if asked else "")
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if content is not None:
            headers["Content-Type"] = content_type
        reply = self._send(method, target, content, headers)
        if reply.status >= 400:
            raise failure(reply)
        return reply

    def _send(self, method: str, target: str, content: bytes | None, headers: dict[str, str]) -> Reply:
        reused = self._connection.sock is not None
        try:
            return self._exchange(method, target, content, headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as lost:
            self._connection.close()
            if not (
                reused and method == "GET"
            ):  # whether a POST ran is not known: only its sender may repeat it
                raise self._away(lost) from None
            return self._send(method, target, content, headers)
        except (OSError, http.client.HTTPException) as lost:
            self._connection.close()
            raise self._away(lost) from None

    def _exchange(self, method: str, target: str, content: bytes | None, headers: dict[str, str]) -> Reply:
        self._connection.request(method, target, body=content, headers=headers)
        response = self._connection.getresponse()
        return Reply(response.status, dict(response.getheaders()), response.read())

    def _away(self, lost: Exception) -> errors.FleetError:
        why = f"{lost}" or type(lost).__name__
        return errors.FleetError(f"The router at {self.url} does not answer ({why}).", reason="router_away")


def failure(reply: Reply) -> errors.OmniumError:
    """The error that a problem document stands for; another body gives one by its status."""
    kind = _BY_STATUS.get(reply.status, errors.InternalError)
    try:
        problem = json.loads(reply.body)
        message = str(problem.get("detail") or problem["title"])
    except (ValueError, KeyError, AttributeError):
        problem, message = {}, f"The router answered {reply.status} without saying why."
    if kind is errors.InternalError:
        return errors.InternalError(message, id=str(problem.get("id", "")) or None)
    metadata = {name: str(value) for name, value in problem.items() if name not in _STANDARD}
    return kind(message, reason=str(problem.get("reason", "")) or None, metadata=metadata)
