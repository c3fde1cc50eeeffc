"""What a service is told by its environment (`OMNIUM_…`): read once, frozen, checked at the start."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from omnium_store.errors import BadRequest


class Settings(BaseSettings):
    """The base of a service's own settings. Unknown variables are no error: services share them."""

    model_config = SettingsConfigDict(env_prefix="OMNIUM_", frozen=True, extra="ignore")

    @classmethod
    def from_environment(cls) -> Self:
        """Read them. Raises `BadRequest` (`bad_settings`) that names every variable that is wrong."""
        try:
            return cls()
        except ValidationError as error:
            raise BadRequest(_said(error), reason="bad_settings") from error


class DatabaseSettings(Settings):
    """Where the database is."""

    database_url: Annotated[str, Field(description="DSN of a PostgreSQL 15 or newer, the primary")]
    home: Annotated[Path, Field(description="the folder of keys, cache and logs")] = Path(".omnium")
    log_level: Annotated[str, Field(pattern="^(debug|info|warning|error)$")] = "info"

    @field_validator("database_url")
    @classmethod
    def is_a_dsn(cls, value: str) -> str:
        """Whether it looks like a PostgreSQL DSN; it is kept as it was written."""
        if not value.startswith(("postgresql://", "postgres://")):
            raise ValueError("write it like postgresql://user:password@host:5432/database")
        return value


def _said(error: ValidationError) -> str:
    problems = [
        f"OMNIUM_{'_'.join(str(part) for part in one['loc']).upper()}: {one['msg']}" for one in error.errors()
    ]
    return "; ".join(problems)
