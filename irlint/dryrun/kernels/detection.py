"""Choosing boxes, and making anchor boxes."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel


def detection_output(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def matrix_nms(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def multiclass_nms(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def non_max_suppression(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def prior_box(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def prior_box_clustered(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def region_yolo(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
