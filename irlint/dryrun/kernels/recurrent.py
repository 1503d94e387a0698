"""Recurrent cells and sequences."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel


def run_cell(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def run_sequence(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def run_fused(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
