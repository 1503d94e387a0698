"""The usual layout of layers and edges, as regular expressions that each match one whole layer or edge.

A match is well-formed and valid, so that its parts are not checked again; anything else is read as elements.
"""

from __future__ import annotations

import re
from functools import partial
from sys import intern

from irlint.formats.openvino.reading.layers import NO_PORTS, PRECISIONS, IrEdge, IrLayer, LayerPort, LayerPorts
from irlint.records import NamedTuple
from irlint.text.xml.parse import NAME, SPACE, VALUE, Shortcut
from irlint.text.xml.tree import Element, Record

_S = f"{SPACE}*"
_UINT = r'"(?:0|[1-9][0-9]{0,17})"'
_ATTRIBUTES = f"(?: {NAME}={VALUE})*"
_RT_INFO = f"<rt_info>{_S}(?:<attribute{_ATTRIBUTES} ?/>{_S})*</rt_info>{_S}"
_DIM = f"<dim>(?:-1|0|[1-9][0-9]{{0,17}})</dim>{_S}"
_PRECISION, _TENSORS = '(?: precision="[A-Z0-9]+")', f"(?: names={VALUE})"
_PORT = (
    f"<port id={_UINT}(?:{_PRECISION}{_TENSORS}?|{_TENSORS}{_PRECISION}?)? ?"
    f"(?:/>|>{_S}(?:{_DIM})*(?:{_RT_INFO})?</port>){_S}"
)
_LAYER, _RESULT, _END, _FROM = '<layer id="', ' output_names="', "</layer>", '<edge from-layer="'
_HEAD = re.compile(
    f'{_S}{_LAYER}(0|[1-9][0-9]{{0,17}})" name="({VALUE[1:-1]})" type="([A-Za-z0-9_]+)" version="([A-Za-z0-9_.]+)"'
    f'(?:{_RESULT}({VALUE[1:-1]})")?>{_S}'
    f"(?:<data({_ATTRIBUTES}) ?/>{_S})?"
    f"(?:<rt_info>{_S}((?:<attribute{_ATTRIBUTES} ?/>{_S})*)</rt_info>{_S})?"
)
_SIDES = re.compile(
    f"(?:<input>{_S}((?:{_PORT})*)</input>{_S})?"
    f"(?:<output>{_S}((?:{_PORT})*)</output>{_S})?"
)  # fmt: skip
_FAR = 1 << 13  # characters of ports that are worth a search for their end
_EDGE = re.compile(
    f'{_S}{_FROM}(0|[1-9][0-9]{{0,17}})" from-port="(0|[1-9][0-9]{{0,17}})"'
    ' to-layer="(0|[1-9][0-9]{0,17})" to-port="(0|[1-9][0-9]{0,17})" ?/>'
)
_PLAIN = re.compile(VALUE[1:-1])
_PAIR = re.compile(f' ({NAME})="([^"]*)"')
_PORT_PARTS = re.compile(f'<port id="([0-9]+)"(?: precision="([A-Z0-9]+)")? ?(?:/>|>{_S}((?:{_DIM})*))')
_DIM_VALUE = re.compile("<dim>([^<]*)</dim>")
_PRECISIONS = {None, *PRECISIONS}  # version 10 declares none at inputs
_NAMES = ' names="'

_layer = partial(tuple.__new__, IrLayer)  # the same as IrLayer(*given), in half the time
_edge = partial(tuple.__new__, IrEdge)
Children = list[Element | Record]


class LayerSides(NamedTuple):
    """The ports of a layer, and the tensor names of its outputs."""

    inputs: LayerPorts
    outputs: LayerPorts
    names: tuple[str | None, ...] | None


class LayoutReader:
    """A reader of regular layers; equal texts of attributes and ports are parsed once."""

    def __init__(self) -> None:
        self.data: dict[str, dict[str, str] | None] = {}
        self.keys: dict[
            tuple[str, ...], tuple[str, ...]
        ] = {}  # names of attributes, by what stands around their values
        self.regular: dict[tuple[str, ...], bool] = {}
        self.ports: dict[str | None, LayerPorts] = {None: NO_PORTS, "": NO_PORTS}
        self.sides: dict[str, LayerSides] = {}

    def layers(self, text: str, at: int, children: Children) -> int:
        match, append, known_data, known_sides = _HEAD.match, children.append, self.data, self.sides
        while (found := match(text, at)) is not None:
            number, name, type_, version, result, data, rt = found.groups()
            if (result is not None and type_ != "Result") or (rt and not self._is_regular(rt)):
                break
            if data is None:
                attributes = None
            elif (attributes := known_data.get(data)) is None:
                if (attributes := self._attributes(data)) is None:
                    break
                if type_ != "Const":
                    known_data[data] = attributes
            here = found.end()
            end = text.find(_END, here, here + _FAR)
            if end < 0:
                end = _SIDES.match(text, here).end()  # type: ignore[union-attr]
                if not text.startswith(_END, end):
                    break
            tail = text[here:end]
            sides = known_sides.get(tail) or self._sides(tail)
            if sides is None:
                break
            start, type_, version = found.start(1) - len(_LAYER), intern(type_), intern(version)
            inputs, outputs, names = sides
            rest = inputs, outputs, names, rt or "", None, result
            append(_layer((start, number, name, type_, version, attributes, *rest)))
            at = end + len(_END)
        return at

    def _is_regular(self, rt: str) -> bool:
        """Return whether no tag of an `<rt_info>` has a duplicate attribute, judged by the text around the values."""
        around = tuple(rt.split('"')[::2])
        if (found := self.regular.get(around)) is None:
            found = self.regular[around] = _regular(rt)
        return found

    def _attributes(self, data: str) -> dict[str, str] | None:
        words = data.split('"')
        around = tuple(words[::2])
        if (keys := self.keys.get(around)) is None:
            keys = self.keys[around] = tuple([word[1:-1] for word in around[:-1]])
        attributes = dict(zip(keys, words[1::2], strict=True))
        return attributes if len(attributes) == len(keys) else None

    def _sides(self, text: str) -> LayerSides | None:
        """Return the ports at the end of a layer; None if their layout is irregular."""
        before, mark, after = text.partition(_NAMES)
        if not mark:
            return self._known(text)
        if _NAMES in after:
            return self._parsed(text)
        name, _, after = after.partition('"')  # one name, as most layers have it: what stands around it is known
        found = self._known(f'{before}{_NAMES}"{after}') if _PLAIN.fullmatch(name) else None
        if found is None or found.names is None:
            return found
        return LayerSides(found.inputs, found.outputs, tuple([None if each is None else name for each in found.names]))

    def _known(self, text: str) -> LayerSides | None:
        found = self.sides.get(text)
        if found is None and (found := self._parsed(text)) is not None:
            self.sides[text] = found
        return found

    def _parsed(self, text: str) -> LayerSides | None:
        found = _SIDES.fullmatch(text)
        if found is None:
            return None
        inputs, outputs = found.groups()
        names = None
        if outputs is not None and _NAMES in outputs:
            outputs, names = _split_names(outputs)
        if inputs is not None and _NAMES in inputs:
            inputs = _split_names(inputs)[0]
        for side in (inputs, outputs):
            if side not in self.ports:
                if side and not _regular(side):
                    return None
                self.ports[side] = _ports(side)
        sides = LayerSides(self.ports[inputs], self.ports[outputs], names)
        known = all(port.precision in PRECISIONS for port in sides.outputs.ports)
        return sides if known and all(port.precision in _PRECISIONS for port in sides.inputs.ports) else None


def _regular(rt: str) -> bool:
    """Return whether no tag of an `<rt_info>` has a duplicate attribute."""
    return all(len(dict(pairs)) == len(pairs) for pairs in map(_PAIR.findall, rt.split("<")))


def _split_names(text: str) -> tuple[str, tuple[str | None, ...]]:
    """Return the text of ports without tensor names, and the names."""
    pieces = text.split("<port ")
    kept = [pieces[0]]
    names: list[str | None] = []
    for piece in pieces[1:]:
        before, mark, after = piece.partition(' names="')
        if not mark:
            kept.append(before)
            names.append(None)
            continue
        name, _, rest = after.partition('"')
        kept.append(before + rest)
        names.append(name)
    return "<port ".join(kept), tuple(names)


def _ports(text: str | None) -> LayerPorts:
    ports = [
        LayerPort(number, precision or None, tuple(map(int, _DIM_VALUE.findall(dims))))
        for number, precision, dims in _PORT_PARTS.findall(text or "")
    ]
    return LayerPorts(tuple(ports), "<rt_info" in (text or ""))


def edges(text: str, at: int, children: Children) -> int:
    match, append = _EDGE.match, children.append
    while (found := match(text, at)) is not None:
        from_layer, from_port, to_layer, to_port = found.groups()
        append(_edge((found.start(1) - len(_FROM), from_layer, from_port, to_layer, to_port)))
        at = found.end()
    return at


def shortcuts() -> dict[str, Shortcut]:
    """Return the shortcuts for one document, which share one Reader."""
    return {"layers/layer": LayoutReader().layers, "edges/edge": edges}
