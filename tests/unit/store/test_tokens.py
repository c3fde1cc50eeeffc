"""Tokens say who a caller is; whatever is wrong with one, it is refused."""

from __future__ import annotations

import json
import stat
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omnium_store.access import Kind, Role
from omnium_store.errors import BadRequest, Unauthenticated
from omnium_store.token_files import kid_of
from omnium_store.tokens import TokenKeys

HOUR = timedelta(hours=1)


@pytest.fixture
def keys(tmp_path: Path) -> TokenKeys:
    return TokenKeys.load_or_create(tmp_path / "keys")


def signed(keys: TokenKeys, *, headers: dict[str, Any] | None = None, **changed: Any) -> str:
    """A token whose claims differ from a good one's; None leaves a claim out."""
    assert keys.private is not None
    claims: dict[str, Any] = {
        "sub": "ada", "kind": "person", "roles": ["scorer"], "iss": "omnium", "aud": "omnium", "jti": "j",
        "exp": int(time.time()) + 60,
    }  # fmt: skip
    claims = {name: value for name, value in (claims | changed).items() if value is not None}
    kid = {"kid": kid_of(keys.private.public_key())}
    return jwt.encode(
        claims, keys.private, algorithm="EdDSA", headers=headers if headers is not None else kid
    )


def test_a_token_comes_back_as_the_caller_that_it_was_issued_for(keys: TokenKeys) -> None:
    token, issued = keys.issue(
        sub="ada",
        name="Ada",
        roles=[Role.SCORER, Role.VIEWER],
        lifetime=HOUR,
        events=["games"],
        fixtures=["F1"],
    )
    caller = keys.verify(token)
    assert caller == issued
    assert (caller.sender, sorted(caller.roles)) == ("person:ada", ["scorer", "viewer"])
    assert (list(caller.events), list(caller.fixtures)) == (["games"], ["F1"])


def test_an_integration_has_a_source_and_no_roles(keys: TokenKeys) -> None:
    token, _ = keys.issue(sub="feed", kind=Kind.INTEGRATION, source="ODF", roles=[], lifetime=HOUR)
    caller = keys.verify(token)
    assert (caller.sender, caller.source, caller.roles) == ("integration:feed", "ODF", frozenset())
    with pytest.raises(BadRequest, match="no roles"):
        keys.issue(sub="feed", kind=Kind.INTEGRATION, source="ODF", roles=[Role.ADMIN], lifetime=HOUR)
    with pytest.raises(BadRequest, match="imports nothing"):
        keys.issue(sub="ada", source="ODF", roles=[Role.SCORER], lifetime=HOUR)


def test_keys_are_made_once_and_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    token, caller = TokenKeys.load_or_create(tmp_path).issue(sub="a", roles=[Role.VIEWER], lifetime=HOUR)
    assert TokenKeys.load_or_create(tmp_path).verify(token) == caller
    assert stat.S_IMODE((tmp_path / "token.key").stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["token.key", "token.pub"]


def test_a_private_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    TokenKeys.load_or_create(tmp_path)
    (tmp_path / "token.key").chmod(0o644)
    with pytest.raises(BadRequest, match="chmod 600"):
        TokenKeys.load_or_create(tmp_path)


def test_public_keys_alone_verify_and_never_sign(tmp_path: Path, keys: TokenKeys) -> None:
    token, caller = keys.issue(sub="a", roles=[Role.VIEWER], lifetime=HOUR)
    public = TokenKeys.load_public(tmp_path / "keys")
    assert public.verify(token) == caller
    with pytest.raises(BadRequest, match="no private key"):
        public.issue(sub="a", roles=[], lifetime=HOUR)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"exp": 1}, "token_expired"),
        ({"exp": None}, "token_invalid"),
        ({"iss": "somebody"}, "token_invalid"),
        ({"iss": None}, "token_invalid"),
        ({"aud": "another"}, "token_invalid"),
        ({"jti": None}, "token_invalid"),
        ({"sub": None}, "token_invalid"),
        ({"roles": ["king"]}, "token_invalid"),
        ({"roles": "admin"}, "token_invalid"),
        ({"roles": [["admin"]]}, "token_invalid"),
        ({"kind": "robot"}, "token_invalid"),
        ({"events": "games"}, "token_invalid"),
        ({"events": {"games": 1}, "fixtures": [1]}, "token_invalid"),
        ({"headers": {}}, "token_invalid"),
        ({"headers": {"kid": "unknown"}}, "token_invalid"),
    ],
)
def test_a_token_with_a_wrong_claim_is_refused(keys: TokenKeys, changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unauthenticated) as caught:
        keys.verify(signed(keys, **changed))
    assert caught.value.reason == reason


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "ey.ey.", "é" * 20, "a" * 10_000])
def test_what_is_not_a_token_is_refused(keys: TokenKeys, token: str) -> None:
    with pytest.raises(Unauthenticated):
        keys.verify(token)


def test_a_token_can_not_choose_its_algorithm(keys: TokenKeys) -> None:
    assert keys.private is not None
    public = keys.private.public_key()
    pem = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    head = {"kid": kid_of(public)}
    claims = {"sub": "a", "iss": "omnium", "aud": "omnium", "jti": "j", "exp": int(time.time()) + 60}
    for forged in (
        jwt.encode(claims, pem, algorithm="HS256", headers=head),
        jwt.encode(claims, "", algorithm="none", headers=head),
        jwt.encode(claims, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers=head),
    ):
        with pytest.raises(Unauthenticated):
            keys.verify(forged)


def rsa_key(bits: int = 2048) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def pem_of(key: Any) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    public: bytes = key.public_key().public_bytes(serialization.Encoding.PEM, form)
    return public


def test_a_providers_rs256_tokens_are_taken_with_its_pem_or_its_jwks(tmp_path: Path) -> None:
    provider = rsa_key()
    claims = {
        "sub": "u1", "roles": ["viewer"], "iss": "https://id.example", "aud": "omnium", "jti": "j",
        "exp": int(time.time()) + 60,
    }  # fmt: skip
    (tmp_path / "provider.pem").write_bytes(pem_of(provider))
    by_pem = TokenKeys.load_public(tmp_path, issuers=frozenset({"https://id.example"}))
    token = jwt.encode(claims, provider, algorithm="RS256", headers={"kid": kid_of(provider.public_key())})
    assert by_pem.verify(token).sub == "u1"

    jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(provider.public_key()))
    by_jwks = by_pem.with_jwks({"keys": [{**jwk, "kid": "2026", "alg": "RS256", "use": "sig"}]})
    token = jwt.encode(claims, provider, algorithm="RS256", headers={"kid": "2026"})
    assert by_jwks.verify(token).sub == "u1"
    with pytest.raises(Unauthenticated):
        by_pem.verify(token)


def test_weak_and_unknown_public_keys_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weak.pem"
    for content in (pem_of(rsa_key(1024)), pem_of(ec.generate_private_key(ec.SECP256R1())), b"no pem"):
        file.write_bytes(content)
        with pytest.raises(BadRequest, match=r"weak\.pem"):
            TokenKeys.load_public(tmp_path)
