"""Small files with findings, made by hand: what reports are tested on, whatever the rules of the day say."""

from __future__ import annotations

from irlint.engine import Result
from irlint.findings import Finding, Fix, Related, Severity
from irlint.text.base import Edit, Span

GRAPH = """{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "Convolutoin", "name": "conv0", "inputs": [[0, 0, 0]]},
    {"op": "Activation", "name": "relu0", "inputs": [[7, 0, 0]]}
  ],
  "arg_nodes": [0],
  "heads": [[2, 0, 0]]
}
"""


def span(text: str, token: str, occurrence: int = 1) -> Span:
    at = -1
    for _ in range(occurrence):
        at = text.index(token, at + 1)
    return Span(at, at + len(token))


def plain() -> list[Result]:
    """An error, a warning with a safe fix and a note, an unsafe fix, and a clean file."""
    name, heads = span(GRAPH, '"Convolutoin"'), span(GRAPH, '"heads"')
    findings = [
        Finding(
            "O001",
            "unknown-operator",
            Severity.ERROR,
            'node "conv0": no operator is called "Convolutoin"; did you mean "Convolution"?',
            name,
            "/nodes/1/op",
            "conv0",
            Fix('Write "Convolution"', (Edit(name, '"Convolution"'),)),
        ),
        Finding(
            "R006",
            "index-out-of-range",
            Severity.ERROR,
            'node "relu0": input 0 is node 7, but the file has only 3 nodes',
            span(GRAPH, "7"),
            "/nodes/2/inputs/0/0",
            "relu0",
            Fix("Use the node before it, 1", (Edit(span(GRAPH, "7"), "1"),), "unsafe"),
            (Related("the 3 nodes of the file", Span(GRAPH.index("[\n"), GRAPH.index("],\n  ") + 1)),),
        ),
        Finding("T003", "unknown-key", Severity.WARNING, "nothing reads this key", heads, "/heads"),
        Finding("S018", "unusual-escape", Severity.INFO, "the file ends here", Span(len(GRAPH), len(GRAPH)), ""),
    ]
    return [
        Result("models/net-symbol.json", findings, format="nnvm", dialect="mxnet", text=GRAPH),
        Result("models/clean.json", [], format="lightnet", dialect="ir"),
    ]


def spans() -> list[Result]:
    """Spans over many lines, over one line's end, and of nothing."""
    text = (
        "<net>\n\n  <layers>\n"
        + "".join(f'    <layer id="{n}"/>\n' for n in range(12))
        + "  </layers>\n  <edges/>\n</net>"
    )
    nodes = Span(text.index("<layers>"), text.index("</layers>") + len("</layers>"))
    inside = Span(text.index('id="0"'), text.index("/>\n", text.index('id="1"')))
    ends = Span(text.index('id="3"/>'), text.index('    <layer id="4"'))
    many = tuple(Related(f"layer {n}", span(text, f'"{n}"')) for n in range(7))
    findings = [
        Finding("T007", "empty-model", Severity.ERROR, "the whole file", Span(0, len(text)), "/net"),
        Finding("G001", "unreachable-node", Severity.WARNING, "a long span", nodes, "/net/layers"),
        Finding("R005", "duplicate-definition", Severity.ERROR, "two lines", inside, "/net/layers/layer[1]", "0"),
        Finding(
            "S009", "trailing-text", Severity.ERROR, "a line end belongs to its line", ends, "/net/layers/layer[4]"
        ),
        Finding(
            "R004",
            "cycle",
            Severity.ERROR,
            "many places",
            span(text, '"11"'),
            "/net/layers/layer[12]",
            "11",
            None,
            many,
        ),
        Finding("S016", "truncated-file", Severity.ERROR, "nothing at the end", Span(len(text), len(text)), "/net"),
    ]
    return [Result("net.xml", findings, format="openvino", dialect="ir11", text=text)]


def wide() -> list[Result]:
    """Tabs, East Asian letters, combining marks, byte order mark, and no \\n as line end."""
    text = '\ufeff{\r\n\t"层": "卷积",\r\n\t\t"e\u0301t\u00e9":\t"x",\r"\uff21\uff22": "ok" }'
    tokens = ['"层"', '"卷积"', '"e\u0301t\u00e9"', '"x"', '"ok"', "\ufeff"]
    findings = [
        Finding("A005", "value-not-in-enum", Severity.ERROR, f"this is `{token}`", span(text, token), "/层", "层")
        for token in tokens
    ]
    return [Result("宽.json", findings, format="lightnet", dialect="ir", text=text)]


def long_lines() -> list[Result]:
    """A minified file: marks at the beginning, in the middle, at the end, and one that is too long itself."""
    text = "[" + ",".join(f'{{"name":"n{n}"}}' for n in range(4000)) + ',"' + "x" * 500 + '"]\n[]\n'
    tokens = ['"n0"', '"n7"', '"n2000"', '"n3999"', '"' + "x" * 500 + '"', "[]"]
    findings = [
        Finding("T001", "wrong-type", Severity.ERROR, f"token {'abcdef'[n]}", span(text, token), f"/{n}")
        for n, token in enumerate(tokens)
    ]
    return [Result("minified.json", findings, format="nnvm", dialect="tvm", text=text)]


def hostile() -> list[Result]:
    """Names and messages that try to move the cursor, turn the text round, end the line, or give a CI system orders."""
    text = '{"a\x1b[2J\u202eb": "\udcff\u200b\x00\x85\u2028",\n"::error::x": "\x9b31m", "]]>": "<&\'>"}\r%0A'
    tokens = ["\x1b[2J", "\u202e", "\udcff\u200b\x00\x85\u2028", "::error::x", "\x9b31m", "]]>", "<&'>", "%0A"]
    findings = [
        Finding(
            "G004",
            "empty-name",
            Severity.ERROR,
            f"a name such as {token}\n::error file=a,line=1::b\r\n##vso[c] [d](http://e) %0A",
            span(text, token),
            f"/{token}",
            token,
            Fix(f"Take {token} away", (Edit(span(text, token), token[:1]),)),
            (Related(f"because of {token}", span(text, other)),),
        )
        for token, other in zip(tokens, tokens[1:] + tokens[:1], strict=True)
    ]
    names = ["::error::\x1b[31m\n a.json", "b\udcff,c:d%.json", '"<&>\u202e].xml', "-"]
    return [
        Result(name, findings[: 1 if at else None], format="nnvm", dialect="mxnet", text=text)
        for at, name in enumerate(names)
    ]


def alike() -> list[Result]:
    """Findings that differ in names and numbers only, in attributes, in severity, in what --fix does; and a file on one line."""
    rows = [f'  {{"op": "{op}", "name": "node{n}", "axis": {n}}}' for n, op in enumerate(["Concat"] * 40 + ["Pad"] * 3)]
    text = "[\n" + ",\n".join(rows) + "\n]\n"
    findings = []
    for n, row in enumerate(rows):
        at = span(text, f'"node{n}"')
        op = "Concat" if "Concat" in row else "Pad"
        word = "shape" if n % 10 == 3 else "axes"
        fix = Fix(f"Remove `{word}`", (Edit(at, "x"),), "safe" if n < 30 else "unsafe")
        severity = Severity.ERROR if n == 38 else Severity.WARNING
        message = f"{op} 'node{n}' has no attribute `{word}`; input {n} is [{n}, 2]"
        findings.append(
            Finding(
                "A001", "unknown-attribute", severity, message, at, f"/{n}/name", f"node{n}", fix if n % 2 else None
            )
        )
    line = '{"a": {"b": 1}, "c": {"b": 2}, "d": {"b": 3}}'
    places = [Span(at, at + 3) for at in range(len(line)) if line.startswith('"b"', at)]
    same = [
        Finding("T003", "unknown-key", Severity.WARNING, f"nothing reads '{name}'", place)
        for name, place in zip("acd", places, strict=True)
    ]
    return [
        Result("net-symbol.json", findings, format="nnvm", dialect="mxnet", text=text),
        Result("line.json", same, format="lightnet", dialect="ir", text=line),
    ]


def binary() -> list[Result]:
    """No text at all: what it shows would be noise."""
    text = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + "\x00\x01\udcff\udc80" * 40
    finding = Finding("S012", "unrecognized-file", Severity.ERROR, "it is a PNG picture", Span(0, 4))
    return [Result("picture.json", [finding], text=text)]


def nothing() -> list[Result]:
    return []


CASES = {case.__name__: case for case in (nothing, plain, spans, wide, long_lines, hostile, alike, binary)}
