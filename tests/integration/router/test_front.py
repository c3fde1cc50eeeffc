"""The gRPC front: one command, many on a stream, and the same checks as over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from harness.routers import Router, Scene
from harness.stand_in import until
from omnium_proto import command_pb2, command_pb2_grpc
from omnium_store import wire
from omnium_store.access import Kind, Role
from omnium_store.errors import OmniumError


@pytest.fixture
async def channel(router: Router) -> AsyncIterator[aio.Channel]:
    async with aio.insecure_channel(router.serving.grpc) as made:
        yield made


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def request_of(
    scene: Scene, code: str = "results.import_results", key: str = "k", **fields: object
) -> command_pb2.ExecuteRequest:
    return command_pb2.ExecuteRequest(
        workflow=code.split(".", maxsplit=1)[0],
        subject=command_pb2.Subject(kind="fixture", ref=str(scene.match)),
        code=code, key=key, input=b'{"rows": []}', **fields,  # type: ignore[arg-type]  # a test's own fields
    )  # fmt: skip


async def answer_of(stream: Any) -> command_pb2.MultiplexResponse:
    """The next message of a stream, which must not be its end."""
    message = await stream.read()
    assert isinstance(message, command_pb2.MultiplexResponse)
    return message


async def failure(call: object) -> OmniumError:
    with pytest.raises(aio.AioRpcError) as raised:
        await call  # type: ignore[misc]  # a call of gRPC
    status = rpc_status.from_call(raised.value)
    assert isinstance(status, status_pb2.Status)
    return wire.from_status(status)


async def test_an_integration_sends_an_import_and_what_it_says_of_itself_counts_for_nothing(
    scene: Scene, router: Router, channel: aio.Channel
) -> None:
    worker = await router.ready(scene)
    token = router.token(kind=Kind.INTEGRATION, sub="feed", source="odf")
    request = request_of(
        scene,
        sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub="king", name="King"),
        release=command_pb2.Release(version="9.9.9", code_sha="forged"),
        request_id="import-1",
    )

    reply = await command_pb2_grpc.CommandServiceStub(channel).Execute(request, metadata=bearer(token))

    assert json.loads(reply.answer)["accepted"]
    (taken,) = worker.taken
    assert (taken.sender.kind, taken.sender.sub, taken.sender.source) == (
        command_pb2.SENDER_KIND_INTEGRATION, "feed", "odf",
    )  # fmt: skip
    assert taken.release.code_sha == scene.release.code_sha
    assert taken.input == b'{"rows": []}'
    assert taken.request_id == "import-1"


async def test_the_same_refusals_as_over_http_come_as_rich_statuses(
    scene: Scene, router: Router, channel: aio.Channel
) -> None:
    stub = command_pb2_grpc.CommandServiceStub(channel)
    feed = bearer(router.token(kind=Kind.INTEGRATION, sub="feed", source="odf"))
    ada = bearer(router.token(Role.SCORER))

    assert (await failure(stub.Execute(request_of(scene)))).reason == "unauthenticated"
    assert (await failure(stub.Execute(request_of(scene), metadata=bearer("x")))).reason == "token_invalid"
    assert (
        await failure(stub.Execute(request_of(scene, "football.goal"), metadata=feed))
    ).reason == "forbidden"
    assert (await failure(stub.Execute(request_of(scene), metadata=ada))).reason == "forbidden"
    assert (await failure(stub.Execute(request_of(scene, key=""), metadata=feed))).reason == "key_required"
    assert (await failure(stub.Execute(request_of(scene, key="\x00"), metadata=feed))).reason == "bad_field"
    unavailable = await failure(stub.Execute(request_of(scene), metadata=feed))
    assert (unavailable.reason, unavailable.metadata["release"]) == (
        "release_unavailable",
        scene.release.version,
    )
    too_large = command_pb2.ExecuteRequest(code="football.goal", key="k", input=b"x" * 1_100_000)
    assert (await failure(stub.Execute(too_large, metadata=ada))).reason == "too_large"


async def test_a_callers_deadline_travels(scene: Scene, router: Router, channel: aio.Channel) -> None:
    worker = await router.ready(scene)
    worker.behave = lambda request: asyncio.sleep(60)
    stub = command_pb2_grpc.CommandServiceStub(channel)
    with pytest.raises(aio.AioRpcError) as raised:
        await stub.Execute(
            request_of(scene, "football.goal"), metadata=bearer(router.token(Role.SCORER)), timeout=0.3
        )
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    await until(lambda: bool(worker.cancelled))


async def test_many_commands_share_a_stream_and_are_answered_as_they_come(
    scene: Scene, router: Router, channel: aio.Channel
) -> None:
    worker = await router.ready(scene)
    slow = asyncio.Event()

    async def behave(request: command_pb2.ExecuteRequest) -> None:
        if request.key == "slow":
            await slow.wait()

    worker.behave = behave
    stream = command_pb2_grpc.CommandServiceStub(channel).Multiplex(
        metadata=bearer(router.token(Role.SCORER))
    )
    await stream.write(command_pb2.MultiplexRequest(id=1, execute=request_of(scene, "football.goal", "slow")))
    await stream.write(
        command_pb2.MultiplexRequest(id=2, execute=request_of(scene, "football.goal", "quick"))
    )
    await stream.write(
        command_pb2.MultiplexRequest(id=3, execute=request_of(scene, "results.edit_side", "no"))
    )
    await stream.write(command_pb2.MultiplexRequest(id=4))
    first = {}
    for _ in range(3):
        response = await answer_of(stream)
        first[response.id] = response
    slow.set()
    await stream.done_writing()
    last = await answer_of(stream)

    assert set(first) == {2, 3, 4}
    assert json.loads(first[2].execute.answer)["key"] == "quick"
    assert wire.from_status(status_pb2.Status.FromString(first[3].status)).reason == "forbidden"
    assert wire.from_status(status_pb2.Status.FromString(first[4].status)).reason == "bad_request"
    assert (last.id, json.loads(last.execute.answer)["key"]) == (1, "slow")
    assert await stream.read() is aio.EOF


async def test_a_call_of_a_stream_can_be_taken_back_and_a_broken_stream_takes_back_all(
    scene: Scene, router: Router, channel: aio.Channel
) -> None:
    worker = await router.ready(scene)
    worker.behave = lambda request: asyncio.sleep(60)
    stream = command_pb2_grpc.CommandServiceStub(channel).Multiplex(
        metadata=bearer(router.token(Role.SCORER))
    )
    await stream.write(command_pb2.MultiplexRequest(id=1, execute=request_of(scene, "football.goal", "a")))
    await stream.write(command_pb2.MultiplexRequest(id=2, execute=request_of(scene, "football.goal", "b")))
    await until(lambda: worker.at_once == 2)
    await stream.write(command_pb2.MultiplexRequest(id=1, cancel=command_pb2.Cancel()))
    await until(lambda: worker.cancelled == ["a"])
    stream.cancel()
    await until(lambda: sorted(worker.cancelled) == ["a", "b"])


async def test_a_token_that_is_revoked_ends_what_a_stream_may_do(
    scene: Scene, router: Router, channel: aio.Channel
) -> None:
    await router.ready(scene)
    admin = router.desk(Role.ADMIN)
    _, made = await admin.post("/tokens", {"sub": "bob", "roles": ["scorer"]})
    stream = command_pb2_grpc.CommandServiceStub(channel).Multiplex(metadata=bearer(made["token"]))
    await stream.write(command_pb2.MultiplexRequest(id=1, execute=request_of(scene, "football.goal", "a")))
    assert (await answer_of(stream)).WhichOneof("outcome") == "execute"
    await admin.ask("DELETE", f"/tokens/{made['jti']}")
    await stream.write(command_pb2.MultiplexRequest(id=2, execute=request_of(scene, "football.goal", "b")))
    refused = await answer_of(stream)
    assert wire.from_status(status_pb2.Status.FromString(refused.status)).reason == "token_revoked"
    stream.cancel()


async def test_the_front_says_that_it_serves(channel: aio.Channel) -> None:
    reply = await health_pb2_grpc.HealthStub(channel).Check(
        health_pb2.HealthCheckRequest(service="omnium.command.v1.CommandService")
    )
    assert reply.status == health_pb2.HealthCheckResponse.SERVING
