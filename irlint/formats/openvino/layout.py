"""The layout in which every writer lays out layers and edges, as regular expressions that read one whole layer or edge each.

What matches is well-formed and fits the schema, so that nothing has to look at its parts again; what does not is read as elements.
"""

from __future__ import annotations

import re

from irlint.formats.openvino.layers import NO_PORTS, PRECISIONS, Edge, Layer, Port, Ports
from irlint.text.xml_parse import NAME, SPACE, VALUE, Shortcut

_S = f"{SPACE}*"
_UINT = r'"(?:0|[1-9][0-9]{0,17})"'
_ATTRIBUTES = f"(?: {NAME}={VALUE})*"
_RT_INFO = f"<rt_info>{_S}(?:<attribute{_ATTRIBUTES} ?/>{_S})*</rt_info>{_S}"
_DIM = f"<dim>(?:-1|0|[1-9][0-9]{{0,17}})</dim>{_S}"
_PRECISION = f' precision="(?:{"|".join(PRECISIONS)})"'
_REST = f"(?: names={VALUE})? ?(?:/>|>{_S}(?:{_DIM})*(?:{_RT_INFO})?</port>){_S}"
_INPUT = f"<port id={_UINT}(?:{_PRECISION})?{_REST}"
_OUTPUT = f"<port id={_UINT}{_PRECISION}{_REST}"
_LAYER = re.compile(
    f'<layer id="(0|[1-9][0-9]{{0,17}})" name=({VALUE}) type="([A-Za-z0-9_]+)" version="([A-Za-z0-9_.]+)"( output_names={VALUE})?>{_S}'
    f"(?:<data({_ATTRIBUTES}) ?/>{_S})?"
    f"(?:<rt_info>{_S}((?:<attribute{_ATTRIBUTES} ?/>{_S})*)</rt_info>{_S})?"
    f"(?:<input>{_S}((?:{_INPUT})*)</input>{_S})?"
    f"(?:<output>{_S}((?:{_OUTPUT})*)</output>{_S})?"
    f"</layer>{_S}"
)
_EDGE = re.compile(
    '<edge from-layer="(0|[1-9][0-9]{0,17})" from-port="(0|[1-9][0-9]{0,17})"'
    f' to-layer="(0|[1-9][0-9]{{0,17}})" to-port="(0|[1-9][0-9]{{0,17}})" ?/>{_S}'
)
_PAIR = re.compile(f' ({NAME})="([^"]*)"')
_PORT_HEAD = re.compile(r'<port id="([0-9]+)"(?: precision="([A-Z0-9]+)")?')
_DIM_VALUE = re.compile("<dim>([^<]*)</dim>")


class Reader:
    """Reads regular layers; equal texts of attributes and ports are looked at once."""

    def __init__(self) -> None:
        self.data: dict[str, dict[str, str] | None] = {}
        self.ports: dict[str | None, Ports] = {None: NO_PORTS, "": NO_PORTS}

    def layer(self, found: re.Match[str]) -> Layer | None:
        number, name, type_, version, result, data, rt, inputs, outputs = found.groups()
        if data is None:
            attributes = None
        elif (attributes := self.data.get(data)) is None:
            pairs = _PAIR.findall(data)
            attributes = dict(pairs)
            if len(attributes) < len(pairs):
                return None
            if type_ != "Const":
                self.data[data] = attributes
        if (result is not None and type_ != "Result") or (rt and not _regular(rt)):
            return None
        names = None
        if outputs is not None and ' names="' in outputs:
            outputs, names = _split_names(outputs)
        if inputs is not None and ' names="' in inputs:
            inputs = _split_names(inputs)[0]
        ports = self.ports
        try:
            return Layer(
                found.start(),
                number,
                name[1:-1],
                type_,
                version,
                attributes,
                ports[inputs],
                ports[outputs],
                names,
                rt or "",
            )
        except KeyError:
            for text in (inputs, outputs):
                if text not in ports:
                    if text and not _regular(text):
                        return None
                    ports[text] = _ports(text)
        return Layer(
            found.start(),
            number,
            name[1:-1],
            type_,
            version,
            attributes,
            ports[inputs],
            ports[outputs],
            names,
            rt or "",
        )


def _regular(rt: str) -> bool:
    """Whether no tag of an <rt_info> has an attribute twice."""
    return all(len(dict(pairs)) == len(pairs) for pairs in map(_PAIR.findall, rt.split("<")))


def _split_names(text: str) -> tuple[str, tuple[str | None, ...]]:
    """The ports without their tensor names, and these."""
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


def _ports(text: str | None) -> Ports:
    ports = []
    for piece in (text or "").split("</port>"):
        heads = list(_PORT_HEAD.finditer(piece))
        for head in heads[:-1]:
            ports.append(Port(head[1], head[2], ()))
        if heads:
            last = heads[-1]
            dims = tuple(map(int, _DIM_VALUE.findall(piece, last.end())))
            ports.append(Port(last[1], last[2], dims))
    return Ports(tuple(ports), "<rt_info" in (text or ""))


def _edge(found: re.Match[str]) -> Edge:
    return Edge(found.start(), *found.groups())


def shortcuts() -> dict[str, Shortcut]:
    """For one document: the memory of a Reader lives as long as these."""
    return {"layers/layer": Shortcut(_LAYER, Reader().layer), "edges/edge": Shortcut(_EDGE, _edge)}
