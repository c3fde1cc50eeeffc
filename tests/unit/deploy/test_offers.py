"""The wheels that `--flows` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnium_deploy.errors import UsageProblem
from omnium_deploy.offers import Offer, offers

FLOWS = "omnium_flows-0.1.0+gaaaaaaaaaaaa-py3-none-any.whl"
OTHER = "omnium_flows-0.1.0+gbbbbbbbbbbbb-py3-none-any.whl"
CONTRACT = "omnium_contract-0.1.0-py3-none-any.whl"


def wheel(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.touch()
    return path


def test_a_folder_is_its_flows_wheel_and_its_contract_wheel(tmp_path: Path) -> None:
    flows, contract = wheel(tmp_path, FLOWS), wheel(tmp_path, CONTRACT)
    wheel(tmp_path, "notes.txt")
    assert offers([tmp_path]) == [Offer(flows, contract)]


def test_a_flows_wheel_goes_with_the_contract_wheel_beside_it(tmp_path: Path) -> None:
    flows, contract = wheel(tmp_path, FLOWS), wheel(tmp_path, CONTRACT)
    wheel(tmp_path, OTHER)
    assert offers([flows]) == [Offer(flows, contract)]


def test_a_contract_wheel_that_is_named_goes_with_every_flows_wheel(tmp_path: Path) -> None:
    first, second = wheel(tmp_path, FLOWS), wheel(tmp_path, OTHER)
    wheel(tmp_path, CONTRACT)
    named = wheel(tmp_path / "elsewhere", CONTRACT)
    assert offers([second, first, named]) == [Offer(second, named), Offer(first, named)]


@pytest.mark.parametrize(
    ("files", "named", "sentence"),
    [
        ([], [""], "There is no omnium-flows wheel in"),
        ([FLOWS], [""], "There is no omnium-contract wheel in"),
        ([FLOWS, OTHER, CONTRACT], [""], "There are several omnium-flows wheels in"),
        ([CONTRACT], [CONTRACT], "is a contract wheel. Name a flows wheel with it."),
        ([], [FLOWS], "There is no wheel"),
        (["rules.zip"], ["rules.zip"], "is no wheel"),
    ],
)
def test_what_is_no_release_is_refused_with_the_way_out(
    tmp_path: Path, files: list[str], named: list[str], sentence: str
) -> None:
    for name in files:
        wheel(tmp_path, name)
    with pytest.raises(UsageProblem, match=sentence):
        offers([tmp_path / name for name in named])
