"""A signed statement: by model-signing where it is installed, else by a stand-in with its documented interface."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from irlint.cli import main

from .models import folded, onnx


class Config:
    """The part of model_signing.signing.Config that irlint uses; a signature is the name of the key and the size of the file."""

    key = ""

    def use_elliptic_key_signer(self, *, private_key: str) -> Config:
        Path(private_key).read_bytes()
        self.key = private_key
        return self

    def use_sigstore_signer(self) -> Config:
        raise ConnectionError("no network")

    def sign(self, model_path: Path, signature_path: Path) -> None:
        signature_path.write_text(f"{self.key} {model_path.stat().st_size}")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setitem(sys.modules, "model_signing", ModuleType("model_signing"))
    monkeypatch.setitem(sys.modules, "model_signing.signing", SimpleNamespace(Config=Config))
    for name, data in (("a.onnx", onnx()), ("b.onnx", folded()), ("key.pem", b"key")):
        (tmp_path / name).write_bytes(data)
    return [str(tmp_path / name) for name in ("a.onnx", "b.onnx", "key.pem", "proof.json")]


def test_a_statement_is_written_and_signed(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    a, b, key, proof = files
    assert main(["prove", a, b, "--sign", proof, "--private-key", key]) == 0
    found = capsys.readouterr()
    assert found.out.startswith("same: ")
    assert f"to verify it: model_signing verify key --public_key KEY.pub --signature {proof}.sig" in found.err
    statement = json.loads(Path(proof).read_text())
    assert [subject["name"] for subject in statement["subject"]] == [a, b]
    assert statement["predicate"]["result"]["same"] is True
    assert Path(f"{proof}.sig").read_text() == f"{key} {Path(proof).stat().st_size}"


def test_what_cannot_be_signed_is_not_run(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, key, proof = files
    for words, message in (
        (["--private-key", key], "--private-key: expected --sign OUT.json, too"),
        (["--sign", proof], "cannot sign through Sigstore: no network"),
        (["--sign", proof, "--private-key", f"{key}.old"], f"cannot sign with {key}.old: "),
    ):
        assert main(["prove", a, b, *words]) == 2
        assert message in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "model_signing.signing", None)
    assert main(["prove", a, b, "--sign", proof, "--private-key", key]) == 2
    assert "pip install model-signing" in capsys.readouterr().err
    assert not Path(proof).exists()


def test_model_signing_verifies_it(tmp_path: Path) -> None:
    pytest.importorskip("model_signing.signing", reason="model-signing is not installed")
    verifying = pytest.importorskip("model_signing.verifying")
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
    forms = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    key, pem = ec.generate_private_key(ec.SECP256R1()), forms.Encoding.PEM
    private, public = tmp_path / "key.pem", tmp_path / "key.pub"
    private.write_bytes(key.private_bytes(pem, forms.PrivateFormat.PKCS8, forms.NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(pem, forms.PublicFormat.SubjectPublicKeyInfo))
    model, proof = tmp_path / "a.onnx", tmp_path / "proof.json"
    model.write_bytes(onnx())
    assert main(["prove", str(model), str(model), "--sign", str(proof), "--private-key", str(private)]) == 0
    check = verifying.Config().use_elliptic_key_verifier(public_key=public)
    check.verify(proof, tmp_path / "proof.json.sig")
    proof.write_text(proof.read_text().replace("true", "false"))
    with pytest.raises(ValueError, match="mismatch"):
        check.verify(proof, tmp_path / "proof.json.sig")
