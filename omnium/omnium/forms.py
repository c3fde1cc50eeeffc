"""Forms with files in them, as `multipart/form-data`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path


def multipart(texts: Mapping[str, str], files: Mapping[str, Path]) -> tuple[bytes, str]:
    """The body of a form and its content type."""
    boundary = uuid.uuid4().hex
    parts = [_part(boundary, f'name="{name}"', text.encode()) for name, text in texts.items()]
    parts += [
        _part(boundary, f'name="{name}"; filename="{path.name}"', path.read_bytes())
        for name, path in files.items()
    ]
    return b"".join([*parts, f"--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"


def _part(boundary: str, disposition: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
    return b"".join([head.encode(), content, b"\r\n"])
