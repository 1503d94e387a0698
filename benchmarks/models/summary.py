"""The judge's report: what is wrong by class, and ratios of time by family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median
from typing import Any

TOLERANCE = 1e-3  # of the largest magnitude of an output
NOISY = 4  # times the change by noise; noise is added once, rounding differs at every operator
LEAST = 0.003  # seconds of OpenVINO, below which no ratio is counted

Row = dict[str, Any]


def unequal(row: Row, key: str = "outputs") -> list[Any]:
    return [each for each in row.get(key, ()) if isinstance(each, str) or not each <= TOLERANCE]


def rule(row: Row) -> str:
    """Return why outputs differ for reasons outside irlint; empty if nothing explains it."""
    lowered = "plain" in row
    if lowered and not unequal(row, "plain"):
        return "kernels of low precision: equal without the runtime's LP_TRANSFORMS_MODE"
    found, noise = row["plain" if lowered else "outputs"], row["record"].get("noise", ())
    if len(found) == len(noise) and all(map(_explained, found, noise)):
        return "sensitive: OpenVINO's own result changes as much with 1e-6 of noise"
    if tied := row.get("ties"):
        name, number = max(tied.items(), key=lambda item: item[1])
        return f"ties: {name!r} chooses among candidates of which {number} equal their neighbour up to 1e-6"
    return ""


def _explained(difference: Any, noise: float | None) -> bool:
    """Return whether an output differs no more than noise of the last bits changes it, by and large."""
    if noise is None:
        return True
    return not isinstance(difference, str) and difference <= max(TOLERANCE, NOISY * noise)


def ratio(row: Row) -> float | None:
    theirs = row["record"].get("seconds")
    return row["seconds"] / theirs if theirs and "seconds" in row else None


def line(row: Row) -> str:
    """Return a model in one line."""
    parts = []
    if refused := row["record"].get("refused"):
        parts.append(f"OpenVINO refuses it ({refused})")
    for what in ("errors", "warnings"):
        if row.get(what):
            parts.append(f"{len(row[what])} {what}")
    if "failed" in row:
        parts.append(f"not run: {row['failed'].splitlines()[0]}")
    if bad := unequal(row):
        parts.append(f"unequal: {bad[0]}" + (f" ({reason})" if (reason := rule(row)) else ""))
    if (found := ratio(row)) is not None:
        parts.append(f"{1000 * row['seconds']:.1f} ms, {found:.1f}x, {row['most'][0][0] if row['most'] else '-'}")
    return f"{row['name']}: {'; '.join(parts) or 'read'}"


def text(rows: list[Row]) -> str:
    runs = [row for row in rows if not row["record"].get("refused")]
    lines = [f"\n{len(rows)} models, {len(runs)} of which OpenVINO runs; {_libraries(runs)}"]
    lines += _listed("Errors on models that run", ((r, r.get("errors") or []) for r in runs))
    lines += _listed("Warnings", ((r, r.get("warnings") or []) for r in rows))
    lines += _listed("Refused by OpenVINO, without an error", (
        (r, [f"{r['record']['refused']}: {r['record'].get('message', '')[-160:]}"])
        for r in rows if r["record"].get("refused") and not r.get("errors")
    ))  # fmt: skip
    lines += _listed("Not run", ((r, [r["failed"]] if "failed" in r else []) for r in runs))
    bad = [row for row in runs if unequal(row)]
    lines += _listed("Unequal", ((r, list(map(str, unequal(r)[:3]))) for r in bad if not rule(r)))
    lines += _listed("Unequal by rule", ((r, [rule(r)]) for r in bad if rule(r)))
    lines += _shapes(rows)
    lines += _memory(runs)
    return "\n".join([*lines, *_times(runs)])


def _libraries(runs: list[Row]) -> str:
    versions = sorted({str(row["record"].get("openvino")) for row in runs})
    sets = sorted({each for row in runs for each in row["record"].get("instructions", ())})
    return f"OpenVINO {', '.join(versions)}; instruction sets of its kernels: {', '.join(sets)}; {blas()}"


def blas() -> str:
    """Return NumPy's BLAS and the kernels that it has chosen for this processor."""
    import ctypes
    from pathlib import Path

    import numpy

    for path in (Path(numpy.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        library = ctypes.CDLL(str(path))
        for prefix in ("scipy_openblas_get_corename64_", "openblas_get_corename64_", "openblas_get_corename"):
            if (name := getattr(library, prefix, None)) is not None:
                name.restype = ctypes.c_char_p
                return f"NumPy {numpy.__version__}, OpenBLAS with kernels for {name().decode()}"
    return f"NumPy {numpy.__version__}"


def _listed(title: str, pairs: Iterable[tuple[Row, list[str]]]) -> list[str]:
    found = [(row["name"], texts) for row, texts in pairs if texts]
    lines = [f"\n{title}: {len(found)} models"]
    for name, texts in found:
        lines += [f"  {name}: {each[:300]}" for each in sorted(set(texts))[:4]]
    return lines


def _shapes(rows: list[Row]) -> list[str]:
    lines = []
    for key, title in (("types", "as read"), ("fixed", "with the shapes of the inputs")):
        counts: dict[str, int] = defaultdict(int)
        for row in rows:
            for verdict, number in row.get(key, {}).items():
                if verdict != "examples":
                    counts[verdict] += number
        told = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
        lines.append(f"\nTypes {title}: {told or 'none'}")
        for row in rows:
            examples = row.get(key, {}).get("examples", ())
            lines += [f"  {row['name']}: {text}" for text in examples if not text.startswith("finer")][:3]
    return lines


def _memory(rows: list[Row]) -> list[str]:
    over = [row for row in rows if row.get("peak", 0) > row.get("allowed", 0) > 0]
    lines = [f"\nPeak memory over 1.5 x (weights + live set + 256 MB): {len(over)} models"]
    return lines + [f"  {row['name']}: {row['peak'] >> 20} MB, {int(row['allowed']) >> 20} MB allowed" for row in over]


def _times(rows: list[Row]) -> list[str]:
    """Return the ratio to the runtime's time by family, for models that take it long enough."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if ratio(row) is not None and row["record"]["seconds"] >= LEAST:
            families[row["family"]].append(row)
    families["all"] = [row for found in families.values() for row in found]
    lines = [
        f"\nTime over OpenVINO's, one thread, models of at least {1000 * LEAST:.0f} ms",
        f"{'family':14} models median   p90    max  slowest, and where its time goes",
    ]
    for family, found in ((family, found) for family, found in families.items() if found):
        found.sort(key=_ratio)
        values = list(map(_ratio, found))
        p90 = values[min(len(values) - 1, int(0.9 * len(values)))]
        slow = found[-1]
        where = ", ".join(f"{op} {share:.0%} of {count}" for op, share, count in slow["most"][:3])
        lines.append(
            f"{family:14} {len(found):6} {median(values):6.1f} {p90:5.1f} {values[-1]:6.1f}  {slow['name']}: {where}"
        )
    return lines


def _ratio(row: Row) -> float:
    found = ratio(row)
    assert found is not None
    return found
