"""From an unpacked release to a host that is ready: from its folder alone, as registered, warmed up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson
import structlog

from omnium_contract.flows.program import checksum, program_of
from omnium_releases.isolation import check_loaded
from omnium_store.errors import Refused
from omnium_worker import judging
from omnium_worker.guard import Guard, OverBudget
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.identity import Identity
from omnium_worker.plans import CommandPlan, WorkflowPlan
from omnium_worker.refusals import Denied

#: Facts that a warm-up needs and no log will ever see.
_SIDES: Final = [{"entry": "home", "position": 1}, {"entry": "away", "position": 2}]

log = structlog.get_logger("omnium.worker")


def load(folder: Path, identity: Identity, guard: Guard) -> Host:
    """The host of the release in `folder`. Raises `Refused` if any of it came from elsewhere, or could."""
    host = Host.load(folder, identity, guard)
    check_loaded(folder)
    return host


def check_programs(host: Host, stored: Mapping[str, str]) -> None:
    """Compare the programs that the code gives with what is stored. Raises `Refused` naming the workflows.

    Workflows without a stored program are passed: it was written in another format number.
    """
    different = [
        workflow.code
        for workflow in host.registry.workflows()
        if workflow.code in stored and checksum(program_of(workflow)) != stored[workflow.code]
    ]
    if different:
        raise Refused(
            f"Release {host.identity.version} gives another program than the one registered for it: "
            f"{', '.join(different)}. Its code or its environment has changed: "
            "compare Python and pydantic with those it was registered on.",
            reason="program_differs",
        )


def warm_up(host: Host) -> None:
    """Run components once, so that what they import lazily is there before the first command."""
    for workflow in host.registry.workflows():
        plan = host.workflow(workflow.code)
        if plan is not None and plan.mode == "fold":
            _warm_up(host, plan)


def _warm_up(host: Host, workflow: WorkflowPlan) -> None:
    kind = next(
        (kind for command in workflow.commands.values() for kind in sorted(command.applies_to)), "match"
    )
    facts = {"id": "warm-up", "sport": workflow.root, "fixtureType": kind, "sides": _SIDES}
    try:
        fixture = host.fixture(workflow, orjson.dumps(facts))
        state = judging.initial(host, workflow, fixture)
    except (ComponentFailed, OverBudget) as error:
        log.info("worker.not_warmed_up", workflow=workflow.code, reason=str(error))
        return
    for command in workflow.commands.values():
        case = judging.FoldCase(
            plan=command,
            fixture=fixture,
            state=state,
            sent={},
            seq=1,
            occurred_at="2000-01-01T00:00:00Z",
            actor="",
        )
        _judge_once(host, command, case)


def _judge_once(host: Host, command: CommandPlan, case: judging.FoldCase) -> None:
    try:
        judging.judge_fold(host, case)
    except (Denied, ComponentFailed):
        return  # an empty input is rarely a good one; the imports are what was wanted
    except OverBudget:
        log.info("worker.not_warmed_up", command=command.code, reason="over budget")
