"""Releases of the working tree with an edit: its rules in all but what a test wants to see."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.fleet import ROOT
from omnium_releases.build import WheelPair, build_wheels

_PARTS: Final = ("contract", "flows")


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in one file; its path is below the repository's root."""

    path: str
    old: str
    new: str

    def apply(self, tree: Path) -> None:
        """Make it in a copy of the tree. What is replaced stands there exactly once."""
        file = tree / self.path
        text = file.read_text()
        assert text.count(self.old) == 1, f"{self.path} has {self.old!r} {text.count(self.old)} times"
        file.write_text(text.replace(self.old, self.new))


#: A football rule, in a helper of the step: no decorated component changes with it.
HEADERS_COUNT_TWICE: Final = Edit(
    "flows/omnium_flows/football/match/goals.py",
    "    _credit(state, row, 1)\n",
    '    _credit(state, row, 2 if row["kind"] == GoalKind.HEADER else 1)\n',
)
#: What every refusal of a rule reads like under a contract that is not the platform's.
OLDER_CONTRACT: Final = Edit(
    "contract/omnium_contract/flows/types.py",
    "    return Verdict(ok=False, message=message)\n",
    '    return Verdict(ok=False, message=f"{message} (by the older contract)")\n',
)


def edition(out: Path, *edits: Edit) -> WheelPair:
    """The wheels of a copy of the working tree with these edits, alone in `out`."""
    with tempfile.TemporaryDirectory(prefix="omnium-edition-") as draft:
        tree = Path(draft)
        for part in _PARTS:
            ignored = shutil.ignore_patterns("tests", "__pycache__")
            shutil.copytree(ROOT / part, tree / part, ignore=ignored)
        for edit in edits:
            edit.apply(tree)
        return build_wheels(tree / "contract", tree / "flows", out)
