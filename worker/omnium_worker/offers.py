"""What a subject is offered: which command of which workflow, and from whom."""

from __future__ import annotations

from typing import Literal

from omnium_worker.command import Command
from omnium_worker.host import Host
from omnium_worker.opening import Opened
from omnium_worker.plans import CommandPlan, WorkflowPlan
from omnium_worker.refusals import not_offered


def mode_of(host: Host, command: Command) -> Literal["fold", "apply"]:
    """How the subject's pin is read. A workflow that this release lacks counts as its subject's kind."""
    workflow = host.workflow(command.workflow)
    if workflow is not None:
        return workflow.mode
    return "fold" if command.fixture else "apply"


def find(host: Host, command: Command, opened: Opened) -> CommandPlan:
    """The command's plan, under the workflow that scores the fixture. Raises `Denied` if not offered."""
    asked = host.workflow(command.workflow)
    if asked is None:
        raise not_offered(f"This release has no workflow {command.workflow}.", reason="no_such_workflow")
    if (asked.subject == "fixture") != (command.fixture is not None):
        raise not_offered(f"{asked.title} acts on a {asked.subject}, not on this.", reason="other_subject")
    workflow = _scoring(host, asked, opened) if asked.mode == "fold" else asked
    plan = workflow.commands.get(command.code)
    if plan is None:
        raise not_offered(f"{workflow.title} has no command {command.code}.", reason="no_such_command")
    kind = opened.fixture_type
    if plan.applies_to and kind not in plan.applies_to:
        raise not_offered(f"{command.code} is not for a fixture of type {kind}.", reason="other_type")
    return plan


def check_sender(plan: CommandPlan, command: Command) -> None:
    """Imports come from integrations only, everything else from people only."""
    if plan.imports and command.source == "person":
        raise not_offered(f"{plan.code} is an import: only an integration may send it.", reason="import_only")
    if not plan.imports and command.source == "integration":
        raise not_offered(
            f"{plan.code} is for people: an integration may send imports only.", reason="people_only"
        )


def _scoring(host: Host, asked: WorkflowPlan, opened: Opened) -> WorkflowPlan:
    """The workflow that scores the fixture: the one that was asked, its parent, or a format of it."""
    if opened.scoring_mode != "events":
        raise not_offered(
            "This fixture is scored by its card, not event by event. Use results.", reason="scored_by_card"
        )
    scoring = host.workflow(opened.workflow or "")
    if scoring is None or scoring.root != asked.root:
        raise not_offered(
            f"This fixture is scored as {opened.workflow}, not as {asked.code}.",
            reason="other_workflow",
        )
    return scoring
