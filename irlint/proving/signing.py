"""The signature of a statement, by OpenSSF model-signing where it is installed: a Sigstore bundle next to the statement."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any


class Unsigned(Exception):
    """Why a statement is not signed."""


def signer(key: str | None) -> Any:
    """Return what signs with a private key (PEM, elliptic curve) or, without one, with an identity through Sigstore, which opens a browser
    to log in; raise Unsigned."""
    try:
        config = import_module("model_signing.signing").Config()
    except ImportError as error:
        raise Unsigned(f"model-signing cannot be imported ({error}): pip install model-signing") from error
    try:
        return config.use_sigstore_signer() if key is None else config.use_elliptic_key_signer(private_key=key)
    except Exception as error:  # of the network, the operating system and cryptography
        with_ = "through Sigstore" if key is None else f"with {key}"
        raise Unsigned(f"cannot sign {with_}: {error}") from error


def sign(config: Any, statement: Path) -> Path:
    """Sign the file of a statement; return the file of the signature."""
    signature = statement.with_name(f"{statement.name}.sig")
    try:
        config.sign(statement, signature)
    except Exception as error:  # the same
        raise Unsigned(f"{statement}: not signed: {error}") from error
    return signature
