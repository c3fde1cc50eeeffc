"""Whether component code runs at this moment, and which: read by budget, confinement and voices."""

from __future__ import annotations


class Stage:
    """`key` names the component that runs on the event loop's thread, None between components."""

    __slots__ = ("key",)

    def __init__(self) -> None:
        self.key: str | None = None
