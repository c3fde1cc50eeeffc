"""Settings come from the environment, once, and wrong ones are named before anything opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from omnium_store.errors import BadRequest
from omnium_store.settings import DatabaseSettings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OMNIUM_DATABASE_URL", "OMNIUM_HOME", "OMNIUM_LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)


def test_they_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://u:p@localhost/db")
    monkeypatch.setenv("OMNIUM_HOME", "/home/x")
    monkeypatch.setenv("OMNIUM_SOMETHING_ELSE", "of another service")
    settings = DatabaseSettings.from_environment()
    assert (settings.database_url, settings.home) == ("postgresql://u:p@localhost/db", Path("/home/x"))


def test_every_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "mysql://u@localhost/db")
    monkeypatch.setenv("OMNIUM_LOG_LEVEL", "loud")
    with pytest.raises(BadRequest, match=r"OMNIUM_DATABASE_URL.*OMNIUM_LOG_LEVEL") as caught:
        DatabaseSettings.from_environment()
    assert caught.value.reason == "bad_settings"


def test_they_are_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://u:p@localhost/db")
    settings = DatabaseSettings.from_environment()
    with pytest.raises(ValidationError):
        settings.log_level = "debug"  # type: ignore[misc]  # that it can't be set is what is tested
