"""Files of an unpacked wheel are what RECORD lists, or each that is not is named."""

import base64
import hashlib
from pathlib import Path, PurePosixPath

import pytest

from omnium_contract.release import ReleaseFilesError, check_files, code_sha

RECORD = PurePosixPath("a-1.dist-info/RECORD")


def unpacked(folder: Path, files: dict[str, bytes], *, extra: str = "") -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    lines = [f"{name},{hash_of(content)},{len(content)}" for name, content in files.items()]
    (folder / RECORD).parent.mkdir(exist_ok=True)
    (folder / RECORD).write_text("\n".join([*lines, f"{RECORD},,", *([extra] if extra else [])]) + "\n")
    return folder


def hash_of(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def test_an_untouched_folder_passes(tmp_path: Path) -> None:
    check_files(unpacked(tmp_path, {"a/x.py": b"1", "a/y.py": b"2"}), (RECORD,))


def test_every_file_that_is_not_as_listed_is_named(tmp_path: Path) -> None:
    folder = unpacked(tmp_path, {"a/x.py": b"1", "a/y.py": b"2", "a/z.py": b"3"})
    (folder / "a/x.py").write_bytes(b"other")
    (folder / "a/y.py").unlink()
    (folder / "a/__pycache__").mkdir()
    (folder / "a/__pycache__/x.cpython-311.pyc").write_bytes(b"")
    (folder / "a/link.py").symlink_to(folder / "a/z.py")
    with pytest.raises(ReleaseFilesError) as error:
        check_files(folder, (RECORD,))
    assert str(error.value).split("; ") == [
        "a/__pycache__/x.cpython-311.pyc: not listed in RECORD",
        "a/link.py: is a link",
        "a/x.py: differs from RECORD",
        "a/y.py: missing",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"../b.py,{hash_of(b'1')},1", "leaves the release's folder"),
        ("/etc/b.py,,", "leaves the release's folder"),
        (f"a/x.py,{hash_of(b'1')},1", "a/x.py: listed twice"),
        ("a/b.py,,1", "a/b.py: listed without SHA-256"),
        ("a/b.py,md5=abc,1", "SHA-256 is required"),
        ("nonsense", "not path,hash,size"),
    ],
)
def test_a_listing_that_proves_nothing_is_refused(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(ReleaseFilesError, match=said):
        check_files(unpacked(tmp_path, {"a/x.py": b"1"}, extra=line), (RECORD,))


def test_one_changed_byte_is_another_fingerprint() -> None:
    assert code_sha(b"a,sha256=x,1\n") != code_sha(b"a,sha256=y,1\n")
