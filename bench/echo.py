"""A bare grpc.aio echo: what one unary call of the bytes of a command costs in CPU, both ends."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import grpc
import uvloop

from bench.fleets import cpu_seconds
from omnium_proto import command_pb2, command_pb2_grpc

CALLERS = 16
#: About what a goal's request and its answer, the board, take.
ASKED, ANSWERED = b"x" * 110, b"x" * 1200


class Echo(command_pb2_grpc.CommandServiceServicer):
    """Answers at once."""

    async def Execute(  # noqa: N802 - gRPC's name
        self,
        request: command_pb2.ExecuteRequest,  # noqa: ARG002
        context: Any,  # noqa: ARG002
    ) -> command_pb2.ExecuteResponse:
        """The same bytes for every request."""
        return command_pb2.ExecuteResponse(answer=ANSWERED, accepted=True)

    def Multiplex(self, request_iterator: Any, context: Any) -> Any:  # noqa: N802 - gRPC's name
        """Not measured here."""
        raise NotImplementedError


async def serve() -> None:
    """Serve until ended."""
    server = grpc.aio.server()
    command_pb2_grpc.add_CommandServiceServicer_to_server(Echo(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()


async def call(port: int, seconds: float) -> None:
    """Call for some seconds; prints how many calls there were and the CPU seconds that they took here."""
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
    stub = command_pb2_grpc.CommandServiceStub(channel)
    request = command_pb2.ExecuteRequest(workflow="football", code="football.goal", input=ASKED)
    await stub.Execute(request)
    counted, until, before = 0, time.perf_counter() + seconds, time.process_time()

    async def caller() -> None:
        nonlocal counted
        while time.perf_counter() < until:
            await stub.Execute(request)
            counted += 1

    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    print(counted, time.process_time() - before, flush=True)
    await channel.close()


async def cpu_a_call(*, seconds: float) -> float:
    """CPU seconds a call, client and server together; each is a process of its own."""
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.echo", "serve", stdout=pipe)
    assert server.stdout is not None
    port = (await server.stdout.readline()).decode().strip()
    before = cpu_seconds([server.pid])
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.echo", "call", port, str(seconds), stdout=pipe
    )
    told, _ = await client.communicate()
    counted, spent = told.decode().split()
    served = cpu_seconds([server.pid]) - before
    server.terminate()
    await server.wait()
    return (float(spent) + served) / int(counted)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        uvloop.run(serve())
    else:
        uvloop.run(call(int(sys.argv[2]), float(sys.argv[3])))
