"""What can be wrong with a workflow's class, found all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from omnium_contract.flows.components import READABLE, ComponentKind, ComponentSpec
from omnium_contract.flows.registered import RegisteredComponent
from omnium_contract.flows.types import Gives

if TYPE_CHECKING:
    from omnium_contract.flows.sport import Workflow

#: Which attribute of a command or branch names members of which kind.
_NAMES = {
    "validations": ComponentKind.VALIDATION,
    "actions": ComponentKind.ACTION,
    "branches": ComponentKind.BRANCH,
    "stats": ComponentKind.STAT,
}


def problems_of(cls: type[Workflow], *, lineage: Sequence[type[Workflow]]) -> list[str]:
    """Every problem of the class, as sentences that say the way out. Empty if it holds together."""
    if not isinstance(cls.__dict__.get("code"), str) or not cls.__dict__["code"].isidentifier():
        return ["it has no `code` of its own: give a permanent lower-case name"]
    found = [*_of_format(cls, lineage), *_of_mode(cls)]
    for component in cls.components.values():
        found += _of_component(component.spec, cls.components)
    return [*found, *_of_facts(cls)]


def _of_format(cls: type[Workflow], lineage: Sequence[type[Workflow]]) -> Iterator[str]:
    if len(lineage) > 1:
        yield "it is a format of a format: a format extends a sport, one level deep"
    if not lineage:
        return
    overrides = any(c.inherited_from is None for c in cls.components.values())
    if not overrides and cls.format_model is lineage[0].format_model:
        yield "it changes nothing: a difference in numbers alone is a format_config, not a class"
    if not cls.__dict__.get("scope"):
        yield "it has no `scope`: say which format configs it scores"


def _of_mode(cls: type[Workflow]) -> Iterator[str]:
    if cls.mode != "fold":
        return
    if cls.format_model is None:
        yield "it has no `format_model`: a fold reads a typed format"
    state = cls.components.get("state")
    if state is None or state.spec.gives is not Gives.STATE:
        yield "it has no action `state` that gives STATE: a fold is made by it"


def _of_component(spec: ComponentSpec, members: Mapping[str, RegisteredComponent]) -> Iterator[str]:
    by_stat_key = {m.spec.declared.key: m for m in members.values() if m.spec.kind is ComponentKind.STAT}
    for attribute, kind in _NAMES.items():
        for name in getattr(spec, attribute):
            named = members.get(name) or (by_stat_key.get(name) if attribute == "stats" else None)
            if named is None:
                yield f"{spec.kind} {spec.name} names the {kind} {name!r}, which does not exist"
            elif named.spec.kind is not kind:
                yield f"{spec.kind} {spec.name} names {name!r} as a {kind}, but it is a {named.spec.kind}"
    for unknown in sorted(set(spec.reads) - READABLE):
        yield f"{spec.kind} {spec.name} reads {unknown!r}: choose from {', '.join(sorted(READABLE))}"


def _of_facts(cls: type[Workflow]) -> Iterator[str]:
    for component in cls.components.values():
        spec = component.spec
        for key in sorted(set(spec.keys) - set(cls.facts)):
            yield f"action {spec.name} writes {key!r}, which is not in `facts`"
        if spec.kind is ComponentKind.STAT:
            for fact in sorted(spec.declared.facts() - set(cls.facts)):
                yield f"stat {spec.declared.key} reads {fact!r}, which is not in `facts`"
        for actor in spec.actors:
            if actor.get("role") not in cls.roles:
                yield f"command {spec.name} names the role {actor.get('role')!r}, which is not in `roles`"
