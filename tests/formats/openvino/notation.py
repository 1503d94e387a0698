"""IRs in a short notation, a line per layer, with ports that declare their types.

    x: f32[2,?]                                      a Parameter
    k: i64[2] = 1 2                                  a Const
    y: f32[2,4] = opset1.Concat(x, x) axis=1         an operation; `a: f32[2] | b: i64[2] = ...` has two outputs
    r: f32[2] = opset5.Loop(n, go, x) {              an operation with a body, up to a line `}`; If has `} else {`

Lines of a body after its layers are its port map: `in PORT NAME`, `out OUTPUT NAME`, `cond NAME`, `count NAME`, `back NAME NAME`, each with
attributes. What nothing reads becomes a Result.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

from .models import TYPES

PRECISIONS = {name: precision for precision, name in TYPES.items() if precision != "BIN"} | {
    "u4": "U4", "i4": "I4", "nf4": "NF4", "f8e4m3": "F8E4M3", "f8e5m2": "F8E5M2", "i16": "I16", "u16": "U16",
}  # fmt: skip
_CODES = {
    "f32": "f", "f16": "e", "f64": "d", "i64": "q", "i32": "i", "i16": "h", "i8": "b", "u8": "B", "u16": "H", "u32": "I", "u64": "Q",
    "boolean": "?",
}  # fmt: skip
_VALUE = re.compile(r"\s*(\w+): (\w+)\[([^\]]*)\]\s*")
_CALL = re.compile(r"(\w+)\.(\w+)\(([^)]*)\)\s*(.*?)\s*(\{?)$")
_SINKS = ("Assign",)


class Value(NamedTuple):
    name: str
    kind: str
    shape: str

    def port(self, number: int, named: bool = False) -> str:
        dims = "".join(f"<dim>{d if d.isdigit() else -1}</dim>" for d in self.shape.split(",") if d)
        names = f' names="{self.name}"' if named else ""
        return f'<port id="{number}" precision="{PRECISIONS[self.kind]}"{names}>{dims}</port>'


class Net:
    """What a text in the notation means: the layers of a graph and of its bodies, and the bytes of their constants."""

    def __init__(self, text: str, version: int = 11) -> None:
        self.data = b""
        self.calls: dict[str, list[Value]] = {}  # operations of the outermost graph
        self.parameters: dict[str, Value] = {}
        self.results: list[str] = []
        lines = iter(text.strip().splitlines())
        inside = self._graph(lines, outer=True)
        self.text = f'<?xml version="1.0"?>\n<net name="net" version="{version}">\n{inside}</net>\n'

    def _graph(self, lines: Iterator[str], outer: bool) -> str:
        graph = _Graph()
        for line in map(str.strip, lines):
            if line.startswith("}"):
                graph.end = line
                break
            if line.split(" ")[0] in ("in", "out", "cond", "count", "back"):
                graph.entry(line)
            elif line:
                self._layer(graph, line, lines, outer)
        if outer:
            for name in graph.unread():
                graph.result(name)
                self.results.append(name)
            return graph.text()
        self.map, self.back, self.end = graph.port_map, graph.back, graph.end
        return graph.text()

    def _layer(self, graph: _Graph, line: str, lines: Iterator[str], outer: bool) -> None:
        left, _, right = line.partition(" = ")
        values = [Value(*found.groups()) for found in map(_VALUE.fullmatch, left.split(" | ")) if found]
        first = values[0]
        if not right:
            graph.add(values, "Parameter", "opset1", f'shape="{first.shape}" element_type="{first.kind}"')
            if outer:
                self.parameters[first.name] = first
            return
        call = _CALL.fullmatch(right)
        if call is None:
            packed = _packed(first.kind, right)
            self.data += bytes(-len(self.data) % 8)
            attributes = (
                f'element_type="{first.kind}" shape="{first.shape}" offset="{len(self.data)}" size="{len(packed)}"'
            )
            self.data += packed
            graph.add(values, "Const", "opset1", attributes)
            return
        version, type_, inputs, words, opens = call.groups()
        sources = [name.strip() for name in inputs.split(",") if name.strip()]
        attributes = " ".join('{}="{}"'.format(*word.split("=", 1)) for word in words.split())
        graph.values.update({value.name: (len(graph.layers), len(sources) + k) for k, value in enumerate(values)})
        extra = self._bodies(type_, len(sources), values, lines) if opens else ""
        graph.add(values, type_, version, attributes, sources, extra)
        if outer:
            self.calls[first.name] = values

    def _bodies(self, type_: str, inputs: int, values: list[Value], lines: Iterator[str]) -> str:
        """Return the port maps and bodies of a layer."""
        tags, found = ("then_", "else_") if type_ == "If" else ("",), ""
        ports = {value.name: inputs + k for k, value in enumerate(values)}
        bodies = ""
        for tag in tags:
            inside = self._graph(lines, outer=False)
            entries = "".join(
                entry.format(**{f"port_{name}": port for name, port in ports.items()}) for entry in self.map
            )
            found += f"<{tag}port_map>{entries}</{tag}port_map>\n"
            back = f"<back_edges>{''.join(self.back)}</back_edges>\n" if self.back else ""
            bodies += f"{back}<{tag}body>\n{inside}</{tag}body>\n"
        return found + bodies


class _Graph:
    """The layers and edges of one graph."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.values: dict[str, tuple[int, int]] = {}  # names of values: layer and port
        self.types: dict[str, Value] = {}
        self.read: set[str] = set()
        self.made: dict[str, int] = {}  # values and the Results that they feed
        self.sinks: set[str] = set()
        self.port_map: list[str] = []
        self.back: list[str] = []
        self.end = ""

    def add(
        self,
        values: list[Value],
        type_: str,
        version: str,
        attributes: str,
        sources: list[str] | None = None,
        extra: str = "",
    ) -> int:
        number, sources = len(self.layers), sources or []
        for place, source in enumerate(sources):
            maker, port = self.values[source]
            self.edges.append(
                f'<edge from-layer="{maker}" from-port="{port}" to-layer="{number}" to-port="{place}"/>\n'
            )
        self.read.update(() if type_ in _SINKS else sources)
        self.values.update({value.name: (number, len(sources) + k) for k, value in enumerate(values)})
        self.types.update({value.name: value for value in values})
        if type_ in _SINKS:
            self.sinks.update(value.name for value in values)
        given = "".join(self.types[source].port(k) for k, source in enumerate(sources))
        made = "".join(value.port(len(sources) + k, len(values) > 1) for k, value in enumerate(values))
        name = values[0].name if values else f"result{number}"
        self.layers.append(
            f'<layer id="{number}" name="{name}" type="{type_}" version="{version}">\n'
            + (f"<data {attributes}/>\n" if attributes else "")
            + (f"<input>{given}</input>\n" if given else "")
            + (f"<output>{made}</output>\n" if made else "")
            + f"{extra}</layer>\n"
        )
        return number

    def result(self, name: str) -> int:
        if name not in self.made:
            self.made[name] = self.add([], "Result", "opset1", "", [name])
        return self.made[name]

    def unread(self) -> list[str]:
        return [name for name in self.values if name not in self.read and name not in self.sinks]

    def entry(self, line: str) -> None:
        """Read a line of the port map."""
        what, *words = line.split()
        attributes = "".join(' {}="{}"'.format(*word.split("=", 1)) for word in words if "=" in word)
        names = [word for word in words if "=" not in word]
        if what == "in":
            side, outside, inside = "input", names[0], self.values[names[1]][0]
        elif what == "out":
            side, outside, inside = "output", f"{{port_{names[0]}}}", self.result(names[1])
        elif what == "count":
            side, outside, inside = "input", "-1", self.values[names[0]][0]
            attributes += ' purpose="current_iteration"'
        elif what == "cond":
            side, outside, inside = "output", "-1", self.result(names[0])
            attributes += ' purpose="execution_condition"'
        else:
            source, target = self.result(names[0]), self.values[names[1]][0]
            self.back.append(f'<edge from-layer="{source}" to-layer="{target}"/>')
            return
        self.port_map.append(f'<{side} external_port_id="{outside}" internal_layer_id="{inside}"{attributes}/>')

    def text(self) -> str:
        return f"<layers>\n{''.join(self.layers)}</layers>\n<edges>\n{''.join(self.edges)}</edges>\n"


def _packed(kind: str, words: str) -> bytes:
    """Return the bytes of a constant: numbers, `hex:` and digits, or words of a tensor of strings."""
    if words.startswith("hex:"):
        return bytes.fromhex(words[4:])
    if kind == "string":
        parts = [word.encode() for word in words.split()]
        ends = [0]
        for part in parts:
            ends.append(ends[-1] + len(part))
        return struct.pack(f"<{len(ends) + 1}i", len(parts), *ends) + b"".join(parts)
    numbers = [float(word) if kind[0] in "fb" else int(word) for word in words.split()]
    if kind == "bf16":
        return b"".join(struct.pack("<f", float(number))[2:] for number in numbers)
    return struct.pack(f"<{len(numbers)}{_CODES[kind]}", *numbers)
