"""Single defects planted into valid models, from a seed: what was changed, and on which line it shows."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from .damage import TEXTUAL
from .layout import LAYOUTS, Pairs, Path, Raw, render
from .models import MODELS, model

Document = dict[str, Any]


class Mutant(NamedTuple):
    kind: str
    change: str
    text: str
    line: int
    last: int  # of a list, the line of its end; of broken text, the line after
    span: tuple[int, int] | None = None  # of the value that is wrong


class Planted(NamedTuple):
    """A changed document and the part that is wrong; None if this kind of defect cannot be planted there."""

    path: Path
    change: str


OTHER = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2.5,
    "",
    "x",
    "1",
    "true",
    [],
    [1],
    [1, 2],
    ["x"],
    [True],
    [[1]],
    {},
    {"x": 1},
    [1, "x"],
    [None],
)


def _ops(document: Document) -> list[Any]:
    ops: list[Any] = document["ops"]
    return ops


def _paths(value: Any, path: Path = ()) -> list[Path]:
    found = [path]
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found += _paths(child, (*path, key))
    return found


def _get(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document


def _set(document: Any, path: Path, value: Any) -> None:
    _get(document, path[:-1])[path[-1]] = value


def _pick(rng: random.Random, document: Document, test: Callable[[Path], bool]) -> Path | None:
    paths = [path for path in _paths(document) if test(path)]
    return rng.choice(paths) if paths else None


def _is_value(path: Path) -> bool:
    return len(path) == 5 and path[2] == "params" and path[4] == "value"


def _is_reference(path: Path) -> bool:
    return len(path) == 5 and path[2] == "tensors_in" and path[4] == "name"


def _is_definition(path: Path) -> bool:
    return len(path) == 5 and path[2] == "tensors_out" and path[4] == "name"


def _is_argument(path: Path) -> bool:
    return len(path) == 5 and path[4] == "arg_name"


def _element(path: Path, old: list[Any], new: list[Any]) -> Path:
    """The one element in which two lists differ, else the list."""
    different = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b] if len(old) == len(new) else []
    return (*path, different[0]) if len(different) == 1 else path


def _typo(rng: random.Random, word: str) -> str:
    if not word:
        return "x"
    at = rng.randrange(len(word))
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + rng.choice("abxyz_1") + word[at:],
            word + "s",
            word.upper(),
            word.capitalize(),
        )
    )


def retype(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path))
    assert path
    _set(document, path, value := copy.deepcopy(rng.choice(OTHER)))
    return Planted(path, f"is {value!r}")


def retype_value(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, _is_value)
    if path is None:
        return None
    old = _get(document, path)
    choices: list[Any] = [old, str(old), [old], None, True, False, 1, 0, "true", [], {}, [[1]], [1, "x"], 1.5]
    if isinstance(old, list):
        choices += [old[0], [str(x) for x in old], ", ".join(map(str, old)), [old], [None], [*old, None], [*old, "1"]]
    _set(document, path, value := rng.choice(choices[1:]))
    return Planted(path, f"is {value!r}")


def drop_member(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(path[-1], str))
    assert path
    del _get(document, path[:-1])[path[-1]]
    return Planted(path[:-1], f"lacks {path[-1]!r}")


def drop_item(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(path[-1], int))
    if path is None:
        return None
    del _get(document, path[:-1])[path[-1]]
    return Planted((*path[:-1], "key") if len(path) == 4 else path[:-1], f"lacks item {path[-1]}")


def repeat_item(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(path[-1], int))
    if path is None:
        return None
    items = _get(document, path[:-1])
    at = rng.choice((path[-1] + 1, len(items)))
    items.insert(at, copy.deepcopy(items[path[-1]]))
    inner = {2: ("name",), 4: ("arg_name",)}.get(len(path))
    return Planted((*path[:-1], at, *inner) if inner else path[:-1], "is repeated")


def swap_items(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(
        rng,
        document,
        lambda path: len(path) in (3, 5) and isinstance(_get(document, path), list) and len(_get(document, path)) > 1,
    )
    if path is None:
        return None
    items = _get(document, path)
    a, b = rng.sample(range(len(items)), 2)
    items[a], items[b] = items[b], items[a]
    return Planted(path, f"items {a} and {b} are swapped")


def move_op(rng: random.Random, document: Document) -> Planted | None:
    ops = _ops(document)
    a, b = rng.sample(range(len(ops)), 2)
    ops.insert(b, ops.pop(a))
    later: set[str] = set()
    for i in range(len(ops) - 1, -1, -1):
        later |= {t["name"] for t in ops[i]["tensors_out"]}
    defined: set[str] = set()
    for i, each in enumerate(ops):
        for k, tensor in enumerate(each["tensors_in"]):
            if tensor["name"] not in defined:
                return Planted(("ops", i, "tensors_in", k, "name"), f"op {a} is moved to {b}")
        defined |= {t["name"] for t in each["tensors_out"]}
    return Planted(("ops", b), f"op {a} is moved to {b}")


def misspell_key(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(path[-1], str))
    assert path
    holder = _get(document, path[:-1])
    new = _typo(rng, path[-1])
    members = [(new if key == path[-1] else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(members)
    return Planted((*path[:-1], new, "key"), f"key {path[-1]!r} is {new!r}")


def misspell_reference(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, _is_reference)
    if path is None:
        return None
    _set(document, path, new := _typo(rng, _get(document, path)))
    return Planted(path, f"reads {new!r}")


def misspell_definition(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, _is_definition)
    assert path
    _set(document, path, new := _typo(rng, _get(document, path)))
    return Planted(path, f"writes {new!r}")


def other_reference(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, _is_reference)
    if path is None:
        return None
    names = [t["name"] for each in _ops(document) for t in each["tensors_out"]]
    _set(document, path, new := rng.choice(names))
    return Planted(path, f"reads {new!r}")


def repeat_definition(rng: random.Random, document: Document) -> Planted | None:
    names = [
        ("ops", i, "tensors_out", k, "name")
        for i, each in enumerate(_ops(document))
        for k in range(len(each["tensors_out"]))
    ]
    if len(names) < 2:
        return None
    a, b = sorted(rng.sample(range(len(names)), 2))
    _set(document, names[b], new := _get(document, names[a]))
    return Planted(names[b], f"writes {new!r} again")


def repeat_op_name(rng: random.Random, document: Document) -> Planted | None:
    a, b = sorted(rng.sample(range(len(_ops(document))), 2))
    _ops(document)[b]["name"] = _ops(document)[a]["name"]
    return Planted(("ops", b, "name"), "has the name of another")


def misspell_argument(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, _is_argument)
    assert path
    _set(document, path, new := _typo(rng, _get(document, path)))
    return Planted(path, f"is called {new!r}")


def other_argument(rng: random.Random, document: Document) -> Planted | None:
    """One argument gets the name of another of the same operator."""
    path = _pick(rng, document, _is_argument)
    assert path
    holder = _get(document, path[:3])
    names = [entry["arg_name"] for entry in holder if entry["arg_name"] != _get(document, path)]
    names += ["src", "dst", "src1", "axis"]
    _set(document, path, new := rng.choice(names))
    return Planted(path, f"is called {new!r}")


def extra_argument(rng: random.Random, document: Document) -> Planted | None:
    i = rng.randrange(len(_ops(document)))
    key = rng.choice(("tensors_in", "tensors_out", "params"))
    names = [t["name"] for each in _ops(document)[:i] for t in each["tensors_out"]] or ["nothing"]
    entry = {
        "tensors_in": {"arg_name": rng.choice(("src", "src9", "extra")), "name": rng.choice(names)},
        "tensors_out": {"arg_name": rng.choice(("dst", "dst9", "extra")), "name": "extra_tensor"},
        "params": {"arg_name": rng.choice(("axis", "extra", "dims")), "value": rng.choice((1, "x", [1], True))},
    }[key]
    _ops(document)[i][key].append(entry)
    return Planted(("ops", i, key, len(_ops(document)[i][key]) - 1, "arg_name"), f"has another {key}: {entry}")


def other_number(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(
        rng,
        document,
        lambda path: len(path) in (5, 6) and path[2] == "params" and type(_get(document, path)) in (int, float),
    )
    if path is None:
        return None
    old = _get(document, path)
    numbers = [
        old + 1,
        old - 1,
        -old,
        0,
        1,
        2,
        3,
        5,
        7,
        -1,
        old * 2,
        old + 0.5,
        1000,
        70000,
        10**12,
        -(10**12),
        1e300,
        0.4,
        2.0,
    ]
    _set(document, path, new := rng.choice(numbers))
    return Planted(path, f"{old} is {new}")


def other_list(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: _is_value(path) and isinstance(_get(document, path), list))
    if path is None:
        return None
    old = _get(document, path)
    lists = [
        old[:-1] or [1],
        [*old, 1],
        [*old, old[-1]],
        old[::-1],
        [1] * len(old),
        [old[0]],
        [*old, *old],
        [1] * 9,
        [2, 3],
        [6],
    ]
    _set(document, path, new := rng.choice(lists))
    return Planted(_element(path, old, new), f"{old} is {new}")


def other_dims(rng: random.Random, document: Document) -> Planted | None:
    """A tensor is created with another shape."""
    path = _pick(rng, document, lambda path: _is_value(path) and _get(document, path[:4])["arg_name"] == "dims")
    if path is None:
        return None
    old = _get(document, path)
    k = rng.randrange(len(old))
    lists = [
        old[::-1],
        [*old[:k], old[k] + rng.choice((1, 2, -1)), *old[k + 1 :]],
        [1, *old],
        [*old, 1],
        old[1:] or [1],
        [4],
        [2, 3],
    ]
    _set(document, path, new := rng.choice(lists))
    return Planted(_element(path, old, new), f"dims {old} is {new}")


WORDS = (
    "TL_FLOAT", "TL_INT32", "TL_INT8", "TL_UINT8", "TL_DOUBLE", "TL_BOOL", "TL_INT64", "TL_HALF", "float32", "TL_SUM", "TL_DIV", "TL_ADD",
    "TL_NEAREST", "TL_LINEAR", "bilinear", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER", "SAME", "TL_SORT_DIR_ASCENDING", "up", "",
)  # fmt: skip


def other_word(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: _is_value(path) and isinstance(_get(document, path), str))
    if path is None:
        return None
    old = _get(document, path)
    _set(document, path, new := rng.choice((*WORDS, _typo(rng, old), old.lower(), old + " ")))
    return Planted(path, f"{old!r} is {new!r}")


def other_optype(rng: random.Random, document: Document) -> Planted | None:
    i = rng.randrange(len(_ops(document)))
    old = _ops(document)[i]["optype"]
    words = sorted({each["optype"] for name in MODELS for each in model(name)["ops"]})
    _ops(document)[i]["optype"] = new = rng.choice(
        (_typo(rng, old), old + " ", f"{old}_cpu", f"{old}_cuda", rng.choice(words))
    )
    return Planted(("ops", i, "optype"), f"{old} is {new}")


def extra_member(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: isinstance(_get(document, path), dict))
    assert path is not None
    key = rng.choice(("comment", "dims", "offset_h", "offset_l", "mem_sizes_l", "mem_sizes_h", "ops", "_note"))
    if key in _get(document, path):
        return None
    _get(document, path)[key] = value = copy.deepcopy(rng.choice(OTHER))
    return Planted((*path, key), f"{key!r}: {value!r}")


def repeat_member(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(path[-1], str))
    assert path
    members = list(_get(document, path[:-1]).items())
    members.insert(rng.randrange(len(members) + 1), (path[-1], copy.deepcopy(rng.choice(OTHER))))
    return _replaced(document, path[:-1], Pairs(members), (*path, "key"), "is there twice")


def key_case(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(path[-1], str))
    assert path
    new = rng.choice((path[-1].upper(), path[-1].title(), path[-1].swapcase()))
    members = [(new if key == path[-1] else key, value) for key, value in _get(document, path[:-1]).items()]
    return _replaced(document, path[:-1], Pairs(members), (*path[:-1], new, "key"), f"key {new!r}")


def odd_number(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(
        rng,
        document,
        lambda path: len(path) in (5, 6) and path[2] == "params" and type(_get(document, path)) in (int, float),
    )
    if path is None:
        return None
    text = rng.choice(
        ("01", "1.", ".5", "-.5", "+1", "0x1", "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e", "1e+", "--1", "00", "1.e1",
         "1" * 63, "1" * 64, "1" * 400, "1.0", "2E0", "1e-400", "-0", "-", "1_000", "1e5000", "0b1", "1f", "nan", "1,5")
    )  # fmt: skip
    _set(document, path, Raw(text))
    return Planted(path, f"number {text[:70]}")


def odd_string(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: bool(path) and isinstance(_get(document, path), str))
    assert path
    old = _get(document, path)
    text = rng.choice(
        (f"'{old}'", old, f'"{old}\\x41"', f'"{old}\\u0000z"', f'"{old}\\ud800"', f'"{old}\\u00e9"', f'"{old}\t"',
         f'"{old}\n"', f'"{old}\\n"', f'"{old} // x"', f'"{old}\\" // x"', f'"{old}\\" /* x"', f'"{old}', f'"{old}\\', f'{old}"',
         f'"{old}\\ud83d\\ude00"', f'"{old}\\u12"',
         f'"{old}\\/"', f'"{old}\\q"', f'"{old} /* x */"')
    )  # fmt: skip
    _set(document, path, Raw(text))
    return Planted(path, f"string {text!r}")


def odd_literal(rng: random.Random, document: Document) -> Planted | None:
    path = _pick(rng, document, lambda path: _is_value(path) and isinstance(_get(document, path), bool))
    if path is None:
        return None
    _set(
        document,
        path,
        Raw(text := rng.choice(("False", "True", "FALSE", "None", "falsey", "fals", "yes", "undefined"))),
    )
    return Planted(path, f"literal {text}")


def _replaced(document: Document, path: Path, value: Any, at: Path, change: str) -> Planted:
    if path:
        _set(document, path, value)
    else:
        document.clear()
        document["\0"] = value  # the root itself: see plant
    return Planted(at, change)


STRUCTURED = (
    retype, retype_value, drop_member, drop_item, repeat_item, swap_items, move_op, misspell_key, misspell_reference, misspell_definition,
    other_reference, repeat_definition, repeat_op_name, misspell_argument, other_argument, extra_argument, other_number, other_list,
    other_dims, other_word, other_optype, extra_member, repeat_member, key_case, odd_number, odd_string, odd_literal,
)  # fmt: skip


def plant(seed: int, base: str | None = None, kind: str | None = None) -> Mutant | None:
    """One mutant; the same for the same seed. None where this kind of defect finds no place in the model."""
    rng = random.Random(seed)
    name = base or rng.choice(sorted(MODELS))
    layout = rng.choice(sorted(LAYOUTS))
    document = copy.deepcopy(model(name))
    mutate = (
        next(m for m in (*STRUCTURED, *TEXTUAL) if m.__name__ == kind) if kind else rng.choice((*STRUCTURED, *TEXTUAL))
    )
    label = f"{name} {layout}"
    if mutate in TEXTUAL:
        text, at, change = mutate(rng, render(document, layout).text)  # type: ignore[arg-type, misc]
        line = text.count("\n", 0, at) + 1
        return Mutant(mutate.__name__, f"{label}: {change}", text, line, line + 1)
    planted = mutate(rng, document)  # type: ignore[arg-type]
    if planted is None:
        return None
    path, change = planted
    rendered = render(document.get("\0", document), layout)
    lines = rendered.line_range(path)
    where = "/".join(map(str, path))
    return Mutant(
        mutate.__name__, f"{label}: {where} {change}", rendered.text, lines[0], lines[-1], rendered.spans.get(path)
    )


TEXTUAL_NAMES = frozenset(mutate.__name__ for mutate in TEXTUAL)
