"""The tokens of a home: one for each role, kept over restarts so that scripts go on working."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from omnium_deploy.home import Home, write_private
from omnium_store.access import Kind, Role
from omnium_store.database import connect
from omnium_store.errors import Unauthenticated
from omnium_store.tokens import Caller, TokenKeys, is_revoked, keep_issued

LIFETIME: Final = timedelta(days=365)
INTEGRATION: Final = Kind.INTEGRATION.value
SOURCE: Final = "local"  # what the home's integration imports from
NAMES: Final = (*(role.value for role in Role), INTEGRATION)
_FILE: Final = "tokens.json"


async def home_tokens(home: Home, dsn: str) -> dict[str, str]:
    """A token by role, and one of an integration. Those with half of their life left stay as they are."""
    keys = TokenKeys.load_or_create(home.keys)
    kept = _read(home)
    connection = await connect(dsn, application="omnium deploy")
    try:
        tokens = {}
        for name in NAMES:
            caller = _still_good(keys, kept.get(name, ""))
            if caller and not await is_revoked(connection, caller.jti):
                tokens[name] = kept[name]
            else:
                tokens[name], fresh = issue(keys, name)
                await keep_issued(connection, fresh, issued_by="omnium up")
    finally:
        await connection.close()
    if tokens != kept:
        write_private(home.keys / _FILE, json.dumps(tokens, indent=2) + "\n")
    return tokens


def issue(keys: TokenKeys, name: str) -> tuple[str, Caller]:
    """A new token of a role, or of the home's integration."""
    if name == INTEGRATION:
        return keys.issue(
            sub=f"{SOURCE}-import",
            name="Local import",
            kind=Kind.INTEGRATION,
            roles=(),
            source=SOURCE,
            lifetime=LIFETIME,
        )
    title = f"Local {name.replace('_', ' ')}"
    return keys.issue(sub=f"local-{name}", name=title, roles=(Role(name),), lifetime=LIFETIME)


def _still_good(keys: TokenKeys, token: str) -> Caller | None:
    try:
        caller = keys.verify(token)
    except Unauthenticated:
        return None
    return caller if caller.exp - time.time() > LIFETIME.total_seconds() / 2 else None


def _read(home: Home) -> Mapping[str, str]:
    try:
        found = json.loads((home.keys / _FILE).read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
