"""Properties of JSON documents over texts that nobody thought of."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from irlint.fixes import apply
from irlint.text.base import Path, Place
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions

KEYS = st.sampled_from(("name", "op")) | st.text(st.characters(codec="utf-8"), max_size=6)
SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | KEYS
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)
LENIENT = JsonOptions(
    tolerated=dict.fromkeys(
        ("comment", "control-character", "trailing-text", "byte-order-mark", "duplicate-key", "key-case"), "warning"
    ),
    duplicates="first",
    nul_ends_text=True,
    folded_keys=frozenset({"ops", "name"}),
)
JSONISH = st.text(alphabet="{}[]:,\"\\ \n\tu0019eE+-.truefalsnNaI/*'#\x00\udcffé🚀", max_size=60)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A value written in a layout and with escapes of chance."""
    blanks = draw(st.sampled_from(["", " ", "\n", "\r\n\t", "  "]))

    def write(value: Any) -> str:
        if isinstance(value, list):
            return f"[{blanks}" + f"{blanks},{blanks}".join(map(write, value)) + f"{blanks}]"
        if isinstance(value, dict):
            return (
                f"{{{blanks}"
                + f",{blanks}".join(f"{write(k)}{blanks}:{blanks}{write(v)}" for k, v in value.items())
                + "}"
            )
        return json.dumps(value, ensure_ascii=escaped)

    escaped = draw(st.booleans())
    return f"{blanks}{write(draw(VALUES))}{blanks}"


def paths(value: Any, path: Path = ()) -> list[Path]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for step, child in children for p in paths(child, (*path, step)))]


def part(document: JsonDocument, place: Place) -> str:
    span = document.span(place)
    return document.text[span.start : span.end]


@given(texts())
def test_values_and_spans(text: str) -> None:
    document = JsonDocument.parse(text)
    assert document.value == json.loads(text)
    for path in paths(document.value):
        assert json.loads(part(document, Place(path))) == document.value_at(path)
        start = document.span(Place(path)).start
        assert document.place_at(start).path == path
        if path and isinstance(path[-1], str):
            assert json.loads(part(document, Place(path, "key"))) == path[-1]
            assert json.loads("{" + part(document, Place(path, "member")) + "}") == {path[-1]: document.value_at(path)}


@given(texts(), st.data())
def test_parts_of_strings(text: str, data: st.DataObject) -> None:
    document = JsonDocument.parse(text)
    strings = [p for p in paths(document.value) if isinstance(document.value_at(p), str)]
    if strings:
        path = data.draw(st.sampled_from(strings))
        value = document.value_at(path)
        low = data.draw(st.integers(0, len(value)))
        high = data.draw(st.integers(low, len(value)))
        assert json.loads('"' + part(document, Place(path, "value", (low, high))) + '"') == value[low:high]


@given(texts(), VALUES, KEYS, st.data())
def test_edits(text: str, new: Any, key: str, data: st.DataObject) -> None:
    document = JsonDocument.parse(text)
    path = data.draw(st.sampled_from(paths(document.value)))
    expected = json.loads(text)

    def result(edits: Any) -> Any:
        return json.loads(apply(text, edits))

    def at(steps: Path) -> Any:
        value = expected
        for step in steps:
            value = value[step]
        return value

    target = at(path)
    if isinstance(target, list):
        index = data.draw(st.integers(0, len(target)))
        edits = document.insert_item(path, index, document.dump(new))
        target.insert(index, new)
        assert result(edits) == expected
    elif isinstance(target, dict) and key not in target:
        edits = document.insert_member(path, key, document.dump(new))
        target[key] = new
        assert result(edits) == expected
    elif path:
        holder = at(path[:-1])
        if data.draw(st.booleans()):
            edits = document.remove(path)
            del holder[path[-1]]
        else:
            edits = document.write(Place(path), new)
            holder[path[-1]] = new
        assert result(edits) == expected


@given(JSONISH, st.sampled_from([JsonOptions(), LENIENT]))
def test_anything_is_answered(text: str, options: JsonOptions) -> None:
    document = JsonDocument.parse(text, options=options)
    for trouble in document.troubles:
        assert 0 <= trouble.span.start <= trouble.span.end <= len(text)
        if trouble.edits:
            assert apply(text, trouble.edits()) is not None
    for offset in range(0, len(text), 7):
        document.span(document.place_at(offset))
    try:
        clean = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        if options == JsonOptions():
            assert document.troubles
    else:
        if not document.troubles:
            assert document.value == clean


@given(texts(), st.data())
def test_broken_texts_are_read_as_far_as_they_go(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    junk = data.draw(
        st.sampled_from(["", ",", "]", "}", "{", "[", '"', ":", "x", "0", "\\", "'", "\x00", "//", "\udcff"])
    )
    cut = data.draw(st.integers(0, 3))
    broken = text[:at] + junk + text[at + cut :]
    document = JsonDocument.parse(broken)
    for trouble in document.troubles:
        assert 0 <= trouble.span.start <= trouble.span.end <= len(broken)
    for path in paths(document.value):
        span = document.span(Place(path))
        assert 0 <= span.start <= span.end <= len(broken)
