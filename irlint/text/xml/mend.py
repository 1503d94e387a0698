"""Repairs of broken markup: of all candidates at a place, the one after which the text is readable and fits best."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Literal

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span, Trouble, apply
from irlint.text.edited import EditedText
from irlint.text.xml.grammar import ElementKind
from irlint.text.xml.mended import mended_root
from irlint.text.xml.names import named
from irlint.text.xml.parse import Shortcut
from irlint.text.xml.scan import NONE, TAG, MarkupError, MarkupScan, OpenElement, XmlMisfit
from irlint.text.xml.signs import MarkupRepair, signs
from irlint.text.xml.tags import comments, cut_off, end_tags, odd_ends, odd_places, stray
from irlint.text.xml.tree import Element

MOST = 10  # faults that are repaired in one file
_AHEAD = 6000  # characters after a fault that have to be sound with a repair
_BACK = 20_000  # characters between a fault and the misfit that it may come from
_REGION = 1500  # characters of a tag that are searched for repairs
_DEPTH = 100  # open elements
_CELLS = 8  # open elements whose misfits are looked at
_BUDGET = 4_000_000  # characters that may be read in all searches of one file
_RIVALS = 8  # repairs that are kept to be compared
_TRIAL = 400  # characters that could be read instead of beginning a trial
_CLEAR = 300  # characters that must be right after a fault before a repair of it is safe
MANY = 1 << 30
_SAFETY: tuple[Literal["unsafe"], Literal["safe"]] = ("unsafe", "safe")


class MendedMarkup(NamedTuple):
    """The errors in the markup, and the edits after which the text is readable, if there are any."""

    troubles: list[Trouble]
    edits: list[Edit] | None


class TriedRepair(NamedTuple):
    """A repair, and how far the text is readable with it."""

    repair: MarkupRepair
    reach: float
    misfits: int
    unusual: int
    scan: MarkupScan
    piece: EditedPart

    @property
    def rank(self) -> tuple[float, int, int]:
        return -self.reach, self.misfits, self.unusual


class SearchBudget:
    """The remaining budget of searches in a file, in characters rather than time, so that results are reproducible."""

    def __init__(self) -> None:
        self.left = _BUDGET

    def pay(self, cost: int) -> None:
        self.left -= cost


class EditedPart:
    """A part of a text after edits."""

    def __init__(self, text: str, start: int, end: int, edits: Sequence[Edit]) -> None:
        moved = [Edit(Span(span.start - start, span.end - start), new) for span, new in edits]
        self.text = apply(text[start:end], moved)
        self.back = EditedText(edits, start).back


def mend(text: str, document: ElementKind, shortcuts: Mapping[str, Shortcut]) -> MendedMarkup:
    """Return the troubles of a text whose markup is broken, with their repairs as far as there are any."""
    troubles: list[Trouble] = []
    edits: list[Edit] = []
    purse = SearchBudget()
    scan = MarkupScan(text, int(text.startswith("\ufeff")), OpenElement(None, "", document, 0, 0), shortcuts=shortcuts)
    for _ in range(MOST):
        scan.run()
        if scan.fault is None:
            return MendedMarkup(troubles, sorted(edits))
        best = _best(text, scan, purse)
        if best is None:
            lost = [] if troubles else _lost(text, scan.fault)
            return MendedMarkup(troubles + lost, None)
        troubles.append(_trouble(text, scan.fault, best))
        edits += best[0].repair.edits
        scan = _resumed(text, best[0], shortcuts)
    return MendedMarkup(troubles, None)


def _best(text: str, scan: MarkupScan, purse: SearchBudget) -> tuple[TriedRepair, bool] | None:
    """Return the best repair of a fault: near it, else at the first misfit of an open element far before it."""
    fault = scan.fault
    assert fault is not None
    if fault.top.depth > _DEPTH:
        return None
    far = [(odd, cell) for cell in fault.top.outwards() for odd in cell.odd[:1] if fault.at - odd.at > _BACK]
    for odd, cell in sorted(far, key=lambda pair: pair[0].at)[:_CELLS]:
        found = _MarkupSearch(
            text, MarkupError("odd", odd.at, odd.end, cell), purse, scan.misfits, is_far=True
        ).choice()
        if found is not None:
            return found
    return _MarkupSearch(text, fault, purse, scan.misfits).choice()


def _resumed(text: str, tried: TriedRepair, shortcuts: Mapping[str, Shortcut]) -> MarkupScan:
    back, old = tried.piece.back, tried.scan
    scan = MarkupScan(text, back(old.fault.at if old.fault else old.at), old.top.copied(back), shortcuts=shortcuts)
    scan.previous = back(old.fault.previous if old.fault else old.previous)
    return scan


def _trouble(text: str, fault: MarkupError, best: tuple[TriedRepair, bool]) -> Trouble:
    (tried, *_), is_safe = best
    repair, safety = named(text, tried, fault), _SAFETY[is_safe]
    return Trouble(repair.rule, repair.span, repair.message, repair.related, lambda: repair.edits, repair.title, safety)


def _lost(text: str, fault: MarkupError) -> list[Trouble]:
    """Report a start tag that no repair can restore, where its content begins."""
    found = TAG.match(text, fault.at)
    if fault.what != "end" or found is None or fault.top.holds(found["close"]) or not fault.top.odd:
        return []
    odd = fault.top.odd[0]
    if fault.at - odd.at > _BACK:
        return []
    related = [("closed here", Span(*found.span()))]
    shown = TAG.match(text, odd.at)
    span = Span(odd.at, shown.end() if shown else odd.at + 1)
    return [Trouble(R.syntax_error, span, f"missing start tag `<{found['close']} ...>`", related)]


class _MarkupSearch:
    """The search for the repair of one fault, or of a misfit that causes a fault far after it."""

    def __init__(
        self, text: str, fault: MarkupError, purse: SearchBudget, misfits: int = 0, is_far: bool = False
    ) -> None:
        self.text, self.fault, self.purse, self.is_far = text, fault, purse, is_far
        self.end = _tag_after(text, fault.at + _AHEAD)
        self.starts: list[tuple[int, OpenElement]] = []
        self.tags: dict[int, bool] = {}  # which of these are where a tag begins, rather than where one ends
        self.prefixes: dict[int, MarkupScan] = {}
        self.misfits = misfits  # of all the text before the fault
        self.near = _tag_after(text, fault.at + _CLEAR)
        self.usual = self.allowed = 0
        self.best: dict[
            tuple[object, ...], TriedRepair
        ] = {}  # the best repairs, the cheapest for each text that they make

    def choice(self) -> tuple[TriedRepair, bool] | None:
        """Return the best repair that makes sense of the text after the fault, and whether it is safe."""
        if self.fault.top.depth > _DEPTH:
            return None
        repairs = list(self._repairs())
        self.starts.sort(key=lambda start: start[0])
        self.usual = self._usual()
        self.allowed = self.usual if self.misfits > self.usual else 0
        seen: set[tuple[Edit, ...]] = set()
        for repair in repairs:
            if repair.edits not in seen and self.purse.left > 0:
                seen.add(repair.edits)
                self._try(repair)
        if not self.best:
            return None
        best, *rivals = sorted(self.best.values(), key=_order)
        rivals = [other for other in rivals if other.repair.cost <= best.repair.cost + 1]
        is_far_enough = best.reach - self.fault.at >= _CLEAR
        return best, best.repair.is_safe and not rivals and is_far_enough and self.purse.left > 0

    def _usual(self) -> int:
        """Return the number of misfits of the original text, from the first place of a repair on."""
        start, top = self.starts[0]
        scan = MarkupScan(self.text, start, _bare(top, start), self.end if self.is_far else self.fault.at, is_cut=True)
        scan.run()
        return scan.misfits

    def _helps(self, tried: TriedRepair) -> bool:
        if self.is_far:
            return tried.reach == inf and tried.misfits < self.usual
        is_last = tried.scan.fault is not None and tried.scan.fault.what == "file"
        return tried.reach > self.fault.at + 1 and not is_last

    # -- what comes into question -------------------------------------------------------------------------------------

    def _repairs(self) -> Iterator[MarkupRepair]:
        text, fault = self.text, self.fault
        yield from self._signs(max(fault.previous, fault.at - _REGION), self._region(fault.at), fault.top)
        if fault.what == "end":
            yield from end_tags(text, fault)
            yield from self._around(fault.top, fault.top.last)
        elif fault.what == "file":
            yield from cut_off(text, fault)
            yield from odd_ends(text, fault.top)
            yield from self._around(fault.top, NONE)
        elif fault.what == "odd":
            yield from self._misfit(fault.top, fault.top.odd[0])
        else:
            yield from comments(text, fault.at)
            yield from stray(text, fault)
            yield from cut_off(text, fault)
        if not self.is_far:
            near = [(cell, odd) for cell in fault.top.outwards() for odd in cell.odd[:1] if fault.at - odd.at <= _BACK]
            for cell, odd in near[:_CELLS]:
                yield from self._misfit(cell, odd)

    def _misfit(self, cell: OpenElement, odd: XmlMisfit) -> Iterator[MarkupRepair]:
        yield from self._signs(max(odd.end, odd.at - _REGION), self._region(odd.at), cell)
        yield from odd_places(self.text, cell, odd)
        yield from comments(self.text, odd.at)
        yield from self._around(cell, odd.last)

    def _around(self, cell: OpenElement, last: int) -> Iterator[MarkupRepair]:
        """Yield repairs in the start tags of an element and of its last child."""
        if cell.outer is not None and self.fault.at - cell.start <= _BACK:
            yield from self._signs(cell.start, cell.end, cell.outer, is_tag=True)
        if last != NONE and self.fault.at - last <= _BACK and (found := TAG.match(self.text, last)):
            yield from self._signs(last, found.end(), cell, is_tag=True)

    def _signs(self, start: int, end: int, top: OpenElement, is_tag: bool = False) -> Iterator[MarkupRepair]:
        self.starts.append((start, top))
        self.tags[start] = is_tag and self.tags.get(start, True)
        yield from signs(self.text, start, end)

    def _region(self, at: int) -> int:
        """Return the end of the tag that begins at an offset, or of the next one."""
        limit = min(at + _REGION, len(self.text))
        first = self.text.find(">", at, limit)
        second = self.text.find(">", first + 1, limit) if first >= 0 else -1
        return second + 1 if second >= 0 else first + 1 if first >= 0 else limit

    # -- trying -------------------------------------------------------------------------------------------------------

    def _try(self, repair: MarkupRepair) -> None:
        at = min(edit.span.start for edit in repair.edits)
        k = bisect_right(self.starts, at, key=lambda start: start[0]) - 1
        if k < 0:
            return
        prefix = self._prefix(self.starts[k][0])
        if prefix.fault is not None:
            return
        start = self.starts[k][0]
        piece = EditedPart(self.text, start, self.end, repair.edits)
        scan = MarkupScan(piece.text, 0, prefix.top.copied(lambda at: at - start), is_cut=self.end < len(self.text))
        scan.begins_at_tag = self.tags[start]
        scan.events = list(prefix.events or ())
        scan.misfits, scan.unusual = prefix.misfits, prefix.unusual
        runs = self._runs(scan, self._most(), self.near - start + len(piece.text) - (self.end - start))
        self.purse.pay(_TRIAL + scan.at)
        if runs:
            reach = inf if scan.fault is None else piece.back(scan.fault.at)
            self._note(TriedRepair(repair, reach, scan.misfits, scan.unusual, scan, piece), tuple(scan.events))

    def _most(self) -> int:
        """Return how many misfits are worth following."""
        return next((best.misfits for best in self.best.values() if best.reach == inf), MANY)

    def _note(self, tried: TriedRepair, events: tuple[object, ...]) -> None:
        """Keep a repair that is at least as good as the best."""
        if not self._helps(tried):
            return
        first = next(iter(self.best.values()), tried)
        if tried.rank < first.rank:
            self.best.clear()
        elif tried.rank > first.rank:
            return
        known = self.best.get(events)
        if known is None or tried.repair.cost < known.repair.cost:
            self.best[events] = tried
        if len(self.best) > _RIVALS:
            del self.best[max(self.best, key=lambda events: self.best[events].repair.cost)]

    def _runs(self, scan: MarkupScan, most: int, near: int) -> bool:
        """Return whether a repair is not worse than others, and fits around its place."""
        end, is_cut = scan.end, scan.is_cut
        if 0 < near < end:
            scan.end, scan.is_cut = near, True
            scan.run(most)
            scan.end, scan.is_cut, scan.is_over = end, is_cut, False
        if scan.misfits > min(most, self.allowed):
            return False
        scan.run(most)
        return scan.misfits <= most

    def _prefix(self, start: int) -> MarkupScan:
        """Return the text from the first place of a repair to another one."""
        if start not in self.prefixes:
            first, top = self.starts[0]
            scan = self.prefixes[start] = MarkupScan(self.text, first, _bare(top, first), start, is_cut=True)
            scan.ends_at_tag, scan.events = self.tags[start], []
            scan.run()
            self.purse.pay(start - first)
        return self.prefixes[start]


def _order(tried: TriedRepair) -> tuple[int, int]:
    """Return the cheapest of equally good repairs; insertions are preferred to removals."""
    return tried.repair.cost, sum(span.end - span.start for span, _ in tried.repair.edits)


def _tag_after(text: str, at: int) -> int:
    """Return where a tag begins after an offset, or the limit of the search."""
    limit = min(at + _AHEAD, len(text))
    found = text.find("<", at, limit)
    return limit if found < 0 else found


def _bare(top: OpenElement, at: int) -> OpenElement:
    """Return an open element as it was at an offset."""
    copy = top.copied()
    copy.odd = [odd for odd in copy.odd if odd.at < at]
    copy.last = NONE
    return copy


def mended(
    text: str, troubles: list[Trouble], grammar: Callable[[], ElementKind], shortcuts: Mapping[str, Shortcut]
) -> tuple[list[Trouble], Element | None]:
    """Return the troubles of a broken text, and its root as it is after their repairs, where they leave nothing broken.

    Of troubles other than with its markup, only those before it are left: the others may follow from it.
    """
    document = grammar()
    if not any(root in text for root in document.children or ()):
        return troubles, None  # nothing of the vocabulary is left to go by
    found = mend(text, document, shortcuts)
    if not found.troubles:
        return troubles, None
    first = min(trouble.span.start for trouble in found.troubles)
    others = [t for t in troubles if t.level is not None and t.span.start < first]
    root = mended_root(text, found.edits, shortcuts) if found.edits else None
    return sorted([*others, *found.troubles], key=lambda trouble: trouble.span), root
