"""Peers from the Python package index: each in an environment of its own, made by the benchmark's set-up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def peer_python(name: str, *requirements: str) -> Path | None:
    """The interpreter of an environment that holds a peer; None where it can't be installed here."""
    folder = _cache() / f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    python, done = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(requirements)
    if done.is_file() and done.read_text() == wanted:
        return python
    made = subprocess.run([sys.executable, "-m", "venv", str(folder)], capture_output=True, check=False)
    if made.returncode or not _installs(python, requirements):
        return None
    done.write_text(wanted)
    return python


def _installs(python: Path, requirements: tuple[str, ...]) -> bool:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    try:
        return not subprocess.run(command, capture_output=True, timeout=300, check=False).returncode
    except subprocess.TimeoutExpired:
        return False


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "omnium-bench"
