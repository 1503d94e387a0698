"""The histogram of sizes, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.report.survey.tally import BOUNDS

_WIDE, _HIGH, _LEFT, _RIGHT, _BELOW, _ABOVE = 720, 220, 66, 40, 28, 12
_EACH = 5  # powers of two: one bound in so many has a label
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def histogram(counts: Sequence[int]) -> str:
    """Return how many models there are of which size. `counts` are those below each bound, and above the last."""
    used = [k for k, count in enumerate(counts) if count]
    if not used:
        return ""
    low, high = max(used[0] - 1, 0), min(used[-1] + 2, len(counts))
    shown = counts[low:high]
    most = max(shown)
    step = (_WIDE - _LEFT - _RIGHT) / len(shown)
    floor = _HIGH - _BELOW
    parts = [_grid(most, floor)]
    for k, count in enumerate(shown, low):
        x = _LEFT + (k - low) * step
        tall = (floor - _ABOVE) * count / most
        if count:
            tall = max(tall, 1.5)
            parts.append(
                f'<rect class="share" x="{x + 1:.1f}" y="{floor - tall:.1f}" width="{max(step - 2, 1):.1f}" height="{tall:.1f}"'
                f' rx="1"><title>{_range(k)}: {count:,}</title></rect>'
            )
        if k < len(BOUNDS) and (BOUNDS[k].bit_length() - 1) % _EACH == 0:
            parts.append(f'<text x="{x + step:.1f}" y="{_HIGH - 8}" text-anchor="middle">{unit(BOUNDS[k])}</text>')
    return f'<svg class="chart" viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="Number of models by size">{"".join(parts)}</svg>\n'


def _grid(most: int, floor: int) -> str:
    lines = []
    for part in (0.0, 0.5, 1.0):
        if part == 0.5 and most < 4:
            continue
        y = floor - (floor - _ABOVE) * part
        lines.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{round(most * part):,}</text>'
        )
    return "".join(lines)


def _range(k: int) -> str:
    if k == 0:
        return f"less than {unit(BOUNDS[0])}"
    return f"{unit(BOUNDS[-1])} and more" if k == len(BOUNDS) else f"{unit(BOUNDS[k - 1])} to {unit(BOUNDS[k])}"


def unit(bound: int) -> str:
    power = (bound.bit_length() - 1) // 10
    return f"{bound >> 10 * power} {_UNITS[power]}"
