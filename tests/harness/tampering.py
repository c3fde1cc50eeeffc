"""Wheels with something wrong in them: a sound wheel, one edit."""

from __future__ import annotations

import base64
import hashlib
import io
import warnings
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of the archive. `mode` is the file's mode, type included."""

    name: str
    content: bytes
    mode: int = 0o100644


def members(wheel: bytes) -> list[Member]:
    """The entries of a wheel, in order."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        return [Member(info.filename, archive.read(info)) for info in archive.infolist()]


def pack(entries: Iterable[Member], *, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A wheel of these entries, whatever they are."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # two entries of one name are wanted here
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, date_time=(1980, 1, 1, 0, 0, 0))
            info.external_attr = entry.mode << 16
            info.compress_type = compression
            archive.writestr(info, entry.content)
    return packed.getvalue()


def changed(wheel: bytes, name: str, content: bytes) -> bytes:
    """The wheel with other content in one file, which RECORD still lists as it was."""
    return pack(replace(m, content=content) if m.name == name else m for m in members(wheel))


def without(wheel: bytes, name: str) -> bytes:
    """The wheel without one file."""
    return pack(m for m in members(wheel) if m.name != name)


def with_member(wheel: bytes, member: Member, *, listing: str | None = None) -> bytes:
    """The wheel with one entry more, and a line for it in RECORD if `listing` is one."""
    entries = [*members(wheel), member]
    if listing is not None:
        entries = [replace(m, content=m.content + listing.encode()) if is_record(m) else m for m in entries]
    return pack(entries)


def with_record(wheel: bytes, old: str, new: str) -> bytes:
    """The wheel with an edited RECORD."""
    edited = (
        replace(m, content=m.content.replace(old.encode(), new.encode())) if is_record(m) else m
        for m in members(wheel)
    )
    return pack(edited)


def relisted(wheel: bytes, name: str, content: bytes) -> bytes:
    """The wheel with other content in one file and a RECORD that lists it: sound, and another release."""
    entries = [replace(m, content=content) if m.name == name else m for m in members(wheel)]
    record = next(m for m in entries if is_record(m))
    lines = [
        line if line.split(",")[0] != name else record_line(name, content)
        for line in record.content.decode().splitlines()
    ]
    record = replace(record, content=("\n".join(lines) + "\n").encode())
    return pack(record if is_record(m) else m for m in entries)


def record_line(name: str, content: bytes) -> str:
    """The line of RECORD for a file."""
    hashed = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={hashed},{len(content)}"


def is_record(member: Member) -> bool:
    """Whether it is the RECORD."""
    return member.name.endswith(".dist-info/RECORD")
