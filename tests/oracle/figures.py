"""Figures of judged mutants, as text."""

from __future__ import annotations

from collections import defaultdict

from oracle.rows import MODES, Row


def figures(found: list[Row]) -> dict[str, float]:
    rejected = [row for row in found if row.is_rejected]
    accepted = [row for row in found if not row.is_rejected]
    seen = [row for row in rejected if row.errors and row.case.line]
    numbers: dict[str, float] = {
        "files": len(found),
        "rejected": len(rejected),
        "missed": sum(row.is_missed for row in found),
        "recall %": _share(sum(bool(row.errors) for row in rejected), len(rejected)),
        "accepted": len(accepted),
        "same as base": sum(row.is_same for row in found),
        "false errors": sum(row.is_false for row in found),
        "false, same": sum(row.is_false and row.is_same for row in found),
        "line %": _share(sum(row.is_on_line for row in seen), len(seen)),
        "node %": _share(sum(row.is_in_node for row in seen), len(seen)),
    }
    for mode in MODES:
        numbers[f"{mode}: loads %"] = _share(sum(row.loads_after(mode) for row in rejected), len(rejected))
        numbers[f"{mode}: original %"] = _share(sum(row.is_restored(mode) for row in rejected), len(rejected))
        numbers[f"{mode}: harmed"] = sum(row.is_harmed(mode) for row in found)
        for grade in ("safe", "proven"):
            numbers[f"{mode}: wrong {grade}"] = sum(row.is_wrong(mode, grade) for row in found)
    numbers["fails"] = sum("failure" in row.said for row in found)
    return numbers


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def table(found: list[Row]) -> str:
    """Figures of each group of families, and of all."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        if row.case.family:
            groups["all mutants"].append(row)
            groups[row.case.family.partition(" ")[0]].append(row)
            if row.is_rejected:
                groups[f"rejected at {row.verdict.stage}"].append(row)
        else:
            groups["bases"].append(row)
    columns = {name: figures(group) for name, group in sorted(groups.items())}
    names = list(next(iter(columns.values())))
    lines = [f"{'':20}" + "".join(f"{name:>20}" for name in columns)]
    lines += [f"{name:20}" + "".join(f"{column[name]:20g}" for column in columns.values()) for name in names]
    return "\n".join(lines)


HEAD = (
    f"{'':34}{'':>9}{'':>8}{'with':>7}{'on':>6}{'--fix':>14}{'':>6}{'--unsafe-fixes':>14}\n"
    f"{'family':34}{'rejected':>9}{'missed':>8}{'error':>7}{'line':>6}{'loads':>8}{'orig.':>6}{'loads':>8}{'orig.':>6}"
    f"{'harmed':>8}{'accepted':>10}{'false':>7}"
)


def families(found: list[Row]) -> str:
    """A line for each family of mutants; a line for each kind, for legal words and for all."""
    mutants = [row for row in found if row.case.family]
    groups: dict[str, list[Row]] = defaultdict(list)
    totals: dict[str, list[Row]] = defaultdict(list)
    for row in mutants:
        groups[row.case.family].append(row)
        totals[f"all {row.case.family.partition(' ')[0]}"].append(row)
    lines = [_line(family, group) for family, group in sorted(groups.items(), key=lambda pair: _order(pair[1]))]
    lines += ["", *(_line(name, group) for name, group in sorted(totals.items())), _line("all", mutants)]
    return "\n".join([HEAD, *lines, "", _recall("all words", mutants), _recall("legal words", totals["all legal"])])


def _order(group: list[Row]) -> tuple[str, int, str]:
    kind = group[0].case.family.partition(" ")[0]
    return kind, -sum(row.is_rejected for row in group), group[0].case.family


def _line(name: str, group: list[Row]) -> str:
    """`on line` is out of the rejected files with an error whose defect has a line; `harmed` is by either mode."""
    rejected = [row for row in group if row.is_rejected]
    seen = [row for row in rejected if row.errors and row.case.line]
    numbers = [
        sum(test(row, mode) for row in rejected) for mode in MODES for test in (Row.loads_after, Row.is_restored)
    ]
    harmed = sum(any(row.is_harmed(mode) for mode in MODES) for row in group)
    false = sum(row.is_false for row in group)
    return (
        f"{name:34}{len(rejected):9}{sum(row.is_missed for row in group):8}{len(seen):7}{sum(row.is_on_line for row in seen):6}"
        f"{numbers[0]:8}{numbers[1]:6}{numbers[2]:8}{numbers[3]:6}{harmed:8}{len(group) - len(rejected):10}{false:7}"
    )


def _recall(name: str, group: list[Row]) -> str:
    rejected = [row for row in group if row.is_rejected]
    seen = sum(bool(row.errors) for row in rejected)
    return f"recall, {name}: {_share(seen, len(rejected))} % ({seen} of {len(rejected)} rejected files)"
