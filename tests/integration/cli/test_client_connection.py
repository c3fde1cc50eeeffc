"""The client against a server that answers, hangs up, or is not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from omnium.client import Client
from omnium_store.errors import FleetError, Refused


class Facade(BaseHTTPRequestHandler):
    """Answers with what was asked; hangs up after each answer on /once."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, str, Any]]

    def do_GET(self) -> None:
        type(self).seen.append((self.command, self.path, self.headers["Authorization"]))
        self.answer(200, {"path": self.path})
        self.close_connection = self.path == "/once"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append((self.command, self.path, body))
        if self.path == "/refused":
            self.answer(409, {"title": "Refused", "detail": "It is a default.", "reason": "is_default"})
        elif self.path != "/gone":
            self.answer(200, {"accepted": True})
        self.close_connection = self.path == "/gone"

    def answer(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        return


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Facade.seen = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Facade) as made:
        made.daemon_threads = True
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def client(server: ThreadingHTTPServer) -> Iterator[Client]:
    with Client(f"http://127.0.0.1:{server.server_port}", "secret") as made:
        yield made


def test_what_is_asked_goes_out_with_the_token_and_without_empty_parameters(client: Client) -> None:
    assert client.get("/reads/x", {"day": "2026-01-10", "none": None, "many": [1, 2]}) == {
        "path": "/reads/x?day=2026-01-10&many=1&many=2"
    }
    assert Facade.seen[0][2] == "Bearer secret"


def test_a_command_goes_to_its_subject_with_a_key(client: Client) -> None:
    client.command("football", ("fixture", "f 1"), "goal", {"minute": 3})
    client.command("football", ("fixture", "f 1"), "goal", {"minute": 3}, key="mine")
    (_, path, first), (_, _, second) = Facade.seen
    assert path == "/workflows/football/subjects/fixture/f%201/commands"
    assert (first["code"], first["input"], second["key"]) == ("goal", {"minute": 3}, "mine")
    assert len(first["key"]) == 32


def test_a_refusal_is_raised(client: Client) -> None:
    with pytest.raises(Refused, match="It is a default") as caught:
        client.post("/refused", {})
    assert caught.value.reason == "is_default"


def test_a_connection_that_was_closed_meanwhile_is_opened_again_for_reading(client: Client) -> None:
    for _ in range(3):
        assert client.get("/once") == {"path": "/once"}


def test_what_was_sent_and_not_answered_is_not_sent_again(client: Client) -> None:
    client.get("/first")
    with pytest.raises(FleetError, match="does not answer"):
        client.post("/gone", {})
    assert [path for _, path, _ in Facade.seen] == ["/first", "/gone"]


def test_a_router_that_is_not_there_is_unavailable(server: ThreadingHTTPServer) -> None:
    with Client("http://127.0.0.1:9", "t") as client, pytest.raises(FleetError, match="does not answer"):
        client.get("/healthz")
