"""Pseudonyms: the same person has the same one in every export, and without the key nobody can tell whose."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from omnium_store.errors import BadRequest

KEY_FILE: Final = "pseudonym.key"
KEY_BYTES: Final = 32
#: Hex digits of a pseudonym: among a million persons two share one in fewer than one of 500 corpora.
DIGITS: Final = 12
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class PseudonymKey:
    """The secret that names are hashed under. Whoever has it can try names; it never leaves the home."""

    secret: bytes = field(repr=False)

    @classmethod
    def load_or_create(cls, folder: Path) -> PseudonymKey:
        """The key of a home's keys/; the first call makes it (0600), and of two the first wins."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = folder / KEY_FILE
        if not file.exists():
            _make(file)
        if stat.S_IMODE(file.stat().st_mode) & _OTHERS:
            raise BadRequest(f"{file} can be read by others. Run: chmod 600 {file}", reason="bad_key")
        try:
            secret = bytes.fromhex(file.read_text().strip())
        except (ValueError, UnicodeDecodeError):
            secret = b""
        if len(secret) != KEY_BYTES:
            raise BadRequest(
                f"{file} is not a key of {KEY_BYTES} bytes in hex. Restore it from a backup: "
                "another key gives everybody another pseudonym.",
                reason="bad_key",
            )
        return cls(secret)

    def pseudonym(self, identity: str) -> str:
        """`p-` and 12 hex digits."""
        return f"p-{hmac.new(self.secret, identity.encode(), hashlib.sha256).hexdigest()[:DIGITS]}"


@dataclass(slots=True)
class Pseudonyms:
    """The pseudonyms within one match. Two texts never share one, so that rules tell persons apart as before.

    `identities` says of a text (the id of a participant) who that is, where another text says it elsewhere.
    """

    key: PseudonymKey
    identities: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    given: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def of(self, text: str) -> str:
        """What stands for a text."""
        if text not in self.given:
            self.given[text] = self._free(self.key.pseudonym(self.identities.get(text, f"name:{text}")), text)
            self._taken.add(self.given[text])
        return self.given[text]

    def _free(self, wanted: str, text: str) -> str:
        """The pseudonym of a merged participant may be taken by the one it was merged into."""
        return self.key.pseudonym(f"text:{text}") if wanted in self._taken else wanted


def _make(file: Path) -> None:
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.") as fresh:  # made with 0600
        fresh.write(f"{secrets.token_hex(KEY_BYTES)}\n".encode())
        fresh.flush()
        os.fsync(fresh.fileno())
        try:
            os.link(fresh.name, file)
        except FileExistsError:
            return
