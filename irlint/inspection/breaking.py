"""What a new version of a model breaks for the programs that use it: that it loads, its interface, the numbers that it computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.codes import R, RuleRow
from irlint.dryrun.dims import bounds
from irlint.findings import Problem, Severity
from irlint.formats.base import Format, all_formats
from irlint.graph import Dim, Type
from irlint.inspection.interface import Interface, Matched, ModelEnd, interface, matched
from irlint.inspection.numerics import numeric_problems
from irlint.inspection.review.rerun.lengths import refused_lengths
from irlint.inspection.types import type_text
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.text.base import Place
from irlint.text.numbers import decimal

# From the worst on, each with the beginning of its rules' codes
LEVELS = {"loads": "B00", "interface": "B01", "numerics": "B02"}
_LOCATED = 100  # entries of versions and metadata


def _major(text: str) -> int | None:
    """Return the first number of a version, such as `13`, `opset13` or `1.9.1`."""
    first = text.rpartition(" ")[2].partition(".")[0]
    return decimal(first[len(first.rstrip("0123456789")) :], 9)


def level_of(code: str) -> str:
    """Return the level of a rule about what breaks."""
    return next(level for level, beginning in LEVELS.items() if code.startswith(beginning))


class VersionComparison:
    """The comparison of two versions of a model that have been read."""

    def __init__(self, old: Model, new: Model, called: str, settings: Settings) -> None:
        """`called` is the old version, as a reader knows it."""
        self.old, self.new, self.called, self.settings = old, new, called, settings
        self.notes: list[str] = []  # what is not compared, or not reported
        self._left = _LOCATED

    def problems(self) -> Iterator[Problem]:
        before, after = interface(self.old), interface(self.new)
        listed = matched(before.inputs, after.inputs)
        yield from self._inputs(before, after, listed)
        is_narrower = any(_differences(before.inputs[i].type, after.inputs[k].type) for i, k in listed.pairs)
        refused = [] if is_narrower else [*refused_lengths(self.old, self.new)]
        yield from refused
        yield from self._outputs(before, after, is_narrower or bool(refused))
        yield from self._states(before.states, after.states)
        if self.old.format == self.new.format:
            format_ = all_formats()[self.new.format]
            yield from self._versions(format_)
            yield from self._metadata(format_)
            if any(self.settings.wants(*row[:2]) for row in (R.changed_computation, R.changed_weights)):
                pairs = matched(before.outputs, after.outputs).pairs
                outputs = [(before.outputs[i].node, after.outputs[k].node) for i, k in pairs]
                self.notes = yield from numeric_problems(self.old, self.new, outputs, self.settings)

    def _versions(self, format_: Format) -> Iterator[Problem]:
        before, after = (
            [*format_.versions(model), *(row for row in format_.facts(model) if row[0] in format_.own_versions)]
            for model in (self.old, self.new)
        )
        known, idle = dict(before), format_.idle_versions(self.new)
        for word, version in after:
            if word in idle:
                continue
            was, is_ = (_major(text) for text in (known.get(word, ""), version))
            if word not in known:
                message = f"the model now needs {word} {version}"
            elif was is not None and is_ is not None and is_ > was:
                message = f"{word} was raised from {known[word]} to {version}: older runtimes do not load the model"
            else:
                continue
            yield Problem(R.newer_runtime_needed, self._entry_place(format_, "", word), message, word)

    def _inputs(self, before: Interface, after: Interface, listed: Matched) -> Iterator[Problem]:
        old, new = ([*ends.inputs, *ends.defaults] for ends in (before, after))
        found = matched(old, new)
        yield from self._ends("input", R.removed_input, old, new, found)
        gained = sorted([*found.added, *(k for i, k in found.pairs if not old[i].needed)])
        for port in [new[k] for k in gained if new[k].needed]:
            words = f"input {port.name!r} ({_said(port.type)}) is now required"
            yield Problem(R.new_required_input, port.place, words, port.name)
        optional = [k for k in listed.added if not after.inputs[k].needed]
        yield from self._order("input", after.inputs, listed.pairs, optional)

    def _outputs(self, before: Interface, after: Interface, follows: bool) -> Iterator[Problem]:
        found = matched(before.outputs, after.outputs)
        yield from self._ends("output", R.removed_output, before.outputs, after.outputs, found, follows)
        yield from self._order("output", after.outputs, found.pairs, found.added)

    def _ends(
        self,
        kind: str,
        rule: RuleRow,
        old: Sequence[ModelEnd],
        new: Sequence[ModelEnd],
        found: Matched,
        follows: bool = False,
    ) -> Iterator[Problem]:
        """Report what was removed, renamed, or has another type. `follows`: what is narrower may be a consequence of the inputs."""
        for k in found.removed:
            severity = None if old[k].needed else Severity.WARNING
            yield self._gone(
                rule, f"{kind} {old[k].name!r} was removed", old[k], self._expected(kind, new, k), severity
            )
        for i, k in found.pairs:
            yield from self._names(kind, rule, old[i], new[k])
            yield from self._types(kind, old[i], new[k], follows)

    def _states(self, old: Sequence[ModelEnd], new: Sequence[ModelEnd]) -> Iterator[Problem]:
        known = {port.name: port for port in new}
        for k, port in enumerate(old):
            now = known.pop(port.name, None)
            if now is None:
                yield self._gone(
                    R.changed_state, f"state {port.name!r} was removed", port, self._expected("state", new, k)
                )
            elif difference := _differences(port.type, now.type):
                words = f"state {port.name!r}: expected {_said(port.type)}, got {_said(now.type)}{difference[1]}"
                yield self._gone(R.changed_state, words, port, now.place)
        for port in known.values():
            words = f"new state {port.name!r}: programs that do not reset it between sequences get other results"
            yield Problem(R.changed_state, port.place, words, port.name, severity=Severity.WARNING)

    def _metadata(self, format_: Format) -> Iterator[Problem]:
        was, is_ = format_.metadata(self.old), format_.metadata(self.new)
        for section, entries in was.items():
            for key, value in entries.items():
                now = is_.get(section, {}).get(key)
                if now == value or {section.lower(), key.lower()} & format_.provenance:
                    continue
                name = f"{section}.{key}" if section else key
                at = self._entry_place(format_, section, key) if now is not None else Place(())
                change = "was removed" if now is None else f"was `{_brief(value)}`, and is `{_brief(now)}`"
                severity = Severity.INFO if now is not None and key.lower() not in _READ else None
                words = f"metadata `{name}` {change}"
                yield Problem(R.changed_metadata, at, words, name, severity=severity)

    def _entry_place(self, format_: Format, section: str, key: str) -> Place:
        """Return where an entry of the new file is. Only some are looked up, because each lookup takes as long as the file is."""
        self._left -= 1
        return (format_.metadata_place(self.new, section, key) if self._left >= 0 else None) or Place(())

    def _expected(self, kind: str, ports: Sequence[ModelEnd], position: int) -> Place:
        """Return where something that is gone would be: at what has its place in the list now, even if that is not defined."""
        graph = self.new.graph
        if kind == "output" and position < len(graph.outputs) and graph.outputs[position][0] < 0:
            return graph.locate_output(position)
        return ports[min(position, len(ports) - 1)].place if ports else Place(())

    def _gone(
        self, rule: RuleRow, message: str, port: ModelEnd, at: Place, severity: Severity | None = None
    ) -> Problem:
        """Return a problem with a note of where the old model has what it is about."""
        start = self.old.document.lines.position(self.old.document.span(port.place).start)
        note = f"it was {_said(port.type)} at {self.called}:{start.line}:{start.column}"
        return Problem(rule, at, message, port.name, related=[(note, at)], severity=severity)

    def _names(self, kind: str, rule: RuleRow, old: ModelEnd, new: ModelEnd) -> Iterator[Problem]:
        is_nameless = (
            kind == "input" and old.is_named and not new.is_named
        )  # a Result may name an output by an attribute
        kept = () if is_nameless else {*new.names}
        lost = [name for name in old.names if name not in kept]
        if not lost:
            return
        is_refused = old.is_named and old.needed and (new.is_named or is_nameless)
        is_renamed = not is_nameless and len(lost) == len(old.names)
        change = f"was renamed to {new.name!r}" if is_renamed else f"lost its name {lost[0]!r}"
        words = f"{kind} {old.name!r} {change}"
        yield self._gone(
            rule, words, old._replace(names=(lost[0],)), new.place, None if is_refused else Severity.WARNING
        )

    def _types(self, kind: str, old: ModelEnd, new: ModelEnd, follows: bool) -> Iterator[Problem]:
        found = _differences(old.type, new.type)
        if found is None:
            return
        rule, why, is_narrower = found
        if is_narrower and follows:
            return
        is_output = is_narrower and kind == "output"
        if is_output and not any(isinstance(dim, int) for dim in _narrower(old.type, new.type).values()):
            return  # programs that take any length take those of a range
        why = why.replace("no longer accepts every length", "has fewer lengths") if is_output else why
        severity = Severity.WARNING if is_output else None
        words = f"{kind} {old.name!r}: expected {_said(old.type)}, got {_said(new.type)}{why}"
        yield self._gone(rule, words, old, new.place, severity)

    def _order(
        self, kind: str, new: Sequence[ModelEnd], pairs: Sequence[tuple[int, int]], added: Sequence[int]
    ) -> Iterator[Problem]:
        """Report ports that have another position, unless what was removed or is required is reported, which moves them."""
        ends = [k for _, k in pairs]
        if (at := next((n for n in range(1, len(ends)) if ends[n] < ends[n - 1]), None)) is not None:
            first, second = new[ends[at]], new[ends[at - 1]]
            words = f"{kind} {first.name!r} now comes before {second.name!r}: programs that go by position mix them up"
            yield Problem(R.changed_order, first.place, words, first.name)
        elif ends and (ahead := [k for k in added if k < max(ends)]):
            port = new[ahead[0]]
            words = f"new {kind} {port.name!r} comes before {new[max(ends)].name!r}, which has another position now"
            yield Problem(R.changed_order, port.place, words, port.name)


# Entries of metadata that programs are known to read, to prepare inputs or to name results
_READ = frozenset((
    "names", "classes", "labels", "class_names", "label_names", "label_ids", "id2label", "label2id", "stride",
    "imgsz", "image_size", "input_size", "task", "model_type", "resize_type", "pad_value", "mean", "std", "scale",
    "mean_values", "scale_values", "reverse_input_channels", "confidence_threshold", "iou_threshold", "anchors",
    "kpt_shape", "nms", "multilabel", "tile_size", "vocab",
))  # fmt: skip
Differs = tuple[RuleRow, str, bool]  # the rule, why it breaks, and whether the new type only allows less


def _differences(old: Type, new: Type) -> Differs | None:
    """Return what breaks where a value has another type; None if all that was valid still is."""
    if None not in (old.dtype, new.dtype) and old.dtype != new.dtype:
        return R.changed_dtype, "", False
    if old.shape is None or new.shape is None:
        return None
    if len(old.shape) != len(new.shape):
        return R.narrowed_shape, "", False
    if not (axes := [*_narrower(old, new)]):
        return None
    if any(isinstance(old.shape[k], int) for k in axes):
        return R.narrowed_shape, "", False
    return R.narrowed_shape, f"; dimension {axes[0]} no longer accepts every length", True


def _narrower(old: Type, new: Type) -> dict[int, Dim]:
    """Return the dimensions of a new shape, by axis, that do not allow all lengths of the old one."""
    pairs = zip(old.shape or (), new.shape or (), strict=False)
    return {k: now for k, (was, now) in enumerate(pairs) if not _holds(now, was)}


def _holds(new: Dim, old: Dim) -> bool:
    """Return whether a dimension allows all lengths that another did."""
    (low, high), (old_low, old_high) = bounds(new), bounds(old)
    return low <= max(old_low, 1) and (high is None or (old_high is not None and old_high <= high))


def _said(type_: Type) -> str:
    return type_text(type_) or "of unknown type"


def _brief(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
