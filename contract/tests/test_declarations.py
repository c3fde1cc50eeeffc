"""A workflow's class is refused with everything that is wrong with it."""

from typing import Any

import pytest

from omnium_contract.flows.components import ComponentKind, action, command, spec_of, validation
from omnium_contract.flows.registry import Registry, RegistryError, load_registry
from omnium_contract.flows.sport import Sport, Workflow
from omnium_contract.flows.types import Gives, ok
from omnium_contract.stats import StatSpec
from rally import PointInput, Rally, RallyFormat


def test_a_decorator_returns_the_function_it_was_given() -> None:
    def rule(self: object, input: object, ctx: object) -> object:
        return ok()

    stamped = validation(message="No")(rule)
    assert stamped is rule
    spec = spec_of(stamped)
    assert spec is not None
    assert (spec.kind, spec.name, spec.message) == (ComponentKind.VALIDATION, "rule", "No")


def test_members_become_keys_under_the_permanent_code() -> None:
    assert sorted(c.key for c in Rally.components.values()) == [
        "rally.best",
        "rally.is_open",
        "rally.is_ordinary",
        "rally.placings",
        "rally.point",
        "rally.side_plays",
        "rally.state",
        "rally.tallies",
    ]


def test_every_problem_of_a_class_is_in_one_error() -> None:
    class Broken:
        @command(
            input=PointInput,
            validations=("nowhere", "lines"),
            actions=("missing",),
            actors=({"path": "input.scoredBy", "role": "keeper"},),
        )
        def go(self) -> None: ...

        @action(gives=Gives.LINES, reads=("weather",), keys=("gols",))
        def lines(self, log: Any, ctx: Any) -> list[Any]:
            return []

    with pytest.raises(TypeError) as error:
        type("Bad", (Broken, Sport), {"code": "bad"})
    said = str(error.value)
    for fragment in (
        "no `format_model`",
        "no action `state`",
        "names the validation 'nowhere', which does not exist",
        "names 'lines' as a validation, but it is a action",
        "names the action 'missing'",
        "reads 'weather'",
        "writes 'gols', which is not in `facts`",
        "the role 'keeper'",
    ):
        assert fragment in said


def test_a_class_without_a_code_is_refused() -> None:
    with pytest.raises(TypeError, match="no `code` of its own"):
        type("Nameless", (Workflow,), {})


class SuddenFormat(RallyFormat):
    sudden: bool = True


def test_a_format_inherits_its_parents_components_under_its_own_code() -> None:
    class Sudden(Rally):
        code = "sudden"
        scope = ("sudden",)
        format_model = SuddenFormat

        @validation(message="Over")
        def is_open(self, input: Any, ctx: Any) -> Any:
            return ok()

    own = Sudden.components["is_open"]
    taken = Sudden.components["point"]
    assert (own.key, own.inherited_from) == ("sudden.is_open", None)
    assert (taken.key, taken.inherited_from) == ("sudden.point", "rally.point")
    assert Sudden.command_root() == "rally"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"code": "same", "scope": ("same",)}, "changes nothing"),
        ({"code": "lost", "format_model": SuddenFormat}, "no `scope`"),
    ],
)
def test_a_format_must_differ_and_say_what_it_scores(body: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        type("Format", (Rally,), body)


def test_a_format_of_a_format_is_refused() -> None:
    child = type("Child", (Rally,), {"code": "child", "scope": ("c",), "format_model": SuddenFormat})
    with pytest.raises(TypeError, match="one level deep"):
        type("Grandchild", (child,), {"code": "grandchild", "scope": ("g",), "format_model": RallyFormat})


def test_a_registry_refuses_a_code_given_twice() -> None:
    registry = Registry()
    registry.add_workflow(Rally)
    with pytest.raises(RegistryError, match="two workflows have the code 'rally'"):
        registry.add_workflow(Rally)
    assert registry.component("rally.point") is Rally.components["point"]
    assert registry.workflow("rally") is Rally


def test_an_entry_point_without_a_workflow_is_named(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "empty-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: empty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[omnium.flows]\nnothing = emptiest\n")
    (tmp_path / "emptiest.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(RegistryError, match="'nothing' \\(emptiest\\) defines no Workflow"):
        load_registry(path=tmp_path)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"key": "table", "kind": "totals", "name": "T", "numbers": {"a": "a"}}, "its key must read"),
        ({"key": "a.b.node", "kind": "standings", "name": "T"}, "need `scored` and `conceded`"),
        ({"key": "a.b.node", "kind": "ranking", "name": "T", "numbers": {"a": "a"}}, "needs an `order`"),
        ({"key": "a.b.node", "kind": "totals", "name": "T", "numbers": {"a": "a"}, "order": ("-b",)}, "'-b'"),
    ],
)
def test_a_stat_that_does_not_hold_together_fails_where_it_is_declared(
    told: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        StatSpec(**told)


def test_a_stat_that_reads_an_undeclared_fact_is_refused() -> None:
    with pytest.raises(TypeError, match=r"stat rally\.points\.node reads 'points'"):
        type("Other", (Rally,), {"code": "other", "scope": ("o",), "format_model": SuddenFormat, "facts": {}})
