"""The peer of `road`: the same engine in one aiohttp process, without router, gRPC or access check.

Run as a program it serves the commands of one release and prints its address as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from pathlib import Path
from typing import Any

import orjson
import uvloop
from aiohttp import web

from bench.engines import engine, forever, pool


async def serve(dsn: str, version: str, home: Path) -> None:
    """Serve until ended."""
    shell = await engine(dsn, version, home)
    from omnium_proto import command_pb2  # noqa: PLC0415 - what follows is the release's neighbourhood
    from omnium_worker.doorbell import Doorbell  # noqa: PLC0415
    from omnium_worker.road import Road  # noqa: PLC0415
    from omnium_worker.sideline import Sideline  # noqa: PLC0415

    bell = Doorbell(Sideline(dsn, role="omnium_worker", application="omnium bench bell"))
    ringing = asyncio.create_task(bell.run())
    road = Road(shell.host, await pool(dsn, 16), shell.host.identity, bell.ring)

    async def command(request: web.Request) -> web.Response:
        told: dict[str, Any] = orjson.loads(await request.read())
        answer = await road.execute(
            command_pb2.ExecuteRequest(
                workflow=request.match_info["workflow"],
                subject=command_pb2.Subject(kind="fixture", ref=request.match_info["ref"]),
                code=told["code"],
                input=orjson.dumps(told["input"]),
                key=told["key"],
                sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub="bench", name="Bench"),
                request_id=uuid.uuid4().hex,
            ),
            timeout=10,
        )
        return web.Response(body=answer.answer, content_type="application/json")

    app = web.Application()
    app.router.add_post("/workflows/{workflow}/subjects/fixture/{ref}/commands", command)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(json.dumps({"url": f"http://127.0.0.1:{runner.addresses[0][1]}"}), flush=True)
    await forever()
    ringing.cancel()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
