"""Two wheels are a release only if they fit each other and this platform."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from harness.wheels import MadeRelease
from omnium_releases.artifacts import ReleaseFiles
from omnium_releases.suitability import HOSTED_CONTRACTS
from omnium_releases.wheels import Wheel
from omnium_store.errors import Refused

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def pair(made: MadeRelease) -> tuple[Wheel, Wheel]:
    return Wheel.read(made.flows), Wheel.read(made.contract)


def refusal(flows: Wheel, contract: Wheel) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        ReleaseFiles.of(flows, contract)
    return refused.value.reason, refused.value.message


def test_a_release_is_named_by_its_flows(pair: tuple[Wheel, Wheel], made: MadeRelease) -> None:
    files = ReleaseFiles.of(*pair)
    assert (made.version, made.code_sha, made.contract_sha) == (
        files.version,
        files.code_sha,
        files.contract_sha,
    )
    assert f"{made.code_sha[:24]}-{made.contract_sha[:24]}" == files.folder_name


def test_flows_without_entry_points_are_refused(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    reason, message = refusal(replace(flows, entry_points=()), contract)
    assert reason == "no_entry_points"
    assert '[project.entry-points."omnium.flows"]' in message


def test_the_two_wheels_in_the_wrong_order_are_refused_with_both_mistakes(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    reason, message = refusal(contract, flows)
    assert reason == "wrong_project"
    assert "is omnium-flows. The contract is omnium-contract: send its wheel." in message
    assert "Send the flows' wheel as the flows." in message


def test_a_contract_with_more_than_the_contract_is_refused(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    reason, message = refusal(flows, replace(contract, modules=("asyncpg", "omnium_contract")))
    assert reason == "wrong_project"
    assert "it may hold omnium_contract alone" in message


def test_flows_that_bring_a_contract_along_are_refused(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    reason, message = refusal(replace(flows, modules=("omnium_contract", "omnium_flows")), contract)
    assert reason == "wrong_project"
    assert "brings omnium_contract along" in message


def test_two_wheels_with_one_file_are_refused(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    reason, message = refusal(
        replace(flows, files={**flows.files, "omnium_contract/py.typed": b""}), contract
    )
    assert reason == "wrong_project"
    assert "Both wheels hold omnium_contract/py.typed." in message


@pytest.mark.parametrize(
    ("requires", "sentence"),
    [
        (
            ("omnium-contract>=0.2",),
            "needs omnium-contract>=0.2; omnium_contract-0.1.0-py3-none-any.whl is 0.1.0",
        ),
        ((), "does not say which omnium-contract it needs"),
        (("omnium_contract<0.1",), "needs omnium_contract<0.1"),
    ],
)
def test_a_contract_that_the_flows_do_not_want_is_refused(
    requires: tuple[str, ...], sentence: str, pair: tuple[Wheel, Wheel]
) -> None:
    flows, contract = pair
    reason, message = refusal(replace(flows, requires=requires), contract)
    assert (reason, sentence in message) == ("contract_not_satisfied", True), message


def test_a_local_version_of_the_contract_is_in_the_range(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    built = replace(contract, version="0.1.0+g16897f9783d0")
    assert built is ReleaseFiles.of(replace(flows, requires=("omnium-contract>=0.1,<0.2",)), built).contract


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"requires_python": ">=3.99"}, "needs Python >=3.99; this platform runs 3."),
        ({"requires_python": "later"}, "asks for Python 'later', which is no version range"),
        ({"requires": ("pydantic>=99",)}, "needs pydantic>=99; this platform has 2."),
        ({"requires": ("no-such-project-of-ours",)}, "which this platform does not have"),
    ],
)
def test_a_wheel_that_wants_another_platform_is_refused(
    change: dict[str, object], sentence: str, pair: tuple[Wheel, Wheel]
) -> None:
    flows, contract = pair
    reason, message = refusal(flows, replace(contract, **change))  # type: ignore[arg-type]  # any of its fields
    assert (reason, sentence in message) == ("platform_too_old", True), message


def test_a_contract_that_this_platform_can_not_host_is_refused(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    newer = replace(contract, version="0.2.0")
    reason, message = refusal(replace(flows, requires=("omnium-contract",)), newer)
    assert reason == "platform_too_old"
    assert "the release comes with 0.2.0" in message


def test_what_only_an_extra_needs_is_not_asked_for(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    extra = replace(contract, requires=("pydantic>=2.8", 'no-such-project; extra == "testing"'))
    assert extra is ReleaseFiles.of(flows, extra).contract


def test_a_requirement_that_is_none_is_refused(pair: tuple[Wheel, Wheel]) -> None:
    flows, contract = pair
    assert refusal(replace(flows, requires=("what is this",)), contract)[0] == "bad_wheel"


def test_the_hosted_contracts_are_those_that_the_platform_requires() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (wanted,) = (r for r in map(Requirement, told) if r.name == "omnium-contract")
    assert wanted.specifier == HOSTED_CONTRACTS
    assert metadata.version("omnium-contract") in HOSTED_CONTRACTS
