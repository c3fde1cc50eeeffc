"""Tokens: JWTs signed by a key of our own (Ed25519) or by a trusted provider's (Ed25519 or RS256).

A folder holds the keys: `token.key` (private, 0600), `token.pub`, and, for tokens of others, `*.pem` (public
keys) and `*.jwks.json`. Whether a token was revoked is in the database (`tokens_revoked`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import jwt

from omnium_store.access import Kind, Role
from omnium_store.database import Connection
from omnium_store.errors import BadRequest, Unauthenticated
from omnium_store.statements import statement
from omnium_store.token_files import PrivateKey, PublicKey, keep_private, kid_of, read_public_keys

ISSUER: Final = "omnium"
AUDIENCE: Final = "omnium"
LEEWAY_S: Final = 5
REQUIRED: Final = ("exp", "iss", "aud", "sub", "jti")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who a token says that its holder is. Empty `events` and `fixtures` mean all of them."""

    sub: str
    name: str
    kind: Kind
    roles: frozenset[Role]
    events: frozenset[str] = frozenset()
    fixtures: frozenset[str] = frozenset()
    source: str = ""
    jti: str
    exp: int

    @property
    def sender(self) -> str:
        """The sender of commands: keys are unique within it."""
        return f"{self.kind.value}:{self.sub}"


@dataclass(frozen=True, slots=True)
class TokenKeys:
    """The keys that tokens are verified with and, unless it was loaded as public only, the one that signs."""

    public: Mapping[str, PublicKey]
    issuers: frozenset[str] = frozenset({ISSUER})
    audience: str = AUDIENCE
    private: PrivateKey | None = field(default=None, repr=False)

    @classmethod
    def load_or_create(cls, folder: Path) -> TokenKeys:
        """Keys that can sign; the first call makes `token.key` (0600) and `token.pub`."""
        private = keep_private(folder)
        return cls(read_public_keys(folder), private=private)

    @classmethod
    def load_public(
        cls, folder: Path, *, issuers: frozenset[str] = frozenset({ISSUER}), audience: str = AUDIENCE
    ) -> TokenKeys:
        """Keys that can verify only. `issuers` are all whose tokens are taken."""
        return cls(read_public_keys(folder), issuers=issuers, audience=audience)

    def with_jwks(self, document: Mapping[str, Any]) -> TokenKeys:
        """These and the keys of a provider's JWKS document; a key id that is known is replaced."""
        found = {
            key.key_id or "": PublicKey.of_jwk(key) for key in jwt.PyJWKSet.from_dict(dict(document)).keys
        }
        return TokenKeys({**self.public, **found}, self.issuers, self.audience, self.private)

    def issue(
        self,
        *,
        sub: str,
        roles: Sequence[Role],
        lifetime: timedelta,
        name: str = "",
        kind: Kind = Kind.PERSON,
        events: Sequence[str] = (),
        fixtures: Sequence[str] = (),
        source: str = "",
    ) -> tuple[str, Caller]:
        """A new token and what it says; `keep_issued` notes it, so that it can be revoked."""
        if self.private is None:
            raise BadRequest(
                "There is no private key here, so no token can be made.", reason="no_signing_key"
            )
        _check_kind(kind, roles, source)
        now = int(time.time())
        caller = Caller(
            sub=sub, name=name or sub, kind=kind, roles=frozenset(roles), events=frozenset(events),
            fixtures=frozenset(fixtures), source=source, jti=secrets.token_hex(16),
            exp=now + int(lifetime.total_seconds()),
        )  # fmt: skip
        claims = {**_claims(caller), "iss": ISSUER, "aud": self.audience, "iat": now}
        kid = kid_of(self.private.public_key())
        return jwt.encode(claims, self.private, algorithm="EdDSA", headers={"kid": kid}), caller

    def verify(self, token: str) -> Caller:
        """Who the token is of. Raises `Unauthenticated`: `token_invalid` or `token_expired`."""
        try:
            key = self._key(token)
            claims = jwt.decode(
                token, key.key, algorithms=[key.algorithm], audience=self.audience, leeway=LEEWAY_S,
                issuer=sorted(self.issuers), options={"require": list(REQUIRED)},
            )  # fmt: skip
        except jwt.ExpiredSignatureError as error:
            raise Unauthenticated("The token has expired. Get a new one.", reason="token_expired") from error
        except (jwt.PyJWTError, ValueError) as error:
            raise Unauthenticated(f"The token is not valid: {error}.", reason="token_invalid") from error
        return _caller(claims)

    def _key(self, token: str) -> PublicKey:
        kid = jwt.get_unverified_header(token).get("kid", "")
        try:
            return self.public[kid]
        except (KeyError, TypeError):
            raise jwt.InvalidKeyError("it was signed by a key that is not known here") from None


async def keep_issued(connection: Connection, caller: Caller, *, issued_by: str) -> None:
    """Note a token in the database, so that it is listed and can be revoked."""
    await connection.execute(
        statement("token_keep"), caller.jti, caller.sub, caller.name, caller.kind.value,
        sorted(caller.roles), caller.source or None, issued_by, float(caller.exp),
    )  # fmt: skip


async def revoke(connection: Connection, jti: str) -> bool:
    """Revoke a token; false if there is none of that id. Services hear of it within their cache's time."""
    return await connection.fetchval(statement("token_revoke"), jti) is not None


async def revoked(connection: Connection) -> frozenset[str]:
    """The ids of all revoked tokens that would still be valid; few, so services hold them for seconds."""
    return frozenset(await connection.fetchval(statement("tokens_revoked")))


async def is_revoked(connection: Connection, jti: str) -> bool:
    """Whether the token with this id was revoked."""
    return bool(await connection.fetchval(statement("token_is_revoked"), jti))


def _check_kind(kind: Kind, roles: Sequence[Role], source: str) -> None:
    if kind is Kind.INTEGRATION and (roles or not source):
        raise BadRequest(
            "An integration has no roles and names the source that it imports from.", reason="bad_token"
        )
    if kind is Kind.PERSON and source:
        raise BadRequest("A person imports nothing: leave the source out.", reason="bad_token")


def _claims(caller: Caller) -> dict[str, Any]:
    claims = {
        "sub": caller.sub,
        "name": caller.name,
        "kind": caller.kind.value,
        "roles": sorted(caller.roles),
        "events": sorted(caller.events),
        "fixtures": sorted(caller.fixtures),
        "source": caller.source,
        "jti": caller.jti,
        "exp": caller.exp,
    }
    return {name: value for name, value in claims.items() if value not in ("", [])}


def _caller(claims: Mapping[str, Any]) -> Caller:
    try:
        return Caller(
            sub=claims["sub"],
            name=str(claims.get("name") or claims["sub"]),
            kind=Kind(claims.get("kind", "person")),
            roles=frozenset(Role(role) for role in claims.get("roles", ())),
            events=_texts(claims.get("events", ())),
            fixtures=_texts(claims.get("fixtures", ())),
            source=str(claims.get("source", "")),
            jti=claims["jti"],
            exp=int(claims["exp"]),
        )
    except (ValueError, TypeError) as error:
        raise Unauthenticated(
            f"The token says what nobody knows here: {error}.", reason="token_invalid"
        ) from error


def _texts(value: Any) -> frozenset[str]:
    if isinstance(value, str) or not all(isinstance(item, str) for item in value):
        raise ValueError("events and fixtures are lists of text")
    return frozenset(value)
