"""Slices of Loop and TensorIterator: whether they match the body and each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.port_maps import MapEntry, PortMap
from irlint.formats.openvino.rules import error_if
from irlint.graph import Shape
from irlint.text.numbers import integer
from irlint.text.words import count

Measure = Callable[[MapEntry], "Shape | None"]
Turns = tuple[int, MapEntry]  # how often an entry makes the body run


class Slices:
    """The slices of one port map. `outer` and `inner` return the shape of what an entry names outside and inside the body."""

    def __init__(self, mapped: PortMap, outer: Measure, inner: Measure) -> None:
        self.mapped, self.outer, self.inner = mapped, outer, inner
        self.is_loop = mapped.node.op == "Loop"

    def problems(self) -> Iterator[Problem]:
        """Check each entry against the body, then the numbers of iterations against each other."""
        sound = []
        inputs = [entry for entry in self.mapped.inputs if (entry.axis or "-").isdecimal()]
        once = any(self._turns(entry, _space(self.outer(entry), entry)) == 1 for entry in inputs)
        for entry in self.mapped.entries:
            if entry.axis is not None and entry.axis.lstrip("-").isdecimal():
                faults = list(self._entry(entry, once))
                yield from faults
                if all(fault.severity == Severity.WARNING and entry.number("part_size") for fault in faults):
                    sound.append(entry)
        yield from self._iterations(sound)

    def _iterations(self, sound: list[MapEntry]) -> Iterator[Problem]:
        joined = [entry for entry in sound if entry.side == "output" and not self.is_loop]
        turns: list[Turns] = []
        for entry in (entry for entry in sound if entry.side == "input"):
            made = self._input_turns(entry, bool(joined))
            if isinstance(made, Problem):
                yield made
            if not isinstance(made, int):
                return
            turns.append((made, entry))
        for entry in joined if turns else ():
            made = self._joined_turns(entry, turns[0][0])
            if isinstance(made, Problem):
                yield made
            elif made is not None:
                turns.append((made, entry))
        yield from self._disagreeing(turns)

    def _input_turns(self, entry: MapEntry, is_joined: bool) -> int | Problem | None:
        space = _space(self.outer(entry), entry)
        made = self._turns(entry, space)
        if space is None or not isinstance(made, int):
            return made
        counted = _as_counted(entry, space) if is_joined else None  # which decides the size of what is joined
        if counted is None or counted == made:
            return made
        message = f"the OpenVINO reader infers {count(counted, 'iteration')} of {self.mapped.who} from this slice,"
        return self.mapped.problem(entry.place(entry.unusual), f"{message} the plug-in {made:,}")

    def _joined_turns(self, entry: MapEntry, expected: int) -> int | Problem | None:
        if _space(self.inner(entry), entry) is None:
            return None
        return self._turns(entry, expected * abs(entry.number("part_size") or 1))

    def _disagreeing(self, turns: list[Turns]) -> Iterator[Problem]:
        odd = next((one for one in turns if one[0] != turns[0][0]), None)
        if odd is None:
            return
        wrong, other = odd, turns[0]
        if other[1].unusual != "tag" and wrong[1].unusual == "tag":
            wrong, other = other, wrong
        expected, entry = count(other[0], "iteration"), wrong[1]
        message = f"expected {expected} of {self.mapped.who} from this port map entry, got {wrong[0]:,}"
        related = [(f"{expected} from this entry", other[1].place())]
        yield self.mapped.problem(entry.place(entry.unusual), message, related=related)

    def _entry(self, entry: MapEntry, once: bool) -> Iterator[Problem]:
        """Check one entry with an axis.

        With `once` the loop has a single iteration and is inlined, whatever the stride.
        """
        is_joined_by_loop = self.is_loop and entry.side == "output"
        steps = {name: entry.number(name) for name in ("stride", "part_size")}
        # OpenVINO 2026.4.1: part_size 0 and, in an output of Loop, stride 0 end the process (SIGFPE)
        zero = next((name for name, value in steps.items() if value == 0), None)
        if zero is not None:
            message = f"expected a non-zero `{zero}` in the port map of {self.mapped.who}, got `0`"
            severity = error_if(zero == "stride" or not is_joined_by_loop)
            yield self.mapped.problem(entry.place(f"@{zero}"), message, severity=severity)
        elif steps["stride"] is not None and steps["part_size"] is not None:
            size = None if is_joined_by_loop else steps["part_size"]
            yield from self._axis(entry) or self._size(entry, abs(steps["stride"]), size, once)

    def _axis(self, entry: MapEntry) -> list[Problem]:
        axis, shape = integer(entry.axis or "0"), self.outer(entry) if entry.side == "input" else self.inner(entry)
        most = None if shape is None else max(len(shape), int(entry.side == "output"))
        message = ""
        if axis < 0:
            message = f"expected a non-negative `axis` in the port map of {self.mapped.who}, got `{axis}`"
        elif most is not None and axis >= most:
            from irlint.dryrun.dims import show

            message = f"axis {axis} in the port map of {self.mapped.who} is out of range for {show(shape)}"
        return [self.mapped.problem(entry.place("@axis"), message)] if message else []

    def _size(self, entry: MapEntry, stride: int, size: int | None, once: bool) -> Iterator[Problem]:
        if size not in (None, stride):
            message = (
                f"expected {stride} (from `stride`) for `part_size` in the port map of {self.mapped.who}, got `{size}`"
            )
            yield self.mapped.problem(entry.place("@part_size"), message, severity=error_if(not once))
            return
        length = _space(self.inner(entry), entry) if entry.side == "output" else None
        if length not in (None, stride):
            part = "@stride" if entry.element.get("stride") not in (None, "1") else "@axis"
            axis = integer(entry.axis or "0")
            message = f"expected size {stride} on axis {axis} of a body output of {self.mapped.who}, got {length}"
            yield self.mapped.problem(entry.place(part), message)

    def _turns(self, entry: MapEntry, space: int | None) -> int | Problem | None:
        """Return the number of iterations over a static dimension, or a problem."""
        start, end, stride = (entry.number(name) for name in ("start", "end", "stride"))
        if space is None or space < 0 or start is None or end is None or not stride:
            return None
        start, end = (value + space + 1 if value < 0 else value for value in (start, end))
        low, high = (start, end) if stride > 0 else (end, start)
        step, message = abs(stride), ""
        if not 0 <= low < high <= space or high - low < step:
            message = (
                f"slicing from {start} to {end} by {stride} in {self.mapped.who} does not fit a dimension of {space}"
            )
        # OpenVINO 2026.4.1 reads it; the CPU plug-in: length (4) is not divisible by step (3)
        elif (high - low) % step:
            message = f"expected a multiple of {step} for the sliced length in {self.mapped.who}, got {high - low}"
        return self.mapped.problem(entry.place(entry.unusual), message) if message else (high - low) // step


def _as_counted(entry: MapEntry, space: int) -> int | None:
    """Return the number of iterations that the reader infers from an entry."""
    start, end, size = (entry.number(name) for name in ("start", "end", "part_size"))
    if start is None or end is None or not size:
        return None
    start, end = (value + space if value < 0 else value for value in (start, end))
    return abs(end - start) // abs(size) + 1


def _space(shape: Shape | None, entry: MapEntry) -> int | None:
    """Return the length of the axis that is sliced or concatenated."""
    axis = integer(entry.axis or "0")
    dim = shape[axis] if shape is not None and axis < len(shape) else None
    return dim if isinstance(dim, int) else None
