"""The interpreter of one release: how it is started, what it checks, and where its imports come from.

Its path is: standard library, the release's folder, the platform's own environment.
"""

from __future__ import annotations

import importlib
import os
import site
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import PathFinder
from pathlib import Path, PurePosixPath
from types import MappingProxyType, ModuleType
from typing import Final

from omnium_releases.release_loader import listed_hashes, release_hook
from omnium_store.errors import Refused

CONTRACT_PACKAGE: Final = "omnium_contract"
_KEPT: Final = ("PATH", "HOME", "TMPDIR")
_FIXED: Final = MappingProxyType({"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"})
#: What every process that serves is started with; a replay that looks for what depends on it has another.
HASH_SEED: Final = "0"


def isolated_command(module: str, *arguments: str, cache: Path) -> list[str]:
    """The command line of a process that will enter a release's folder.

    `cache` keeps the platform's own bytecode, apart from every other Python on the machine and readable by us
    alone. A release's bytecode is kept nowhere.
    """
    bytecode = cache.absolute() / "bytecode"
    bytecode.mkdir(parents=True, exist_ok=True, mode=0o700)
    return [sys.executable, "-P", "-s", "-X", f"pycache_prefix={bytecode}", "-m", module, *arguments]


def isolated_environment(
    variables: Mapping[str, str] = MappingProxyType({}), *, hash_seed: str = HASH_SEED
) -> dict[str, str]:
    """The whole environment of such a process: three of ours, the fixed ones, and `variables`."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, **_FIXED, **variables, "PYTHONHASHSEED": hash_seed}


def check_isolated(*, hash_seed: str = HASH_SEED) -> None:
    """Raise `Refused` unless this interpreter was started by `isolated_command`, naming all that differs."""
    is_fixed = bool(sys.flags.hash_randomization) == (hash_seed != "0")
    wanted = {
        "-P (no folder of the caller on the path)": bool(sys.flags.safe_path),
        "-s (no user's packages)": bool(sys.flags.no_user_site),
        "-X pycache_prefix (bytecode of its own)": sys.pycache_prefix is not None,
        f"PYTHONHASHSEED={hash_seed}": is_fixed and os.environ.get("PYTHONHASHSEED", hash_seed) == hash_seed,
        "no PYTHONPATH": not os.environ.get("PYTHONPATH"),
    }
    if missing := [what for what, given in wanted.items() if not given]:
        raise Refused(
            f"This interpreter is not isolated: it lacks {', '.join(missing)}. "
            "Start it with omnium_releases.isolation.isolated_command and isolated_environment.",
            reason="not_isolated",
        )


def enter_release_folder(folder: Path) -> None:
    """Make `folder` the one place that the release's modules and the contract come from.

    Call it once, after `artifacts.unpack` verified the folder and before anything keeps a name of the
    contract: the platform's own contract, if it was imported, is forgotten.
    """
    folder = folder.resolve()
    if any(getattr(hook, "__module__", "") == release_hook.__module__ for hook in sys.path_hooks):
        raise RuntimeError("one process serves one release: start another process for another one")
    sys.path.insert(_before_the_environment(), str(folder))
    sys.path_hooks.insert(0, release_hook(folder))
    for path in [path for path in sys.path_importer_cache if Path(path).is_relative_to(folder)]:
        del sys.path_importer_cache[path]
    for name in [name for name in sys.modules if name.partition(".")[0] == CONTRACT_PACKAGE]:
        del sys.modules[name]
    importlib.invalidate_caches()


def check_loaded(folder: Path) -> None:
    """Raise `Refused` if a module that the release lists came from elsewhere, or could."""
    folder = folder.resolve()
    names = _release_packages(folder)
    problems = [*_foreign_modules(folder, names), *_doubles(folder, names - {CONTRACT_PACKAGE})]
    if problems:
        raise Refused(
            f"This process would not run the release alone: {'; '.join(problems)}. "
            "Take it out of the platform's environment: rules come from a release's folder only.",
            reason="loaded_elsewhere",
        )


def _before_the_environment() -> int:
    """Where the standard library ends on `sys.path`."""
    environment = {Path(path).resolve() for path in site.getsitepackages()}
    places = [index for index, path in enumerate(sys.path) if Path(path).resolve() in environment]
    return min(places, default=len(sys.path))


def _release_packages(folder: Path) -> set[str]:
    parts = (PurePosixPath(path).relative_to(folder).parts for path in listed_hashes(folder))
    return {top[0].removesuffix(".py") for top in parts if not top[0].endswith(".dist-info")}


def _foreign_modules(folder: Path, names: set[str]) -> Iterator[str]:
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] in names and isinstance(module, ModuleType):
            places = [module.__file__] if module.__file__ else list(getattr(module, "__path__", []))
            if foreign := [place for place in places if not Path(place).resolve().is_relative_to(folder)]:
                yield f"{name} is loaded from {foreign[0]}"


def _doubles(folder: Path, names: set[str]) -> Iterator[str]:
    elsewhere = [path for path in sys.path if Path(path).resolve() != folder]
    for name in sorted(names):
        if found := PathFinder.find_spec(name, elsewhere):
            yield f"{name} can be imported from {found.origin or elsewhere} too"
