"""The key files of tokens: the private key that signs, and public ones in PEM or JWKS."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from omnium_store.errors import BadRequest

PrivateKey = Ed25519PrivateKey
PRIVATE_FILE: Final = "token.key"
PUBLIC_FILE: Final = "token.pub"
OTHERS_READ: Final = stat.S_IRWXG | stat.S_IRWXO
SMALLEST_RSA: Final = 2048


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key and the one algorithm that it verifies: a token can't choose another."""

    key: Ed25519PublicKey | RSAPublicKey
    algorithm: str

    @classmethod
    def of(cls, key: object, *, where: str) -> PublicKey:
        """A loaded key, refused unless it is Ed25519 or RSA of at least 2048 bits."""
        match key:
            case Ed25519PublicKey():
                return cls(key, "EdDSA")
            case RSAPublicKey() if key.key_size >= SMALLEST_RSA:
                return cls(key, "RS256")
            case _:
                raise BadRequest(
                    f"{where}: use an Ed25519 key, or RSA with {SMALLEST_RSA} bits or more.", reason="bad_key"
                )

    @classmethod
    def of_jwk(cls, jwk: jwt.PyJWK) -> PublicKey:
        """One key of a JWKS document."""
        return cls.of(jwk.key, where=f"JWKS key {jwk.key_id}")


def keep_private(folder: Path) -> PrivateKey:
    """The private key of `folder`, made if there is none; of two that make one at once the first wins."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / PRIVATE_FILE
    if not file.exists():
        _make(file)
    if stat.S_IMODE(file.stat().st_mode) & OTHERS_READ:
        raise BadRequest(f"{file} can be read by others. Run: chmod 600 {file}", reason="bad_key")
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise BadRequest(f"{file} is not an Ed25519 key. Remove it to have a new one made.", reason="bad_key")
    _keep_public(folder / PUBLIC_FILE, key)
    return key


def read_public_keys(folder: Path) -> dict[str, PublicKey]:
    """All public keys of `folder` by key id: `token.pub` and `*.pem` (id: hash of the key), `*.jwks.json`."""
    found: dict[str, PublicKey] = {}
    for file in sorted({*folder.glob(PUBLIC_FILE), *folder.glob("*.pem")}):
        try:
            loaded = serialization.load_pem_public_key(file.read_bytes())
        except ValueError as error:
            raise BadRequest(f"{file} is not a public key in PEM form.", reason="bad_key") from error
        key = PublicKey.of(loaded, where=str(file))
        found[kid_of(key.key)] = key
    for file in sorted(folder.glob("*.jwks.json")):
        for jwk in jwt.PyJWKSet.from_dict(json.loads(file.read_bytes())).keys:
            found[jwk.key_id or ""] = PublicKey.of_jwk(jwk)
    return found


def kid_of(key: Ed25519PublicKey | RSAPublicKey) -> str:
    """The id of a key that has none: the first 16 hex digits of its SHA-256."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return hashlib.sha256(key.public_bytes(serialization.Encoding.DER, form)).hexdigest()[:16]


def _make(file: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.") as fresh:  # made with 0600
        fresh.write(pem)
        fresh.flush()
        os.fsync(fresh.fileno())
        try:
            os.link(fresh.name, file)
        except FileExistsError:
            return


def _keep_public(file: Path, key: PrivateKey) -> None:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    pem = key.public_key().public_bytes(serialization.Encoding.PEM, form)
    if not file.exists() or file.read_bytes() != pem:
        fresh = file.with_name(f".{file.name}.{os.getpid()}")
        fresh.write_bytes(pem)
        fresh.replace(file)
