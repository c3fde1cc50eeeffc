"""Whether two wheels make a release that this platform can run."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib import metadata

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from omnium_releases.wheels import Wheel
from omnium_store.errors import Refused

CONTRACT = "omnium-contract"

#: The contracts that this platform's workers can host; the same range as in the platform's own requirements.
HOSTED_CONTRACTS = SpecifierSet(">=0.1,<0.2", prereleases=True)


def check_pair(flows: Wheel, contract: Wheel) -> None:
    """Raise `Refused` for the first kind of thing that is wrong, with all of that kind."""
    _raise(_project_problems(flows, contract), reason="wrong_project")
    if not flows.entry_points:
        raise Refused(
            f"{flows.filename} has no entry point in the group omnium.flows. "
            'Name its workflows in its pyproject.toml under [project.entry-points."omnium.flows"].',
            reason="no_entry_points",
        )
    _raise(_contract_problems(flows, contract), reason="contract_not_satisfied")
    _raise([*_platform_problems(flows), *_platform_problems(contract)], reason="platform_too_old")
    if contract.version not in HOSTED_CONTRACTS:
        raise Refused(
            f"This platform hosts contracts {HOSTED_CONTRACTS}; the release comes with {contract.version}. "
            "Register it on a platform that hosts it, or build the flows with a contract in that range.",
            reason="platform_too_old",
        )


def _raise(problems: Iterator[str] | list[str], *, reason: str) -> None:
    if found := list(problems):
        raise Refused(" ".join(found), reason=reason)


def _project_problems(flows: Wheel, contract: Wheel) -> Iterator[str]:
    if contract.name != CONTRACT:
        yield f"{contract.filename} is {contract.name}. The contract is {CONTRACT}: send its wheel."
    elif contract.modules != ("omnium_contract",):
        yield f"{contract.filename} holds {', '.join(contract.modules)}; it may hold omnium_contract alone."
    if flows.name == CONTRACT:
        yield f"{flows.filename} is the contract. Send the flows' wheel as the flows."
    elif taken := [name for name in flows.modules if name == "omnium_contract"]:
        yield f"{flows.filename} brings {taken[0]} along. Leave it out: the contract's wheel brings it."
    if both := sorted(flows.files.keys() & contract.files.keys()):
        yield f"Both wheels hold {', '.join(both)}. Leave them out of one."


def _contract_problems(flows: Wheel, contract: Wheel) -> Iterator[str]:
    wanted = [r for r in _requirements(flows) if canonicalize_name(r.name) == CONTRACT]
    if not wanted:
        yield f"{flows.filename} does not say which {CONTRACT} it needs. Name it in its dependencies."
    for requirement in wanted:
        if not requirement.specifier.contains(contract.version, prereleases=True):
            yield (
                f"{flows.filename} needs {requirement}; {contract.filename} is {contract.version}. "
                "Send a contract's wheel in that range, or build the flows with this one."
            )


def _platform_problems(wheel: Wheel) -> Iterator[str]:
    """What the wheel wants of the environment that its workers run in."""
    try:
        pythons = SpecifierSet(wheel.requires_python)
    except InvalidSpecifier:
        yield f"{wheel.filename} asks for Python {wheel.requires_python!r}, which is no version range."
        return
    if not pythons.contains(platform.python_version(), prereleases=True):
        yield f"{wheel.filename} needs Python {pythons}; this platform runs {platform.python_version()}."
    for requirement in _requirements(wheel):
        if canonicalize_name(requirement.name) != CONTRACT:
            yield from _installed_problems(wheel, requirement)


def _installed_problems(wheel: Wheel, requirement: Requirement) -> Iterator[str]:
    try:
        installed = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        yield f"{wheel.filename} needs {requirement}, which this platform does not have. Do without it."
        return
    if not requirement.specifier.contains(installed, prereleases=True):
        yield f"{wheel.filename} needs {requirement}; this platform has {installed}. Update the platform."


def _requirements(wheel: Wheel) -> list[Requirement]:
    """Those that count here: not of an extra, not for another platform."""
    try:
        found = [Requirement(text) for text in wheel.requires]
    except InvalidRequirement as error:
        raise Refused(f"{wheel.filename}: {error}", reason="bad_wheel") from error
    return [r for r in found if r.marker is None or r.marker.evaluate({"extra": ""})]
