"""Make schemas/operators/ncnn.json from ncnn's own sources: python -m oracle.ncnn_tables CHECKOUT [SOURCE RELEASE] (in tests).

CHECKOUT is a git repository of ncnn with its tags: what each release read tells since when a parameter exists. SOURCE is the folder src of a release that
has no tag there, as its sdist has it. The layers' load_param is the truth about ids, names and defaults; the operator document, about ranks. What neither
says is in ncnn_facts.py. Prints where document and source disagree.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from oracle import ncnn_facts as known

TABLE = Path(__file__).parents[2] / "schemas/operators/ncnn.json"
DOCUMENT = "docs/developer-guide/operators.md"
NOTE = (
    "Layers of ncnn. Attributes are named by their ids; label: what the source calls them; default_of: the id whose value is the default, or an expression;"
    " since: the release that brought it; until: the last that read it; words: what values mean; values, min, max, also, multiple_of, items, length, min_length, max_length,"
    " length: what is refused otherwise, under `when`; exact: ints are not converted to floats, their bits are read; idle: nothing depends on the value; single: one input and one output are required; counts:"
    " numbers of inputs and outputs of which the others are as good as the smallest; demands: what holds between parameters; built: false if builds have the layer only if they are asked for it; weights: in the order of the .bin,"
    " storage as flag (a tag of four bytes tells), float or bytes. elsewhere: what others call a layer. Expressions are Python's over labels, inputs, outputs and refs(text)."
)
_LOAD = re.compile(r"^int \w+::load_param\([^)]*\)\s*\n\{\n(.*?)^\}", re.S | re.M)
_GET = re.compile(r"(?:int )?([\w\[\]]+) = pd\.get\((\d+), (.*?)\)(?: != 0)?;")
_ENUM = re.compile(r"enum \w+[^{]*\{(.*?)\}", re.S)
_ENUMS = {"op_type", "operation", "region_type"}  # parameters whose words are an enum of the layer's header
_ROW = re.compile(r"^\|\s*(\d+)\s*\|\s*(\w+)\s*\|\s*(\w+)\s*\|\s*(.*?)\s*\|", re.M)

Read = Callable[[str], str]
Get = tuple[str, str]  # label, default


def git(checkout: str, *arguments: str) -> str:
    return subprocess.run(["git", "-C", checkout, *arguments], capture_output=True, text=True, check=True).stdout


def gets(source: str) -> dict[str, Get]:
    """Return what a layer's load_param reads, by id."""
    match = _LOAD.search(source)
    return {
        key: (known.LABELS.get(label, label), default)
        for label, key, default in _GET.findall(match[1] if match else "")
    }


def releases(checkout: str) -> Iterator[tuple[int, dict[str, dict[str, Get]]]]:
    """Yield each tagged release since parameters have numbers, and what its layers read, by the names of their files."""
    for tag in git(checkout, "tag", "--sort=refname").split():
        if not tag.isdigit() or int(tag) < 20171017:
            continue
        names = git(checkout, "ls-tree", "--name-only", tag, "src/layer/").split()
        found = {}
        for name in (name for name in names if name.endswith(".cpp")):
            text = git(checkout, "show", f"{tag}:{name}")
            found[Path(name).stem] = gets(text)
            if base := re.search(
                r"\s(\w+)::load_param\(pd\);", text
            ):  # a layer that was another with parameters of its own
                found[Path(name).stem] |= gets(git(checkout, "show", f"{tag}:src/layer/{base[1].lower()}.cpp"))
        yield int(tag), found


def value_of(text: str, labels: dict[str, str]) -> dict[str, Any]:
    """Return the kind of a parameter and its default: a number, or the id or expression that it comes from."""
    if text == "Mat()":
        return {"kind": "ints", "default": []}
    if text == '""':
        return {"kind": "string", "default": ""}
    if text == "false":
        return {"kind": "int", "default": 0}
    if re.fullmatch(r"-?\d+", text):
        return {"kind": "int", "default": int(text)}
    if re.fullmatch(r"-?\d*\.\d*f?", text):
        return {"kind": "float", "default": float(text.rstrip("f"))}
    if text.endswith("FLT_MAX"):
        return {"kind": "float", "default": float(text.replace("FLT_MAX", "3.4028234663852886e38"))}
    if text in labels:
        return {"kind": "int", "default_of": labels[text]}
    if text.startswith("1.f / sqrtf("):
        return {"kind": "float", "default_of": "(embed_dim // num_heads) ** -0.5"}
    return {"kind": "int", "default_of": text.replace("/", "//")}


def sections(document: str) -> dict[str, str]:
    parts = re.split(r"^# (\w+)\n", document, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def ranks(section: str) -> list[int]:
    line = re.search(r"^\* input mat dims: (.*)$", section, re.M)
    first = (line[1] if line else "").partition(";")[0]
    return [int(digit) for digit in re.findall(r"([1-4])d\b", first)]


def operators(
    document: str, header: Read, source: Read, history: list[tuple[int, dict[str, dict[str, Get]]]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, section in sorted(sections(document).items()):
        file = name.lower()
        read, text = gets(source(file)), source(file)
        inputs, outputs = known.PORTS.get(name, known.ONE)
        first, last = (dims := ranks(section)), [1, 2, 3, 4]
        inputs = [
            {**port, "ranks": first} if k == 0 and dims and dims != last and "ranks" not in port else port
            for k, port in enumerate(inputs)
        ]
        record: dict[str, Any] = {"doc": known.DOCS[name], "inputs": inputs, "outputs": outputs}
        if found := list(attributes(name, read, header(file), history)):
            record["attributes"] = found
        single = known.SINGLE.get(
            name,
            True
            if re.search(r"one_blob_only = true", text)
            and name != "Input"
            and "pd.get" not in text.partition("one_blob_only")[0]
            else None,
        )
        if single:
            record["single"] = single
        for key, facts in (("counts", known.COUNTS), ("demands", known.DEMANDS), ("weights", known.WEIGHTS)):
            if name in facts:
                record[key] = facts[name]
        if name in known.UNBUILT:
            record["built"] = False
        if (since := first_release(history, file)) > history[0][0]:
            record["since"] = since
        disagree(name, section, read, found)
        yield name, record


def first_release(
    history: list[tuple[int, dict[str, dict[str, Get]]]], file: str, key: str = "", label: str = ""
) -> int:
    """Return the release since which a layer exists, or since which it reads a parameter of this id in this meaning."""
    first = history[-1][0]
    for release, files in reversed(history):
        if file not in files or (key and (key not in files[file] or (files[file][key][0], label) in known.CHANGED)):
            break
        first = release
    return first


def attributes(
    name: str, read: dict[str, Get], header: str, history: list[tuple[int, dict[str, dict[str, Get]]]]
) -> Iterator[dict[str, Any]]:
    file = name.lower()
    labels = {label: key for key, (label, _) in read.items()}
    start = first_release(history, file)
    for key in sorted(read, key=int):
        label, default = read[key]
        facts = {"name": key, "label": label, **value_of(default, labels)}
        if label in known.FLOATS:
            facts["kind"] = "floats"
        facts |= known.facts_of(name, label)
        if label in _ENUMS and (enum := _ENUM.search(header)):
            words = {value: word.partition("_")[2] for word, value in re.findall(r"(\w+) = (\d+)", enum[1])}
            facts |= {"values": list(words), "words": words}
        if (since := first_release(history, file, key, label)) > start:
            facts["since"] = since
        yield facts
    former = {key: (release, files[file][key][0]) for release, files in history if file in files for key in files[file]}
    for key, (until, label) in former.items():
        if key not in read and label != "fusion_relu":
            yield {"name": key, "label": label, "kind": "any", "until": until}


def disagree(name: str, section: str, read: dict[str, Get], found: list[dict[str, Any]]) -> None:
    """Print where the document says something else than the source."""
    told = {key: (label, kind, default) for key, label, kind, default in _ROW.findall(section)}
    for key in sorted({*told, *read}, key=int):
        if key not in told or key not in read:
            print(
                f"{name} {key} ({(told.get(key) or read[key])[0]}): {'not in the document' if key in read else 'not read by the source'}"
            )
        else:
            label, kind, default = told[key]
            facts = next(facts for facts in found if facts["name"] == key)
            kinds = {"array": ("ints", "floats"), "str": ("string",)}.get(kind, (kind,))
            if label != facts["label"] or facts["kind"] not in kinds:
                print(f"{name} {key}: the document says {label} {kind}, the source {facts['label']} {facts['kind']}")
            shown = read[key][1]
            if _plain(default) != _plain(shown):
                print(f"{name} {key} ({label}): default {default} in the document, {shown} in the source")


def _plain(default: str) -> str:
    text = default.strip().replace("sqrtf", "sqrt").replace("false", "0").replace("Mat()", "[ ]").replace('""', "")
    return str(float(text.rstrip("f"))) if re.fullmatch(r"-?[\d.]+f?", text) else text


def main(checkout: str, source: str = "", release: str = "") -> None:
    history = list(releases(checkout))
    latest = git(checkout, "tag", "--sort=refname").split()[-1]
    if source:
        folder = Path(source) / "layer"
        text: Read = lambda file: (folder / f"{file}.cpp").read_text("utf-8")  # noqa: E731
        header: Read = lambda file: (folder / f"{file}.h").read_text("utf-8")  # noqa: E731
        history.append((int(release), {path.stem: gets(path.read_text("utf-8")) for path in folder.glob("*.cpp")}))
    else:
        text = lambda file: git(checkout, "show", f"{latest}:src/layer/{file}.cpp")  # noqa: E731
        header = lambda file: git(checkout, "show", f"{latest}:src/layer/{file}.h")  # noqa: E731
    document = git(checkout, "show", f"HEAD:{DOCUMENT}")
    lines = [
        f"{json.dumps(name)}: {json.dumps(record, separators=(',', ':'))}"
        for name, record in operators(document, header, text, history)
    ]
    head = {
        "dialect": "ncnn",
        "version": str(history[-1][0]),
        "note": NOTE,
        "releases": [number for number, _ in history],
        "common": known.COMMON,
        "elsewhere": known.ELSEWHERE,
    }
    start = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    TABLE.write_text(f'{{\n{start},\n"operators": {{\n' + ",\n".join(lines) + "\n}\n}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
