"""`Workflow` and `Sport`, which plugins subclass. A bad declaration is refused with all that is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from omnium_contract.flows.components import ComponentKind, spec_of
from omnium_contract.flows.declarations import problems_of
from omnium_contract.flows.registered import RegisteredComponent


class Workflow:
    """What can change, when it may, and what changes. Subclasses are collected when Python creates them.

    `code` is permanent: it begins every key. `mode` is `fold` (state is a fold of a log) or `apply`
    (commands change records); `subject` is `fixture` or `event`.
    Raises `TypeError` at class creation, naming every problem of the class at once.
    """

    __abstract__: ClassVar[bool] = True

    code: ClassVar[str]
    title: ClassVar[str] = ""
    description: ClassVar[str] = ""
    mode: ClassVar[Literal["fold", "apply"]] = "apply"
    subject: ClassVar[Literal["fixture", "event"]] = "fixture"
    format_model: ClassVar[type[BaseModel] | None] = None
    #: For a format: which `format_config` scopes it scores. Empty for a sport.
    scope: ClassVar[tuple[str, ...]] = ()
    facts: ClassVar[dict[str, str]] = {}
    roles: ClassVar[frozenset[str]] = frozenset()
    fixture_types: ClassVar[tuple[str, ...]] = ()
    components: ClassVar[dict[str, RegisteredComponent]] = {}
    parent: ClassVar[type[Workflow] | None] = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__dict__.get("__abstract__", False):
            return
        lineage = [base for base in cls.__mro__[1:] if _is_concrete(base)]
        cls.parent = lineage[0] if lineage else None
        cls.components = _collect(cls)
        problems = problems_of(cls, lineage=lineage)
        if problems:
            raise TypeError(f"{cls.__name__} does not hold together:\n- " + "\n- ".join(problems))

    @classmethod
    def of(cls, kind: ComponentKind) -> tuple[RegisteredComponent, ...]:
        """The components of one kind, sorted by name."""
        return tuple(c for _, c in sorted(cls.components.items()) if c.spec.kind is kind)

    @classmethod
    def command_root(cls) -> str:
        """What its command codes begin with: its own code, or its parent's for a format."""
        return cls.parent.code if cls.parent is not None else cls.code


class Sport(Workflow):
    """A workflow whose state is a fold of its log: one class a sport.

    Subclasses give `format_model`, `facts` and `roles`, a component `state` and `initial`.
    """

    __abstract__: ClassVar[bool] = True
    mode: ClassVar[Literal["fold", "apply"]] = "fold"

    def initial(self, ctx: Any) -> dict[str, Any]:
        """The state before the first event. `ctx` is a `Ctx` with the fixture alone."""
        raise NotImplementedError(f"{type(self).__name__} gives no initial state: define `initial`")


def _is_concrete(base: type) -> bool:
    return (
        issubclass(base, Workflow) and base is not Workflow and not base.__dict__.get("__abstract__", False)
    )


def _collect(cls: type[Workflow]) -> dict[str, RegisteredComponent]:
    found: dict[str, RegisteredComponent] = {}
    for name in dir(cls):
        member = None if name.startswith("_") else getattr(cls, name, None)
        spec = spec_of(member) if callable(member) else None
        if spec is None or member is None:
            continue
        inherited = cls.parent is not None and _owner(cls, name) in cls.parent.__mro__
        found[name] = RegisteredComponent(
            key=f"{cls.code}.{name}",
            workflow=cls.code,
            spec=spec if spec.name == name else replace(spec, name=name),
            fn=member,
            inherited_from=f"{cls.parent.code}.{name}" if inherited and cls.parent else None,
        )
    return found


def _owner(cls: type, name: str) -> type | None:
    return next((base for base in cls.__mro__ if name in base.__dict__), None)
