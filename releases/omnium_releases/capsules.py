"""Capsules: one file that replays a final byte for byte years later, with nothing of ours but a platform.

    capsule.json     what it is of: match, release row, runtime, who sent what; SHA-256 of all other members
    match.json       a corpus entry with its names in it: log, format, sides, digests, state, lines, places
    wheels/*.whl     the flows and the contract that they were proven with

The same match gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from omnium_contract import canonical
from omnium_contract.testing.goldens import differences
from omnium_releases.artifacts import ReleaseFiles, Wheel
from omnium_releases.corpus.logged import LoggedMatch
from omnium_releases.corpus.performances import Performance, Stage, Unproven, completed, proven, with_end
from omnium_releases.readers.recorded import UnreadableFile
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.entry_documents import document_of, entry_of
from omnium_store.errors import Refused

FORMAT_NUMBER: Final = 1
MANIFEST: Final = "capsule.json"
MATCH: Final = "match.json"
WHEELS: Final = "wheels/"
#: Above this a file is no capsule: two wheels and a log are far below.
LARGEST: Final = 256 * 1024 * 1024
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_UNREADABLE: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule:
    """What is in a capsule, verified: every member has its hash, both wheels are those of the release."""

    manifest: Mapping[str, Any]
    entry: CorpusEntry
    files: ReleaseFiles = field(repr=False)

    @property
    def runtime_sha(self) -> str:
        """The runtime that gave its digests."""
        return str(self.manifest["runtimeSha"])


async def made_capsule(
    match: LoggedMatch, stage: Stage, *, files: ReleaseFiles, release: Mapping[str, Any]
) -> bytes:
    """The capsule of a match. `release` is its row as JSON data. Raises `Refused` if it is not reproduced."""
    entry = await reproduced(match, stage)
    members = {
        MATCH: _json(document_of(entry)),
        f"{WHEELS}{files.flows.filename}": files.flows.content,
        f"{WHEELS}{files.contract.filename}": files.contract.content,
    }
    manifest = {
        "capsule": FORMAT_NUMBER,
        "fixture": str(match.fixture),
        "name": match.name,
        "status": match.status,
        "release": release,
        "runtimeSha": stage.runtime_sha,
        "authors": {str(seq): asdict(author) for seq, author in match.authors.items()},
        "members": {name: hashlib.sha256(content).hexdigest() for name, content in members.items()},
    }
    return _zipped({MANIFEST: _json(manifest), **members})


async def reproduced(match: LoggedMatch, stage: Stage) -> CorpusEntry:
    """The match with the digests that it gives here, if these are the stored ones. Raises `Refused`."""
    try:
        kept = proven(match.entry, await stage.play(match.entry), digest=match.state_digest)
        played = await stage.play(kept)
        ended = with_end(kept, played)
        given = completed(kept, played)
    except Unproven as problem:
        raise _not_reproduced(match, str(problem)) from problem
    for name, stored, now in (
        ("lines", set(match.entry.lines or ()), set(ended.lines or ())),
        ("places", set(match.entry.places or ()), set(ended.places or ())),
    ):
        if stored != now:
            raise _not_reproduced(match, f"its stored {name} are not what its log gives")
    return replace(given, what=match.name)


def read_capsule(content: bytes) -> Capsule:
    """Open and verify. Raises `Refused` (bad_capsule) with the first thing that is wrong."""
    members = _unzipped(content)
    try:
        manifest = json.loads(members.pop(MANIFEST))
        if manifest["capsule"] != FORMAT_NUMBER:
            raise _bad(f"it is of format {manifest['capsule']!r}; this platform reads {FORMAT_NUMBER}")
        _check_members(manifest["members"], members)
        entry = entry_of(json.loads(members[MATCH]))
        files = _files(members)
        told = manifest["release"]
    except (KeyError, TypeError, ValueError, UnreadableFile) as error:
        raise _bad(f"it lacks something: {type(error).__name__}: {error}") from error
    if (files.version, files.code_sha, files.contract_sha) != (
        told.get("version"),
        told.get("codeSha"),
        told.get("contractSha"),
    ):
        raise _bad(f"its wheels are not those of release {told.get('version')}")
    return Capsule(manifest=manifest, entry=entry, files=files)


async def check(capsule: Capsule, stage: Stage) -> None:
    """Raise `Refused` (capsule_differs) with the first difference that the replay shows, if there is one."""
    if differences := await parted(capsule, stage):
        more = f" ({len(differences) - 1} more)" if len(differences) > 1 else ""
        runtime = "" if stage.runtime_sha == capsule.runtime_sha else " It was made on another runtime."
        raise Refused(f"{differences[0]}{more}.{runtime}", reason="capsule_differs")


async def parted(capsule: Capsule, stage: Stage) -> list[str]:
    """Everywhere that the replay gives something else than the capsule holds; the first comes first."""
    try:
        played = await stage.play(capsule.entry)
        now = with_end(capsule.entry, played)
    except Unproven as problem:
        return [str(problem)]
    return [*_verdicts(capsule.entry, played), *_ends(capsule.entry, now, played)]


def _verdicts(entry: CorpusEntry, played: Performance) -> Iterator[str]:
    for command, verdict in zip(entry.log, played.verdicts, strict=True):
        where, refused = f"event {command.seq} {command.code}", command.refused
        then = f"refused {refused.refusal} {refused.message!r}" if refused else "accepted"
        now = "accepted" if verdict.accepted else f"refused {verdict.refusal} {verdict.message!r}"
        if command.judged and then != now:
            yield f"{where}: {then} -> {now}"
        if command.digest != verdict.digest:
            yield f"{where}: the state after it has digest {verdict.digest}, not {command.digest}"


def _ends(entry: CorpusEntry, now: CorpusEntry, played: Performance) -> Iterator[str]:
    then_document, now_document = document_of(entry), document_of(now)
    for part in ("state", "lines", "places"):
        yield from (
            f"{part}{where}" for where in differences(then_document.get(part), now_document.get(part))
        )
    if canonical.dumps(entry.state) != played.state and entry.state == now.state:
        yield "state: other bytes of the same value"


def _check_members(listed: Mapping[str, str], members: Mapping[str, bytes]) -> None:
    if names := sorted(listed.keys() ^ members.keys()):
        raise _bad(f"{names[0]} is listed or there, not both")
    for name, content in sorted(members.items()):
        if hashlib.sha256(content).hexdigest() != listed[name]:
            raise _bad(f"{name} is not the one that was put in")


def _files(members: Mapping[str, bytes]) -> ReleaseFiles:
    wheels = [
        Wheel.read(content, filename=name.removeprefix(WHEELS))
        for name, content in members.items()
        if name.startswith(WHEELS)
    ]
    contract = [wheel for wheel in wheels if wheel.name == "omnium-contract"]
    flows = [wheel for wheel in wheels if wheel not in contract]
    if len(contract) != 1 or len(flows) != 1:
        raise _bad(
            f"it holds {len(flows)} flows wheels and {len(contract)} contract wheels, one each is right"
        )
    return ReleaseFiles.of(flows[0], contract[0])


def _zipped(members: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as zipped:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, date_time=_LONG_AGO)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
            zipped.writestr(info, data)
    return content.getvalue()


def _unzipped(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as zipped:
            infos = zipped.infolist()
            if sum(info.file_size for info in infos) > LARGEST:
                raise _bad("it unpacks to more than a capsule holds")
            if len({info.filename for info in infos}) < len(infos):
                raise _bad("it holds two members of one name")
            return {info.filename: zipped.read(info) for info in infos}
    except _UNREADABLE as error:
        raise _bad(f"it is not a sound zip file ({error})") from error


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def _bad(why: str) -> Refused:
    return Refused(f"This is no sound capsule: {why}. Get the file again.", reason="bad_capsule")


def _not_reproduced(match: LoggedMatch, why: str) -> Refused:
    return Refused(
        f"Match {match.fixture} is not reproduced here: {why}. A capsule of it would prove nothing.",
        reason="not_reproduced",
    )
