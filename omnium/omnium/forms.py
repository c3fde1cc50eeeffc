"""Forms with files in them, as `multipart/form-data`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of a form."""

    name: str
    content: bytes = field(repr=False)


def multipart(texts: Mapping[str, str], files: Mapping[str, FilePart]) -> tuple[bytes, str]:
    """The body of a form and its content type."""
    boundary = uuid.uuid4().hex
    parts = [_part(boundary, f'name="{name}"', text.encode()) for name, text in texts.items()]
    parts += [
        _part(boundary, f'name="{name}"; filename="{file.name}"', file.content)
        for name, file in files.items()
    ]
    return b"".join([*parts, f"--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"


def _part(boundary: str, disposition: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
    return b"".join([head.encode(), content, b"\r\n"])
