"""Plants one defect at a time into an IR: seeded, with the line of the defect and what kind it is."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """`line` is where the defect stands in `text`, 0 if it stands nowhere (in the .bin). Not every mutant is wrong: ask the reader."""

    kind: str
    text: str
    weights: bytes | None
    line: int
    harmless: bool = False


class Source:
    """An IR taken apart by regular expressions: good enough for what writers write."""

    def __init__(self, text: str, weights: bytes | None) -> None:
        self.text = text
        self.weights = weights
        self.layers = [m.span() for m in re.finditer(r"<layer [^>]*>.*?</layer>", text, re.DOTALL)]
        self.edges = [m.span() for m in re.finditer(r'<edge from-layer="\d+" from-port="\d+" [^>]*/>', text)]

    def line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def put(self, kind: str, start: int, end: int, new: str, harmless: bool = False) -> Mutant:
        text = self.text[:start] + new + self.text[end:]
        return Mutant(kind, text, self.weights, self.line(start), harmless)

    def tags(self, name: str) -> list[tuple[int, int]]:
        return [m.span() for m in re.finditer(rf"<{name}(?:\s[^>]*)?>", self.text)]

    def attributes(self, start: int, end: int) -> list[tuple[str, int, int]]:
        """(name, start and end of the value) of the tag at a range."""
        return [(m[1], m.start(2), m.end(2)) for m in re.compile(r'([\w-]+)="([^"]*)"').finditer(self.text, start, end)]

    def value(self, start: int, end: int, name: str) -> tuple[int, int] | None:
        return next(((a, b) for n, a, b in self.attributes(start, end) if n == name), None)


Kind = Callable[[Source, random.Random], Iterator[Mutant]]
KINDS: list[Kind] = []


def kind(function: Kind) -> Kind:
    KINDS.append(function)
    return function


def mutants(text: str, weights: bytes | None, seed: int = 0) -> Iterator[Mutant]:
    """Every kind of defect that the file has a place for, at places that the seed chooses."""
    source = Source(text, weights)
    for k, make in enumerate(KINDS):
        rng = random.Random(f"{seed}/{k}")
        for mutant in make(source, rng):
            if mutant.text != text or mutant.weights != weights:
                yield mutant


def _drop_attribute(s: Source, name: str, start: int, end: int, attribute: str) -> Iterator[Mutant]:
    m = re.compile(rf'\s+{attribute}="[^"]*"').search(s.text, start, end)
    if m:
        yield s.put(f"{name}:drop:{attribute}", m.start(), m.end(), "")


def _replace_value(
    s: Source, name: str, start: int, end: int, attribute: str, new: str, harmless: bool = False
) -> Iterator[Mutant]:
    at = s.value(start, end, attribute)
    if at:
        yield s.put(f"{name}:{attribute}={new!r}", *at, new, harmless)


@kind
def document(s: Source, rng: random.Random) -> Iterator[Mutant]:
    cut = rng.randrange(len(s.text) // 4, len(s.text) - 10)
    yield Mutant("doc:truncated", s.text[:cut], s.weights, s.line(cut))
    ends = [m.span() for m in re.finditer(r"</(?:output|input|port|layer|layers|edges)>", s.text)]
    start, end = rng.choice(ends)
    yield s.put("doc:end tag missing", start, end, "")
    closing = [m.span() for m in re.finditer(r"/>|(?<=\")>", s.text)]
    start, end = rng.choice(closing)
    yield s.put("doc:'>' missing", start, end, "")
    quotes = [m.start() for m in re.finditer('"', s.text)][2:]
    at = rng.choice(quotes)
    yield s.put("doc:quote missing", at, at + 1, "")
    tags = [t for n in ("layer", "port", "data", "edge") for t in s.tags(n)]
    start, end = rng.choice(tags)
    attributes = s.attributes(start, end)
    if attributes:
        name, a, b = rng.choice(attributes)
        yield s.put("doc:attribute twice", b + 1, b + 1, f' {name}="{s.text[a:b]}"')
        yield s.put("doc:no equals sign", a - 2, a - 1, " ")
        yield s.put("doc:unquoted value", a - 1, b + 1, s.text[a:b] or "x")
    name_at = s.value(*rng.choice(s.layers), "name")
    if name_at:
        yield s.put("doc:bare &", *name_at, "a & b")
        yield s.put("doc:undefined entity", *name_at, "&nope;")
        yield s.put("doc:< in value", *name_at, "a<b")
        yield s.put("doc:control character", *name_at, "a\x01b")
        yield s.put("doc:latin-1", *name_at, "caf\udce9")
    yield Mutant("doc:text after root", s.text + "done\n", s.weights, s.text.count("\n") + 1)
    yield Mutant("doc:second root", s.text + "<net/>\n", s.weights, s.text.count("\n") + 1)
    root = s.text.index("<net")
    yield s.put("doc:doctype", root, root, '<!DOCTYPE net [<!ENTITY a "b">]>\n')
    yield s.put("doc:comment", root, root, "<!-- a comment -->\n", harmless=True)
    yield s.put("doc:comment with --", root, root, "<!-- a -- comment -->\n")
    yield s.put("doc:text before root", root, root, "hello\n")
    yield Mutant("doc:BOM", "\ufeff" + s.text, s.weights, 1, harmless=True)
    yield Mutant("doc:CRLF", s.text.replace("\n", "\r\n"), s.weights, 1, harmless=True)


@kind
def root(s: Source, rng: random.Random) -> Iterator[Mutant]:
    start, end = s.tags("net")[0]
    for value in ("12", "9", "7", "v11", "11.0", "", " 11", "011", "0", "-11", "99999999999999999999"):
        yield from _replace_value(s, "net", start, end, "version", value)
    yield from _drop_attribute(s, "net", start, end, "version")
    yield from _drop_attribute(s, "net", start, end, "name")
    yield s.put("net:unknown attribute", start + 4, start + 4, ' foo="1"')
    yield s.put("net:unknown child", end, end, "\n\t<extras/>")
    for name in ("model", "Net", "network"):
        text = s.text.replace("<net", f"<{name}", 1).replace("</net>", f"</{name}>")
        yield Mutant(f"net:root {name}", text, s.weights, s.line(start))
    for section in ("layers", "edges"):
        tag = s.text.index(f"<{section}>")
        close = s.text.index(f"</{section}>") + len(section) + 3
        yield s.put(f"net:no {section}", tag, close, "")
        yield s.put(f"net:{section} twice", tag, tag, f"<{section}/>\n\t")
        wrong = section[:-1]
        text = s.text[:tag] + s.text[tag:].replace(f"<{section}>", f"<{wrong}s1>", 1).replace(
            f"</{section}>", f"</{wrong}s1>", 1
        )
        yield Mutant(f"net:{section} misspelled", text, s.weights, s.line(tag))


@kind
def layers(s: Source, rng: random.Random) -> Iterator[Mutant]:
    for start, _ in rng.sample(s.layers, min(3, len(s.layers))):
        end = s.text.index(">", start) + 1
        for attribute in ("id", "name", "type", "version"):
            yield from _drop_attribute(s, "layer", start, end, attribute)
        a, b = s.value(start, end, "id") or (0, 0)
        number = s.text[a:b]
        for value in (
            f"{number}.0",
            f"-{int(number) + 1}",
            "five",
            "",
            f"0{number}",
            f" {number}",
            "99999999999999999999",
            f"{number}x",
            "0x1",
        ):
            yield from _replace_value(s, "layer", start, end, "id", value)
        others = [s.text[slice(*(s.value(x, s.text.index(">", x), "id") or (0, 0)))] for x, _ in s.layers if x != start]
        if others:
            yield from _replace_value(s, "layer", start, end, "id", rng.choice(others))
        yield from _replace_value(s, "layer", start, end, "name", "")
        yield s.put("layer:unknown attribute", end - 1, end - 1, ' color="red"')
        yield s.put("layer:precision attribute", end - 1, end - 1, ' precision="FP32"')
        a, b = s.value(start, end, "type") or (0, 0)
        word = s.text[a:b]
        for value in (word + "X", word.lower(), word.upper(), f"{word} ", "", "Constant", word[:-1], "Foo", "Input"):
            yield from _replace_value(s, "layer", start, end, "type", value)
        for value in (
            "opset0",
            "opset18",
            "Opset1",
            "1",
            "",
            "opset",
            "opset01",
            "opset1.0",
            "extension",
            "experimental",
            "custom",
            "opset17",
            "opset1",
            "opset2",
            "opset16",
            "opset 1",
        ):
            yield from _replace_value(s, "layer", start, end, "version", value)


@kind
def whole_layers(s: Source, rng: random.Random) -> Iterator[Mutant]:
    for start, end in rng.sample(s.layers, min(3, len(s.layers))):
        yield s.put("layer:removed", start, end, "")
        yield s.put("layer:written twice", end, end, "\n\t\t" + s.text[start:end])
        yield s.put("layer:misspelled tag", start + 1, start + 6, "layr")
        body = s.text[start:end]
        for part in ("input", "output", "data"):
            m = re.search(rf"<{part}>.*?</{part}>|<{part}\s[^>]*/>", body, re.DOTALL)
            if m:
                yield s.put(f"layer:no {part}", start + m.start(), start + m.end(), "")
                inner = m[0].replace(f"<{part}", f"<{part}s").replace(f"</{part}>", f"</{part}s>")
                yield s.put(f"layer:{part} misspelled", start + m.start(), start + m.end(), inner)
        tag_end = s.text.index(">", start) + 1
        yield s.put("layer:unknown child", tag_end, tag_end, "\n\t\t\t<extra/>")
        yield s.put("layer:text inside", tag_end, tag_end, "hello")


@kind
def edges(s: Source, rng: random.Random) -> Iterator[Mutant]:
    if not s.edges:
        return
    for start, end in rng.sample(s.edges, min(3, len(s.edges))):
        yield s.put("edge:removed", start, end, "")
        yield s.put("edge:twice", end, end, s.text[start:end])
        for attribute in ("from-layer", "from-port", "to-layer", "to-port"):
            yield from _drop_attribute(s, "edge", start, end, attribute)
            for value in ("777", "x", "-1", "", "1.5", "00"):
                yield from _replace_value(s, "edge", start, end, attribute, value)
            a, b = s.value(start, end, attribute) or (0, 0)
            for step in (1, -1):
                if int(s.text[a:b]) + step >= 0:
                    yield s.put(f"edge:{attribute}{step:+d}", a, b, str(int(s.text[a:b]) + step))
        yield s.put("edge:unknown attribute", end - 2, end - 2, ' weight="1"')
        f, t = s.value(start, end, "from-layer") or (0, 0), s.value(start, end, "to-layer") or (0, 0)
        yield s.put("edge:from itself", *f, s.text[slice(*t)])
        yield s.put("edge:misspelled tag", start + 1, start + 5, "edg")
        new = (
            s.text[start:end]
            .replace(s.text[slice(*f)], "#", 1)
            .replace(f'to-layer="{s.text[slice(*t)]}"', f'to-layer="{s.text[slice(*f)]}"')
        )
        yield s.put("edge:turned round", start, end, new.replace("#", s.text[slice(*t)], 1))
    yield s.put(
        "edge:extra to nowhere",
        s.edges[-1][1],
        s.edges[-1][1],
        '<edge from-layer="900" from-port="0" to-layer="901" to-port="0"/>',
    )
    one, two = s.edges[0], s.edges[-1]
    if one != two:
        text = s.text[: one[0]] + s.text[slice(*two)] + s.text[one[1] : two[0]] + s.text[slice(*one)] + s.text[two[1] :]
        yield Mutant("edge:order", text, s.weights, 0, harmless=True)
    for (a0, a1), (b0, b1) in zip(s.edges, s.edges[1:], strict=False):
        one_to, two_to = (s.value(a0, a1, "to-layer"), s.value(b0, b1, "to-layer"))
        if one_to and two_to and s.text[slice(*one_to)] == s.text[slice(*two_to)]:
            p, q = s.value(a0, a1, "to-port"), s.value(b0, b1, "to-port")
            if p and q:
                text = s.text[: p[0]] + s.text[slice(*q)] + s.text[p[1] : q[0]] + s.text[slice(*p)] + s.text[q[1] :]
                yield Mutant("edge:inputs swapped", text, s.weights, s.line(a0))


@kind
def ports(s: Source, rng: random.Random) -> Iterator[Mutant]:
    found = s.tags("port")
    for start, end in rng.sample(found, min(4, len(found))):
        side = "output" if s.text.rfind("<output>", 0, start) > s.text.rfind("<input>", 0, start) else "input"
        for attribute in ("id", "precision"):
            yield from _drop_attribute(s, f"{side} port", start, end, attribute)
        for value in ("x", "-1", "", "77", "1.0"):
            yield from _replace_value(s, f"{side} port", start, end, "id", value)
        for value in ("FP33", "float", "fp32", "f32", "", "FP16", "I32", "BOOL", "UNSPECIFIED", "Float32"):
            yield from _replace_value(s, f"{side} port", start, end, "precision", value)
        yield s.put(f"{side} port:unknown attribute", start + 5, start + 5, ' layout="NCHW"')
    for side in ("input", "output"):
        closes = [m.start() for m in re.finditer(f"</{side}>", s.text)]
        if closes:
            at = rng.choice(closes)
            yield s.put(f"{side} port:one more", at, at, '<port id="55" precision="FP32"><dim>1</dim></port>')
    dims = [m.span(1) for m in re.finditer("<dim>([^<]*)</dim>", s.text)]
    for start, end in rng.sample(dims, min(3, len(dims))):
        for value in ("?", "-1", "-2", "one", "", "1.5", "1..10", "999", "0", "99999999999999999999", " 1 "):
            yield s.put(f"dim:{value!r}", start, end, value)
        yield s.put("dim:removed", start - 5, end + 6, "")
        yield s.put("dim:one more", end + 6, end + 6, "<dim>3</dim>")


@kind
def leaves(s: Source, rng: random.Random) -> Iterator[Mutant]:
    """Parameter and Const."""
    for type_ in ("Parameter", "Const"):
        found = [
            (a, b)
            for a, b in s.layers
            if f'type="{type_}"' in s.text[a : s.text.index(">", a)] and "<data" in s.text[a:b]
        ]
        for start, _layer_end in rng.sample(found, min(2, len(found))):
            at = s.text.index("<data", start)
            end = s.text.index(">", at) + 1
            for attribute in ("shape", "element_type", "offset", "size"):
                yield from _drop_attribute(s, type_, at, end, attribute)
            types = (
                "f33",
                "FP32",
                "float32",
                "dynamic",
                "F32",
                "",
                "f16",
                "i32",
                "i64",
                "boolean",
                "undefined",
                "string",
                "u8",
                "f64",
            )
            for value in types:
                yield from _replace_value(s, type_, at, end, "element_type", value)
            shape = s.value(at, end, "shape")
            text = s.text[slice(*shape)] if shape else ""
            shapes = [text.replace(",", " "), text.replace(",", ";"), f"[{text}]", text + ",", "N," + text, "..", "...", "?" + text[1:], "-1" + text[1:],
                      "-2" + text[1:], "0" + text[1:], "10..1" + text[1:], "1..10" + text[1:], "1.5" + text[1:], "99999999999999999999", text + ",3", "",
                      "7" + text[1:], "4294967296,4294967296,3", text.replace(",", "x"), " " + text]  # fmt: skip
            for value in shapes:
                yield from _replace_value(s, type_, at, end, "shape", value)
            if type_ == "Const":
                _offset, size = (s.value(at, end, n) for n in ("offset", "size"))
                for value in (
                    "0x10",
                    "-4",
                    "many",
                    "18446744073709551612",
                    "9223372036854775807",
                    "1000000",
                    "",
                    "3",
                    " 0",
                    "1.5",
                ):
                    yield from _replace_value(s, type_, at, end, "offset", value)
                n = int(s.text[slice(*size)]) if size else 0
                for value in (
                    str(n - 1),
                    "0",
                    str(n + 1),
                    str(n * 2),
                    "-1",
                    "x",
                    "18446744073709551615",
                    str(n * 1000 + 1),
                ):
                    yield from _replace_value(s, type_, at, end, "size", value)
                yield s.put(
                    "Const:inline value", at, end, re.sub(r'offset="\d+" size="\d+"', 'value="1,2,3"', s.text[at:end])
                )
            yield s.put(f"{type_}:unknown attribute", end - 2, end - 2, ' foo="1"')


@kind
def attributes(s: Source, rng: random.Random) -> Iterator[Mutant]:
    """Attributes of operations, by what their values look like."""
    for start, end in s.layers:
        head = s.text[start : s.text.index(">", start)]
        if 'type="Parameter"' in head or 'type="Const"' in head or "<data" not in s.text[start:end]:
            continue
        at = s.text.index("<data", start)
        close = s.text.index(">", at) + 1
        yield s.put("attribute:unknown", at + 5, at + 5, ' foo="1"')
        for name, a, b in s.attributes(at, close):
            value = s.text[a:b]
            yield from _drop_attribute(s, "attribute", at, close, name)
            yield s.put(
                f"attribute:misspelled {name}",
                a - 2 - len(name),
                a - 2,
                name + "s" if not name.endswith("s") else name[:-1],
            )
            yield s.put(f"attribute:case {name}", a - 2 - len(name), a - 2, name.capitalize())
            for new in _bad_values(value, rng):
                yield s.put(f"attribute:{name}={new!r}", a, b, new)


def _bad_values(value: str, rng: random.Random) -> list[str]:
    if value in ("true", "false"):
        other = "false" if value == "true" else "true"
        return ["yes", "no", "", " " + value, value.upper(), value.capitalize(), "1", "0", "2", "ture", other]
    if re.fullmatch(r"-?\d+", value):
        return [
            "",
            "abc",
            f"{value}x",
            f"{value}.5",
            "-1",
            "0",
            "1",
            "2",
            "-9",
            "7",
            "50",
            "1,2",
            "99999999999999999999",
            f" {value}",
            f"{value} ",
        ]
    if re.fullmatch(r"-?\d*\.?\d+(e-?\d+)?", value):
        return ["", "abc", f"{value}x", value.replace(".", ","), "nan", "inf", "-1", "0", "1e999"]
    if re.fullmatch(r"-?\d+(\.\d+)?(, ?-?\d+(\.\d+)?)*", value):
        pieces = [p.strip() for p in value.split(",")]
        return [
            ", ".join(pieces + pieces[:1]), ", ".join(pieces[:-1]), " ".join(pieces), ";".join(pieces), f"[{value}]", "", value + ",",
            ",".join(["-1", *pieces[1:]]), ",".join(["0", *pieces[1:]]), ",".join(["50", *pieces[1:]]), ",".join(["a", *pieces[1:]]),
            ",".join(["1.5", *pieces[1:]]), ",".join(["99999999999999999999", *pieces[1:]]), ",".join(pieces),
        ]  # fmt: skip
    return ["", value.upper(), value + "x", "bogus", value[:-1], f" {value}", "f32", "i64", "1"]


@kind
def side_file(s: Source, rng: random.Random) -> Iterator[Mutant]:
    if not s.weights:
        return
    yield Mutant("bin:missing", s.text, None, 0)
    yield Mutant("bin:empty", s.text, b"", 0)
    yield Mutant("bin:short", s.text, s.weights[:-1], 0)
    yield Mutant("bin:long", s.text, s.weights + b"\0" * 64, 0, harmless=True)
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 123\n"
    yield Mutant("bin:lfs pointer", s.text, pointer, 0)


@kind
def constants(s: Source, rng: random.Random) -> Iterator[Mutant]:
    """Small integer constants: other values in the .bin, at the line of the constant."""
    if not s.weights:
        return
    pattern = re.compile(r'<data element_type="(i64|i32)" shape="([^"]*)" offset="(\d+)" size="(\d+)"')
    for m in pattern.finditer(s.text):
        width = 8 if m[1] == "i64" else 4
        offset, size = int(m[3]), int(m[4])
        if not 0 < size <= 8 * width:
            continue
        for value in (-1, 0, 1, 2, 9, -9, 1000):
            new = value.to_bytes(width, "little", signed=True)
            weights = s.weights[:offset] + new + s.weights[offset + width :]
            yield Mutant(f"constant:{value}", s.text, weights, s.line(m.start()))
            if size > width:
                yield Mutant(
                    f"constant:all {value}",
                    s.text,
                    s.weights[:offset] + new * (size // width) + s.weights[offset + size :],
                    s.line(m.start()),
                )


@kind
def bodies(s: Source, rng: random.Random) -> Iterator[Mutant]:
    for tag in ("body", "then_body", "else_body", "port_map", "then_port_map", "else_port_map", "back_edges"):
        for m in re.finditer(rf"<{tag}>.*?</{tag}>", s.text, re.DOTALL):
            yield s.put(f"body:no {tag}", m.start(), m.end(), "")
    for m in re.finditer(r"<(?:input|output) [^>]*external_port_id[^>]*/>", s.text):
        start, end = m.span()
        yield s.put("body:entry removed", start, end, "")
        yield s.put("body:entry twice", end, end, m[0])
        for name in ("external_port_id", "internal_layer_id", "axis", "purpose", "stride", "part_size", "start", "end"):
            yield from _drop_attribute(s, "body", start, end, name)
        for value in ("77", "-1", "x", "0", "1", "2", "3"):
            yield from _replace_value(s, "body", start, end, "external_port_id", value)
            yield from _replace_value(s, "body", start, end, "internal_layer_id", value)
        for value in ("5", "-1", "x", "1"):
            yield from _replace_value(s, "body", start, end, "axis", value)
        for name in ("stride", "part_size"):
            for value in ("0", "3", "x", "-1"):
                yield from _replace_value(s, "body", start, end, name, value)
        yield from _replace_value(s, "body", start, end, "purpose", "bogus")
    for m in re.finditer(r"<back_edges>(.*?)</back_edges>", s.text, re.DOTALL):
        for e in re.finditer(r"<edge [^>]*/>", m[1]):
            start, end = m.start(1) + e.start(), m.start(1) + e.end()
            yield s.put("back edge:removed", start, end, "")
            for name in ("from-layer", "to-layer"):
                yield from _drop_attribute(s, "back edge", start, end, name)
                for value in ("77", "x", "0", "1", "2"):
                    yield from _replace_value(s, "back edge", start, end, name, value)


@kind
def runtime(s: Source, rng: random.Random) -> Iterator[Mutant]:
    start, _ = rng.choice(s.layers)
    at = s.text.index(">", start) + 1
    fused = '<attribute name="fused_names" version="0" value="a"/>'
    yield s.put("rt:known", at, at, f"<rt_info>{fused}</rt_info>", harmless=True)
    yield s.put("rt:twice", at, at, f"<rt_info>{fused}{fused}</rt_info>")
    yield s.put("rt:unknown", at, at, '<rt_info><attribute name="nonsense" version="0" value="a"/></rt_info>')
    yield s.put("rt:no version", at, at, '<rt_info><attribute name="fused_names" value="a"/></rt_info>')
    yield s.put(
        "rt:map order", at, at, '<rt_info><attribute name="old_api_map_order" version="0" value="a,b"/></rt_info>'
    )
    close = s.text.index("</net>")
    yield s.put("rt:text", close, close, "<rt_info>hello</rt_info>")
    yield s.put("rt:no value", close, close, '<rt_info><info name="a"/></rt_info>')
    yield s.put("rt:key twice", close, close, '<rt_info><a value="1"/><a value="2"/></rt_info>')
    yield s.put("rt:meta_data", close, close, '<meta_data><MO_version value="1"/></meta_data>', harmless=True)
    yield s.put("rt:meta_data without value", close, close, "<meta_data><MO_version/></meta_data>")
    outputs = [m.span() for m in re.finditer(r'<port id="\d+" precision="\w+"', s.text)]
    if outputs:
        _, end = rng.choice(outputs)
        yield s.put("names:list", end, end, ' names="aa,bb"', harmless=True)
        yield s.put("names:empty part", end, end, ' names="aa,,bb"')
    for name in ("layout",):
        closes = [m.start() for m in re.finditer("</port>", s.text)]
        at = rng.choice(closes)
        for value in ("[N,C", "[N,C]", "[N,N,C,C]", "[N,C,H,W]"):
            yield s.put(
                f"rt:layout {value}",
                at,
                at,
                f'<rt_info><attribute name="{name}" version="0" layout="{value}"/></rt_info>',
            )
