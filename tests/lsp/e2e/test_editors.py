"""Neovim and Emacs, the real ones, with the configurations that users get."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from lsp.binaries import DIGITS, MISTAKE, binary
from lsp.client import ROOT, environment
from lsp.samples import nnvm

HERE = Path(__file__).resolve().parent
COMMANDS = {
    "nvim": ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE}/{{}}.lua"],
    "emacs": ["emacs", "-q", "--batch", "-l", f"{HERE}/{{}}.el"],
}


PROBES = {
    "nvim": [
        "nvim",
        "--headless",
        "-u",
        "NONE",
        "-i",
        "NONE",
        "-c",
        "lua assert(vim.lsp and vim.diagnostic)",
        "-c",
        "qall!",
    ],
    "emacs": ["emacs", "-q", "--batch", "--eval", "(require 'eglot)"],
}


def _works(editor: str) -> bool:
    """Whether the editor is there with the language client that the configurations build on."""
    if shutil.which(editor) is None:
        return False
    try:
        probe = subprocess.run(PROBES[editor], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    except subprocess.TimeoutExpired:
        return False
    return probe.returncode == 0


@pytest.mark.timeout(240)
@pytest.mark.parametrize("editor", sorted(COMMANDS))
def test_findings_hover_and_repair(editor: str, tmp_path: Path) -> None:
    document = tmp_path / "toy-symbol.json"
    document.write_text(nnvm().replace('"relu"', '"rleu"', 1), encoding="utf-8")
    output = _output(editor, editor, document)
    assert "A005" in output
    assert "fixed" in output
    address = (tmp_path / "opened").read_text(encoding="utf-8").strip()
    assert Path(unquote(urlsplit(address).path)).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("editor", sorted(COMMANDS))
def test_a_binary_is_shown_as_text_and_fixed(editor: str, tmp_path: Path) -> None:
    document = tmp_path / "my digits.onnx"
    document.write_bytes(binary(DIGITS.replace(*MISTAKE)))
    assert "fixed" in _output(editor, "binary", document)
    assert document.read_bytes() == binary(DIGITS)


def _output(editor: str, script: str, document: Path) -> str:
    """Return what a script in an editor prints about a model."""
    is_demanded = bool(os.environ.get("IRLINT_E2E"))
    if not _works(editor):
        if is_demanded:
            pytest.fail(f"{editor} is not installed, or not whole")
        pytest.skip(f"{editor} is not installed, or not whole")
    try:
        done = _run(editor, script, document)
    except subprocess.TimeoutExpired:
        if is_demanded:
            raise
        pytest.skip(f"{editor} did not end in time on this machine")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _browser(folder: Path) -> str:
    """Return a browser that writes down what it is asked to open."""
    path = folder / "browser"
    path.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {folder}/opened.tmp && mv {folder}/opened.tmp {folder}/opened\n')
    path.chmod(0o755)
    return str(path)


def _run(editor: str, script: str, document: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [word.format(script) for word in COMMANDS[editor]],
        env={
            **environment(),
            "LSP_CMD": f"{sys.executable} -m irlint server",
            "DOC": str(document),
            "IRLINT_LUA": str(ROOT / "lsp/nvim/irlint.lua"),
            "IRLINT_EL": str(ROOT / "lsp/emacs/irlint.el"),
            "HOME": str(document.parent),
            "BROWSER": _browser(document.parent),
            "OPENED": str(document.parent / "opened"),
        },
        cwd=document.parent,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=160,
    )
