"""The table of Keras's layers: arguments and defaults by signature, kinds of values by what a loader takes.

Each argument of a layer that can be built is given values of every kind, and a model of that layer is loaded from its configuration.
Usage: PYTHON -m oracle.keras.tables FILE. In tests/, by the Python of .oracle/keras or .oracle/keras-2 (make keras-tables).
"""

from __future__ import annotations

import ast
import copy
import inspect
import json
import os
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oracle.keras import facts

os.environ.setdefault("KERAS_BACKEND", "numpy")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

try:
    import tf_keras as keras
except ImportError:
    import keras

L = keras.layers
IS_2 = keras.__version__.startswith("2.")
SAMPLES: dict[str, list[Any]] = {
    "null": [None], "bool": [True, False], "int": [1, 2, 3], "float": [0.25, 0.5, 1.5], "string": ["no such word"], "ints": [[1], [1, 1], [1, 1, 1], [2, 1], [1, 2]],
    "floats": [[0.25], [0.25, 0.5], [0.25, 0.5, 0.75]], "strings": [["no such word"]], "list": [[[1, 1], [1, 1]], [[1, 1], [1, 1], [1, 1]]], "object": [{"no such key": 1}],
}  # fmt: skip
OPEN = {"inputs": [{"name": "inputs", "kind": "variadic0"}], "outputs": [{"name": "output", "kind": "variadic"}]}
OBJECTS = ("initializers", "regularizers", "constraints")
POLICIES = (
    "DTypePolicy",
    "FloatDTypePolicy",
    "QuantizedDTypePolicy",
    "QuantizedFloat8DTypePolicy",
    "DTypePolicyMap",
    "Policy",
)
COMMON = {"name", "trainable", "dtype"}
# Arguments of any layer, of which those that a loader takes are listed
OF_ALL: dict[str, Any] = {
    "activity_regularizer": None, "autocast": True, "input_shape": [8], "batch_input_shape": [None, 8], "batch_shape": [None, 8], "input_dim": 8, "batch_size": 2, "weights": None,
    "implementation": 1, "dynamic": False, "quantization_config": None,
}  # fmt: skip


NOTHING: Any = ...


def kind_of(value: Any) -> str:
    """Return the word for the kind of a value."""
    if isinstance(value, list | tuple):
        inner = {kind_of(one) for one in value}
        return f"{inner.pop()}s" if len(inner) == 1 and inner <= {"int", "float", "string"} else "list"
    return {type(None): "null", bool: "bool", int: "int", float: "float", str: "string", dict: "object"}.get(
        type(value), ""
    )


def load(config: dict[str, Any], shape: tuple[int, ...], count: int = 1) -> bool:
    """Return whether a model of one layer loads, and takes inputs of a shape."""
    try:
        layer = L.deserialize(copy.deepcopy(config))
        x = [L.Input(shape) for _ in range(count)]
        layer(x if count > 1 else x[0])
    except Exception:
        return False
    return True


def shape_of(name: str, config: dict[str, Any], count: int) -> tuple[int, ...] | None:
    """Return a shape that a layer takes."""
    tried = [facts.SHAPES[name]] if name in facts.SHAPES else facts.ROWS.values()
    return next((shape for shape in tried if load(config, shape, count)), None)


def built(kind: type) -> dict[str, Any] | None:
    """Return the configuration of a layer as Keras writes it."""
    needed = [name for name, one in arguments(kind) if one.default is inspect.Parameter.empty]
    values = facts.BUILT.get(kind.__name__, {name: facts.REQUIRED.get(name) for name in needed})
    if kind.__name__ in facts.HOLDING:
        return None
    try:
        return dict(L.serialize(kind(**values)))
    except Exception:
        return None


def arguments(kind: type) -> list[tuple[str, inspect.Parameter]]:
    """Return the arguments of a class, without those that any layer has."""
    found = inspect.signature(kind.__init__).parameters
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [(name, one) for name, one in found.items() if one.kind in named and name not in ("self", *COMMON)]


def words_of(kind: type) -> list[str]:
    """Return the words in the source of a class and of those that it is made of."""
    found = dict.fromkeys(facts.WORDS)
    for base in kind.__mro__[:-1]:
        if base.__name__ in ("Layer", "Operation", "Module"):
            break
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(sys.modules[base.__module__])))
        except (OSError, TypeError, SyntaxError):
            continue
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and 0 < len(node.value) < 24
                and node.value.replace("_", "").isalnum()
            ):
                found[node.value] = None
    return list(found)


def listed(category: str) -> list[str]:
    """Return the words that mean an activation, an initializer and so on."""
    module = getattr(keras, category)
    names = [
        name for name in dir(module) if not name.startswith("_") and name not in ("get", "serialize", "deserialize")
    ]
    found = []
    for name in dict.fromkeys([*names, *(_snake(name) for name in names), *facts.MORE_WORDS]):
        try:
            module.get(name)
        except Exception:
            continue
        found.append(name)
    return found


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() and k else letter.lower() for k, letter in enumerate(name))


def category_of(name: str) -> str:
    """Return the kind of object that an argument is: activations, initializers and so on."""
    for ending, category in (
        ("activation", "activations"),
        ("initializer", "initializers"),
        ("regularizer", "regularizers"),
        ("constraint", "constraints"),
    ):
        if name.endswith(ending):
            return category
    return ""


def attribute(
    kind: type,
    name: str,
    one: inspect.Parameter,
    config: dict[str, Any] | None,
    shape: Any,
    count: int,
    words: list[str],
) -> dict[str, Any]:
    """Return what is known of an argument."""
    row: dict[str, Any] = {"name": name, "kind": "any"}
    if one.default is inspect.Parameter.empty:
        row["required"] = True
    elif isinstance(one.default, bool | int | float | str | tuple | list) and json.dumps(one.default) != "NaN":
        row["default"] = list(one.default) if isinstance(one.default, tuple) else one.default
    if category := category_of(name):
        return {**row, "kind": "null|string|object", "of": category}
    if config is None or shape is None:
        return {**row, "kind": "int", "min": 1} if name in ("units", "filters", "num_heads", "key_dim") else row

    def takes(value: Any) -> bool:
        return load({**config, "config": {**config["config"], name: value}}, shape, count)

    if name not in config["config"] and not takes(row.get("default")) and not row.get("required"):
        return {}  # an argument of the constructor that no file has
    if takes({"no such key": 1}) and takes(None) and takes("no such word"):
        return row
    taken = {word: [value for value in values if takes(value)] for word, values in SAMPLES.items()}
    kinds = [word for word, values in taken.items() if values or word == kind_of(config["config"].get(name, NOTHING))]
    if name == "data_format":
        return {**row, "kind": "null|string", "values": ["channels_last", "channels_first"]}
    is_word = isinstance(config["config"].get(name), str)
    if is_word and not taken["string"] and (known := [word for word in words if takes(word)]):
        kinds = [*dict.fromkeys((*kinds, "string"))]
        row["values"] = known
    if not kinds or {"null", "string", "int", "object"} <= set(kinds):
        return row
    if "bool" in kinds and "int" in kinds and not isinstance(row.get("default"), bool):
        kinds.remove("bool")
    row["kind"] = "|".join(kinds)
    if taken["int"] and not takes(-2):
        row["min"] = 0 if takes(0) else 1
    if taken["float"] and "int" not in kinds and not takes(-0.5):
        row["min"] = 0
    lengths = {len(value) for value in taken["ints"]}
    if len(lengths) == 1 and name not in ("axis", "axes"):
        row["length"] = lengths.pop()
    return row


def layer(name: str, kind: type) -> dict[str, Any]:
    """Return the row of a layer."""
    count = 2 if name in (*facts.MERGES, *facts.PAIRS, *facts.ATTENTIONS) else 1
    config = built(kind)
    shape = None if config is None or name in facts.QUERIES else shape_of(name, config, count)
    words = words_of(kind)
    rows = [attribute(kind, arg, one, config, shape, count, words) for arg, one in arguments(kind)]
    known = [facts.settled(row) for row in rows if row]
    names = {row["name"] for row in known} | COMMON | OF_ALL.keys()
    known += [{"name": key, "kind": "any"} for key in (config or {"config": {}})["config"] if key not in names]
    row: dict[str, Any] = {
        "inputs": inputs(name, config, shape),
        "outputs": [{"name": "output", "kind": "variadic"}],
        "attributes": known,
    }
    if shape is None:
        print(name, "not measured", file=sys.stderr)
    if shape is not None and name not in facts.SEVERAL:
        row["returns"] = facts.RETURNS.get(name, "1")
    demands = (facts.DEMANDS_OF_2 if IS_2 else facts.DEMANDS).get(name)
    return {**row, **({} if demands is None else {"demands": demands})}


def inputs(name: str, config: dict[str, Any] | None, shape: Any) -> list[dict[str, Any]]:
    if name == "InputLayer":
        return []
    if name in facts.MERGES:
        return [
            {
                "name": "inputs",
                "kind": "variadic",
                **({} if name == "Concatenate" and not load_single(config, shape) else {"least": 2}),
            }
        ]
    if name in facts.PAIRS:
        return [{"name": "first"}, {"name": "second"}]
    if name in facts.ATTENTIONS:
        return [{"name": "query"}, {"name": "value"}, {"name": "more", "kind": "variadic0"}]
    if name in facts.QUERIES:
        return [{"name": "query"}, {"name": "more", "kind": "variadic0"}]
    return [{"name": "inputs"}, {"name": "more", "kind": "variadic0"}]  # states and masks


def load_single(config: Any, shape: Any) -> bool:
    return config is not None and shape is not None and load(config, shape, 1)


def objects() -> Iterator[tuple[str, dict[str, Any]]]:
    for category in OBJECTS:
        module = getattr(keras, category)
        for name in dir(module):
            kind = getattr(module, name)
            if isinstance(kind, type):
                rows = [
                    {"name": arg, "kind": "any", **({"required": True} if one.default is one.empty else {})}
                    for arg, one in arguments(kind)
                ]
                yield f"{category}.{name}", {"attributes": rows}


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of what functions of keras.ops are in a graph."""
    if IS_2:
        return
    from keras.src.ops.operation import Operation

    for word in ("numpy", "nn", "core", "math", "image", "linalg", "einops"):
        module = sys.modules.get(f"keras.src.ops.{word}")
        for name, kind in vars(module).items() if module else ():
            if isinstance(kind, type) and issubclass(kind, Operation) and kind.__module__ == module.__name__:
                rows = [
                    {"name": arg, "kind": "any", **({"required": True} if one.default is one.empty else {})}
                    for arg, one in arguments(kind)
                    if arg not in COMMON
                ]
                yield f"ops.{name}", {**OPEN, "attributes": rows, **({"returns": "1"} if name in facts.SINGLE else {})}


def main(path: str) -> None:
    found: dict[str, Any] = {}
    for name in dir(L):
        kind = getattr(L, name)
        if isinstance(kind, type) and issubclass(kind, L.Layer) and name not in ("Layer", "Wrapper"):
            found.setdefault(kind.__name__, layer(kind.__name__, kind))
            if kind.__name__ != name:
                found[kind.__name__].setdefault("aliases", []).append(name)
    found |= dict(operations()) | dict(objects())
    words = {category: listed(category) for category in ("activations", *OBJECTS)} | {"dtypes": facts.DTYPES}
    dense = L.serialize(L.Dense(4))
    common = [
        *COMMON,
        *(name for name, value in OF_ALL.items() if load({**dense, "config": {**dense["config"], name: value}}, (8,))),
    ]
    for name, row in found.items():
        if "returns" in row or name in facts.HOLDING or name in facts.QUERIES or name.endswith("Cell"):
            known = {one["name"] for one in row["attributes"]}
            row["attributes"] += [{"name": one, "kind": "any"} for one in sorted(common) if one not in known]
    old = () if IS_2 else ("batch_input_shape", "input_shape")  # that Keras 3 still reads
    found["InputLayer"]["attributes"] += [{"name": one, "kind": "any"} for one in (*old, "dtype", "name")]
    for row in found["InputLayer"]["attributes"]:
        if row["name"] == "batch_shape":
            row |= {"required": True, "when": facts.NO_SHAPE}
    found |= {
        name: {**OPEN, "attributes": [{"name": one, "kind": "any"} for one in facts.OF_MODELS]}
        for name in ("Sequential", "Functional", "Model")
    }
    modules = [
        "builtins",
        "keras",
        *sorted(
            f"keras.{name}"
            for name in dir(keras)
            if inspect.ismodule(getattr(keras, name)) and not name.startswith("_")
        ),
    ]
    head = json.dumps({"keras": keras.__version__, "words": words, "modules": modules})[:-1]
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(found.items())]
    Path(path).write_text(head + ', "operators": {\n' + ",\n".join(lines) + "\n}}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
