"""--atol and --rtol: how far two runs may be apart."""

from __future__ import annotations

import argparse
import math


def add_tolerances(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--atol", type=_tolerance, default=1e-5, metavar="X", help="absolute tolerance (default: 1e-5)")
    parser.add_argument(
        "--rtol",
        type=_tolerance,
        default=1e-3,
        metavar="X",
        help="relative tolerance: a and b agree if all |a - b| <= atol + rtol max|b| (default: 1e-3)",
    )


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got `{text}`")
    return value
