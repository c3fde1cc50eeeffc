"""Forwarding over both sorts of links."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.forwarding_road import Road, made_road


@pytest.fixture(params=["multiplex", "unary"])
async def road(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Road]:
    async with made_road(tmp_path, router_link=request.param) as made:
        yield made
