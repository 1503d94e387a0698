"""The steps of Detectron's region networks."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel


def detection_output(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def generate_proposals_single(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def prior_grid(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def roi_features(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def top_rois(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
