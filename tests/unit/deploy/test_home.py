"""The home folder: permissions and the lock."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from omnium_deploy.endpoints import Endpoints, forget
from omnium_deploy.errors import NotRunning
from omnium_deploy.home import Home, HomeLock, holder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home.at(tmp_path / "deep" / "home")
    made.prepare()
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_holds_secrets_is_its_owners_alone(home: Home) -> None:
    assert {mode(path) for path in (home.keys, home.cache, home.log, home.run)} == {0o700}


def test_a_folder_that_was_opened_is_closed_again(home: Home) -> None:
    home.keys.chmod(0o755)
    home.prepare()
    assert mode(home.keys) == 0o700


def test_the_home_is_the_named_one_else_the_variables_else_the_current_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OMNIUM_HOME", raising=False)
    assert Home.at(None).root == tmp_path / ".omnium"
    monkeypatch.setenv("OMNIUM_HOME", str(tmp_path / "theirs"))
    assert Home.at(None).root == tmp_path / "theirs"
    assert Home.at(Path("mine")).root == tmp_path / "mine"


def test_a_home_is_taken_by_one_at_a_time_and_the_holder_is_known(home: Home) -> None:
    assert holder(home) is None
    lock = HomeLock.take(home)
    assert lock is not None
    assert HomeLock.take(home) is None
    assert holder(home) == os.getpid()
    lock.release()
    assert holder(home) is None
    again = HomeLock.take(home)
    assert again is not None
    again.release()


def test_endpoints_are_read_as_they_were_written_and_are_private(home: Home) -> None:
    endpoints = Endpoints(
        router="http://127.0.0.1:1",
        grpc="127.0.0.1:2",
        database="postgresql://x",
        tokens={"admin": "a"},
        pid=7,
        home=str(home.root),
    )
    endpoints.write(home)
    assert mode(home.endpoints) == 0o600
    assert Endpoints.read(home) == endpoints
    forget(home)
    forget(home)
    with pytest.raises(NotRunning, match="omnium up --home"):
        Endpoints.read(home)
