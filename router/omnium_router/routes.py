"""Every route once: its handler, its row in the access table, and what its OpenAPI says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from pydantic import BaseModel

from omnium_router import given, given_releases, sent
from omnium_router.calls import Call
from omnium_router.handlers import (
    commands,
    events,
    moves,
    pages,
    reads,
    release_checks,
    release_forms,
    release_reports,
    releases,
    standing,
    tokens,
    workflows,
)

Handler = Callable[[Call], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One route. `row` is its name, in the access table and as operationId."""

    row: str
    method: str
    path: str
    handler: Handler
    query: type[BaseModel] = sent.NoQuery
    free_query: bool = False  # the read model says which parameters there are
    body: type[BaseModel] | None = None
    is_form: bool = False
    answer: type[BaseModel] | None = None
    media: str = "application/json"
    statuses: tuple[int, ...] = (200,)
    slow: bool = False  # proves a release: seconds, not milliseconds

    @property
    def summary(self) -> str:
        """The first sentence of the handler's docstring."""
        return " ".join((self.handler.__doc__ or "").split("\n\n")[0].split())


_COMMANDS: Final = "/workflows/{workflow}/subjects/{kind}/{ref}/commands"

ROUTES: Final[tuple[Route, ...]] = (
    Route(row="commands.send", method="POST", path=_COMMANDS, handler=commands.send,
          query=sent.CommandQuery, body=sent.CommandIn, answer=given.CommandOut),
    Route(row="workflows.list", method="GET", path="/workflows", handler=workflows.list_all,
          answer=given.Workflows),
    Route(row="workflows.describe", method="GET", path="/workflows/{workflow}", handler=workflows.describe,
          query=sent.DescribeQuery, answer=given.Description),
    Route(row="workflows.install", method="POST", path="/workflows/install", handler=workflows.install,
          body=sent.InstallIn, answer=given_releases.InstalledOut, slow=True),
    Route(row="reads.list", method="GET", path="/reads", handler=reads.list_all, answer=given.ReadModels),
    Route(row="reads.read", method="GET", path="/reads/{name}", handler=reads.read, free_query=True,
          answer=given.ReadOut, statuses=(200, 304)),
    Route(row="log.read", method="GET", path="/subjects/fixture/{ref}/log", handler=reads.log,
          query=sent.LogQuery, answer=given.ReadOut, statuses=(200, 304)),
    Route(row="events.create", method="POST", path="/events", handler=events.create, body=sent.EventIn,
          answer=given.EventOut, statuses=(200, 201)),
    Route(row="events.list", method="GET", path="/events", handler=events.list_all, answer=given.Events),
    Route(row="events.show", method="GET", path="/events/{code}", handler=events.show,
          answer=given.EventCard),
    Route(row="releases.register", method="POST", path="/releases", handler=release_forms.register,
          body=sent.ReleaseForm, is_form=True, answer=given_releases.RegisteredOut, statuses=(200, 201),
          slow=True),
    Route(row="releases.list", method="GET", path="/releases", handler=releases.list_all,
          answer=given_releases.Releases),
    Route(row="releases.explain", method="GET", path="/releases/defaults", handler=releases.explain,
          query=sent.ExplainQuery, answer=given_releases.ExplanationOut),
    Route(row="releases.audit", method="GET", path="/releases/audit", handler=releases.show_audit,
          query=sent.AuditQuery, answer=given_releases.Audit),
    Route(row="releases.check", method="GET", path="/releases/check", handler=release_checks.check,
          query=sent.CheckQuery, answer=given_releases.CheckOut),
    Route(row="releases.zombies", method="GET", path="/releases/zombies", handler=release_checks.zombies,
          answer=given_releases.Zombies),
    Route(row="releases.diff", method="GET", path="/releases/diff", handler=release_checks.diff,
          query=sent.DiffQuery, answer=given_releases.ComparisonOut),
    Route(row="releases.show", method="GET", path="/releases/{version}", handler=releases.show,
          answer=given_releases.ReleaseCardOut),
    Route(row="releases.pins", method="GET", path="/releases/{version}/pins", handler=releases.show_pins,
          answer=given_releases.PinsOut),
    Route(row="releases.report", method="POST", path="/releases/{version}/reports",
          handler=release_reports.store, body=sent.ReportIn, answer=given_releases.ReportedOut),
    Route(row="releases.read_report", method="GET", path="/releases/{version}/reports/{report}",
          handler=release_reports.show, answer=given.Document),
    Route(row="releases.wheel", method="GET", path="/releases/{version}/wheels/{wheel}",
          handler=release_reports.wheel, media="application/zip"),
    Route(row="releases.approve", method="POST", path="/releases/{version}/approve",
          handler=release_reports.approve, body=sent.ApproveIn, answer=given_releases.ApprovedOut),
    Route(row="releases.default", method="POST", path="/releases/{version}/default",
          handler=releases.set_default, body=sent.DefaultIn, answer=given_releases.Defaults),
    Route(row="releases.retire", method="POST", path="/releases/{version}/retire", handler=releases.retire,
          body=sent.RetireIn, answer=given_releases.RetiredOut),
    Route(row="releases.move", method="POST", path="/releases/moves/{fixture}", handler=moves.move,
          body=sent.MoveIn, answer=given.MoveOut, slow=True),
    Route(row="fleet.show", method="GET", path="/fleet", handler=standing.fleet, answer=given.Document),
    Route(row="tokens.create", method="POST", path="/tokens", handler=tokens.create, body=sent.TokenIn,
          answer=given.TokenOut, statuses=(201,)),
    Route(row="tokens.list", method="GET", path="/tokens", handler=tokens.list_all, answer=given.Tokens),
    Route(row="tokens.revoke", method="DELETE", path="/tokens/{jti}", handler=tokens.revoke,
          statuses=(204,)),
    Route(row="openapi", method="GET", path="/openapi.json", handler=pages.openapi, answer=given.Document),
    Route(row="docs", method="GET", path="/docs", handler=pages.docs, media="text/html"),
    Route(row="health", method="GET", path="/healthz", handler=standing.health, answer=given.Health),
    Route(row="ready", method="GET", path="/readyz", handler=standing.ready, answer=given.Health),
    Route(row="metrics", method="GET", path="/metrics", handler=standing.metrics, media="text/plain"),
)  # fmt: skip
