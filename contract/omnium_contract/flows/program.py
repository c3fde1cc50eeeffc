"""The program of a workflow: a document of what names what, and the gate before it is published."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel

from omnium_contract import canonical
from omnium_contract.flows.components import ComponentKind, ComponentSpec
from omnium_contract.flows.declarations import problems_of
from omnium_contract.flows.registered import RegisteredComponent
from omnium_contract.flows.registry import Registry
from omnium_contract.flows.sport import Workflow
from omnium_contract.flows.types import Gives

#: Grows when the document's shape does; programs of one release compare equal only within one number.
FORMAT_NUMBER: Final = 1


def program_of(workflow: type[Workflow]) -> dict[str, Any]:
    """The program document: plain data, the same for the same code, enough to build forms from."""
    document = {
        "code": workflow.code,
        "commandRoot": workflow.command_root(),
        "title": workflow.title or workflow.code,
        "description": workflow.description,
        "mode": workflow.mode,
        "subject": workflow.subject,
        "parent": workflow.parent.code if workflow.parent else None,
        "scope": list(workflow.scope),
        "formatSchema": _schema(workflow.format_model),
        "facts": workflow.facts,
        "roles": sorted(workflow.roles),
        "fixtureTypes": list(workflow.fixture_types),
        "commands": [_command(workflow, c) for c in workflow.of(ComponentKind.COMMAND)],
        "validations": [_rule(c) for c in workflow.of(ComponentKind.VALIDATION)],
        "actions": [_action(c) for c in workflow.of(ComponentKind.ACTION)],
        "branches": [_branch(c) for c in workflow.of(ComponentKind.BRANCH)],
        "stats": [_stat(c) for c in workflow.of(ComponentKind.STAT)],
    }
    plain: dict[str, Any] = canonical.normal(document)
    return plain


def checksum(document: dict[str, Any]) -> str:
    """Hex SHA-256 of the document's canonical bytes."""
    return hashlib.sha256(canonical.dumps(document)).hexdigest()


def publish_problems(registry: Registry) -> list[str]:
    """All that keeps the workflows of a registry from being published, each with its key. Empty: publish."""
    found: list[str] = []
    for workflow in registry.workflows():
        lineage = [workflow.parent] if workflow.parent else []
        found += [f"{workflow.code}: {problem}" for problem in problems_of(workflow, lineage=lineage)]
        for component in workflow.components.values():
            if component.inherited_from is None:
                found += [f"{component.key}: {p}" for p in _component_problems(workflow, component.spec)]
    return found


def _command(workflow: type[Workflow], component: RegisteredComponent) -> dict[str, Any]:
    spec = component.spec
    return {
        **_head(component),
        "code": f"{workflow.command_root()}.{spec.name}",
        "input": _schema(spec.input_model),
        "fieldOrder": _field_order(spec.input_model),
        "validations": list(spec.validations),
        "actions": list(spec.actions),
        "branches": list(spec.branches),
        "stats": list(spec.stats),
        "actors": [dict(actor) for actor in spec.actors],
        "appliesTo": list(spec.applies_to),
        "imports": spec.imports,
        "fields": [dict(column) for column in spec.fields],
    }


def _rule(component: RegisteredComponent) -> dict[str, Any]:
    spec = component.spec
    return {
        **_head(component),
        "message": spec.message,
        "confirmable": spec.confirmable,
        "reads": list(spec.reads),
    }


def _action(component: RegisteredComponent) -> dict[str, Any]:
    spec = component.spec
    return {
        **_head(component),
        "gives": spec.gives,
        "when": spec.when,
        "reads": list(spec.reads),
        "keys": list(spec.keys),
    }


def _branch(component: RegisteredComponent) -> dict[str, Any]:
    spec = component.spec
    return {**_head(component), "actions": list(spec.actions), "reads": list(spec.reads)}


def _stat(component: RegisteredComponent) -> dict[str, Any]:
    return {**_head(component), "declared": component.spec.declared.as_data()}


def _head(component: RegisteredComponent) -> dict[str, Any]:
    spec = component.spec
    return {
        "name": spec.name,
        "key": component.key,
        "inheritedFrom": component.inherited_from,
        "title": spec.title or spec.name.replace("_", " ").capitalize(),
        "description": spec.description,
    }


def _schema(model: type[BaseModel] | None) -> dict[str, Any] | None:
    return None if model is None else model.model_json_schema(by_alias=True)


def _field_order(model: type[BaseModel] | None) -> list[str]:
    """Names of the fields as a form shows them: the document sorts keys, so the schema can't say it."""
    return [] if model is None else [field.alias or name for name, field in model.model_fields.items()]


def _component_problems(workflow: type[Workflow], spec: ComponentSpec) -> Iterator[str]:
    match spec.kind:
        case ComponentKind.COMMAND:
            yield from _command_problems(spec)
        case ComponentKind.VALIDATION:
            if not spec.message.strip():
                yield "has no message: write the sentence that the scorer reads"
        case ComponentKind.ACTION:
            yield from _action_problems(workflow, spec)
        case _:
            return


def _command_problems(spec: ComponentSpec) -> Iterator[str]:
    if not spec.description.strip():
        yield "has no description: say in one sentence what it does"
    if spec.imports and not spec.fields:
        yield "is an import without `fields`: name its columns"
    model = spec.input_model
    if model is None:
        yield "has no input model"
        return
    if model.model_config.get("extra") != "forbid":
        yield f"takes unknown fields: set extra='forbid' on {model.__name__}"
    for name, field in model.model_fields.items():
        if not field.description:
            yield f"field {name} has no description: a form shows it"
    for actor in spec.actors:
        yield from _actor_problems(model, str(actor.get("path", "")))


def _actor_problems(model: type[BaseModel], path: str) -> Iterator[str]:
    head, _, rest = path.partition(".")
    name = rest.split(".", maxsplit=1)[0].removesuffix("[]")
    aliases = {field.alias for field in model.model_fields.values()}
    if head != "input" or (name not in model.model_fields and name not in aliases):
        yield f"names an actor at {path!r}: a path is input.FIELD"


def _action_problems(workflow: type[Workflow], spec: ComponentSpec) -> Iterator[str]:
    if spec.gives is Gives.LINES and not spec.keys:
        yield "gives lines without `keys`: list every number that it writes"
    if (spec.gives is Gives.RECORDS) != (workflow.mode == "apply") and spec.gives is not Gives.NOTHING:
        yield f"gives {spec.gives}, which a workflow of mode {workflow.mode} does not"
