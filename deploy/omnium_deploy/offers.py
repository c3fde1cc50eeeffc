"""The wheels that `--flows` names: each flows wheel with the contract wheel that it was proven with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from omnium_deploy.errors import UsageProblem

CONTRACT = "omnium-contract"
FLOWS = "omnium-flows"


@dataclass(frozen=True, slots=True)
class Offer:
    """One release on disk."""

    flows: Path
    contract: Path


def offers(named: Sequence[Path]) -> list[Offer]:
    """The releases that these files and folders are, in the order in which they were named.

    A folder holds one flows wheel and one contract wheel. A contract wheel that is named goes with
    every flows wheel; else it is the one beside. Raises `UsageProblem`.
    """
    contracts = [path for path in named if _kind(path) == CONTRACT]
    if len(contracts) > 1:
        raise UsageProblem(f"Two contract wheels are named: {_names(contracts)}. Name one.")
    found = []
    for path in named:
        if path.is_dir():
            flows = _only(path, FLOWS, among=_wheels(path, FLOWS))
        elif _kind(path) == CONTRACT:
            continue
        else:
            flows = path
        found.append(Offer(flows, contracts[0] if contracts else contract_beside(flows)))
    if not found:
        raise UsageProblem(f"{_names(contracts)} is a contract wheel. Name a flows wheel with it.")
    return found


def contract_beside(flows: Path) -> Path:
    """The one contract wheel in the folder of a flows wheel. Raises `UsageProblem` when it is not one."""
    folder = flows.parent
    return _only(folder, CONTRACT, among=_wheels(folder, CONTRACT))


def _wheels(folder: Path, kind: str) -> list[Path]:
    return [path for path in sorted(folder.glob("*.whl")) if _kind(path) == kind]


def _kind(path: Path) -> str | None:
    """Which of the two wheels a file is by its name; None for a folder."""
    if path.is_dir():
        return None
    if not path.is_file():
        raise UsageProblem(f"There is no wheel {path}. Build one: make wheels")
    try:
        name, *_ = parse_wheel_filename(path.name)
    except InvalidWheelFilename:
        raise UsageProblem(f"{path} is no wheel: its name does not read as one.") from None
    return CONTRACT if name == CONTRACT else FLOWS


def _only(folder: Path, kind: str, *, among: list[Path]) -> Path:
    match among:
        case [one]:
            return one
        case []:
            raise UsageProblem(f"There is no {kind} wheel in {folder}. Build it: make wheels")
        case _:
            raise UsageProblem(f"There are several {kind} wheels in {folder}: {_names(among)}. Name one.")


def _names(paths: Sequence[Path]) -> str:
    return ", ".join(path.name for path in paths)
