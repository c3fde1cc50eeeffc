"""/releases/VERSION/…: reports that prove a release, its approval, its wheels."""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web

from omnium_releases import approving, artifacts, reporting
from omnium_releases.approving import Terms
from omnium_releases.audit import Trace
from omnium_releases.documents import document
from omnium_releases.replay_reports import LARGEST, report_from
from omnium_router.calls import Call, json_answer
from omnium_router.sent import ApproveIn, NoQuery, ReportIn
from omnium_store.errors import BadRequest, NotFound


async def store(call: Call) -> web.Response:
    """Keep a replay report, passed or failed, under the release that it is of."""
    sent = await call.body(ReportIn, limit=LARGEST)
    report = await asyncio.to_thread(report_from, sent.report)
    version = call.path("version")
    async with call.services.database.connection() as connection:
        if sent.dry_run:
            done = await reporting.preview(connection, version, report)
        else:
            done = await reporting.store(
                connection, version, report, who=call.caller.name, trace=_trace(call, sent)
            )
    return json_answer({"dryRun": sent.dry_run, **_reported(done)})


async def show(call: Call) -> web.Response:
    """One whole replay report of a release."""
    call.query(NoQuery)
    asked = call.path("report")
    if not (asked.isascii() and asked.isdigit()) or len(asked) > 18:
        raise BadRequest(f"{asked} is no number of a report.", reason="bad_parameter")
    async with call.services.database.connection() as connection:
        return json_answer(await reporting.document(connection, call.path("version"), int(asked)))


async def approve(call: Call) -> web.Response:
    """Make a staged release prod: by another person than who registered it, with a passed report."""
    sent = await call.body(ApproveIn)
    settings, version = call.services.settings, call.path("version")
    terms = Terms(environment=settings.environment, by_another=settings.approval_by_another)
    go = approving.preview if sent.dry_run else approving.approve
    async with call.services.database.connection() as connection:
        done = await go(connection, version, who=call.caller.name, terms=terms, trace=_trace(call, sent))
    return json_answer({"dryRun": sent.dry_run, "environment": terms.environment, **document(done)})


async def wheel(call: Call) -> web.Response:
    """One of the two wheels of a release, as it was registered."""
    call.query(NoQuery)
    kind, version = call.path("wheel"), call.path("version")
    async with call.services.database.connection() as connection:
        stored = await artifacts.fetch(connection, version)
    wheels = {"flows": stored.files.flows, "contract": stored.files.contract}
    if kind not in wheels:
        raise NotFound(f"A release has the wheels flows and contract, no {kind}.", reason="no_such_wheel")
    found = wheels[kind]
    headers = {"Content-Disposition": f'attachment; filename="{found.filename}"', "ETag": f'"{found.sha256}"'}
    return web.Response(body=found.content, content_type="application/zip", headers=headers)


def _trace(call: Call, sent: ApproveIn | ReportIn) -> Trace:
    return Trace(call.request_id, sent.build, call.caller.sub)


def _reported(done: reporting.Reported) -> dict[str, Any]:
    report = done.report
    return {
        "version": done.version,
        "status": done.status,
        "changed": done.changed,
        "headline": done.headline,
        "oldVersion": report.old_version,
        "corpusDigest": report.corpus_digest,
        "passed": report.passed,
        "sports": list(report.sports),
        "matches": report.matches,
        "events": report.events,
        "differences": report.differences,
        "failures": report.failures,
    }
