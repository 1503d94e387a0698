"""Regions cut out of feature maps, and proposed."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel


def deformable_ps_roi_pooling(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def generate_proposals(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def proposal(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def ps_roi_pooling(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def roi_align(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def roi_align_rotated(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def roi_pooling(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
