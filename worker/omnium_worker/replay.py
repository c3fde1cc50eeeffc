"""ReplayService: recorded matches through the rules of one release, with no database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import islice
from typing import Any, Final

import grpc
import orjson

from omnium_contract import canonical
from omnium_contract.flows.program import program_of
from omnium_proto import replay_pb2, replay_pb2_grpc
from omnium_store.errors import BadRequest, OmniumError
from omnium_worker.guard import Guard, OverBudget
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.played import CountingGuard, PlayedMatch, Ran
from omnium_worker.server import KeyCheck, abort

#: Commands of a batch that are judged before other work of the process has its turn.
TURN: Final = 32


class ReplayServicer(replay_pb2_grpc.ReplayServiceServicer):
    """ReplayService: each message of a stream is answered before the next is read."""

    def __init__(self, host: Host, guard: Guard, key: KeyCheck) -> None:
        self._guard = guard
        self._host = host
        self._key = key

    async def Replay(  # noqa: N802  # the protocol's name
        self,
        request_iterator: AsyncIterator[replay_pb2.ReplayRequest],
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> AsyncIterator[replay_pb2.ReplayResponse]:
        """Many matches, one after another."""
        await self._key.check(context)
        conversation = Conversation(self._host, self._guard)
        try:
            async for request in request_iterator:
                yield await conversation.answer(request)
        except OmniumError as error:
            await abort(context, error)

    async def Describe(  # noqa: N802  # the protocol's name
        self, request: replay_pb2.DescribeRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> replay_pb2.DescribeResponse:
        """The release and its programs."""
        del request
        await self._key.check(context)
        workflows = sorted(self._host.registry.workflows(), key=lambda workflow: workflow.code)
        return replay_pb2.DescribeResponse(
            release=self._host.identity.on_the_wire(),
            programs=[canonical.dumps(program_of(workflow)) for workflow in workflows],
        )


class Conversation:
    """One stream: the match that is on, and which components ran."""

    def __init__(self, host: Host, guard: Guard) -> None:
        self._ran = Ran()
        # a host of its own, so that what ran is counted for this stream alone
        self._host = Host(host.registry, host.identity, CountingGuard(guard, self._ran))
        self._match: PlayedMatch | None = None
        self._has_begun = False

    async def answer(self, request: replay_pb2.ReplayRequest) -> replay_pb2.ReplayResponse:
        """The answer to one message. Raises `BadRequest`."""
        match request.WhichOneof("part"):
            case "match":
                return replay_pb2.ReplayResponse(started=self._start(request.match))
            case "command":
                return replay_pb2.ReplayResponse(judged=_judged(self._playing, request.command))
            case "inspect":
                return replay_pb2.ReplayResponse(values=self._playing.values(are_rows_wanted=True))
            case "batch":
                return replay_pb2.ReplayResponse(batch=await self._batch(request.batch))
            case "coverage":
                return replay_pb2.ReplayResponse(ran=self._ran.on_the_wire())
            case _:
                raise BadRequest("The message asks nothing.", reason="bad_request")

    @property
    def _playing(self) -> PlayedMatch:
        if self._match is None:
            raise BadRequest("A replay begins with a match that can be played.", reason="no_match")
        return self._match

    async def _batch(self, batch: replay_pb2.ReplayBatch) -> replay_pb2.ReplayBatchJudged:
        answer = replay_pb2.ReplayBatchJudged()
        if batch.HasField("match"):
            answer.started.CopyFrom(self._start(batch.match))
        if self._match is None and self._has_begun:
            return answer
        playing, commands = self._playing, iter(batch.commands)
        while turn := list(islice(commands, TURN)):
            for sent in turn:
                answer.judged.append(_judged(playing, sent))
                if batch.values:
                    answer.values.append(playing.values(are_rows_wanted=sent.derive))
            await asyncio.sleep(0)
        if batch.end:
            answer.end.CopyFrom(playing.values(are_rows_wanted=True))
        return answer

    def _start(self, head: replay_pb2.ReplayMatch) -> replay_pb2.ReplayStarted:
        started = replay_pb2.ReplayStarted(id=head.id, release=self._host.identity.on_the_wire())
        self._match, self._has_begun = None, True
        try:
            self._match = PlayedMatch(self._host, head, self._ran)
        except (BadRequest, ComponentFailed, OverBudget) as error:
            started.problem = str(error)
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            started.problem = f"The fixture's facts can't be read: {type(error).__name__}: {error}"
        return started


def _judged(match: PlayedMatch, sent: replay_pb2.ReplayCommand) -> replay_pb2.ReplayJudged:
    try:
        return match.judge(sent)
    except orjson.JSONDecodeError as error:
        raise BadRequest(
            f"The input of command {sent.seq} is not JSON: {error}", reason="bad_json"
        ) from error
