"""Lists of operators of ai.onnx.ml that depend on each other.

onnxruntime 1.32 refuses those that are empty, too short or of different lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.tensors import TensorData, elements
from irlint.formats.onnx.wire import Tree
from irlint.operators import Attribute
from irlint.text.base import Path, Place
from irlint.text.words import count

_NODES = (
    "nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_modes", "nodes_values", "nodes_truenodeids",
    "nodes_falsenodeids",
)  # fmt: skip
_LEAVES = "treeids", "nodeids", "ids", "weights"
_BRANCHES = (
    "nodes_splits", "nodes_featureids", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids", "nodes_trueleafs",
    "nodes_falseleafs",
)  # fmt: skip
_EQUAL = {  # lists with a value for each node, and for each weight of a leaf
    "Scaler": (("offset", "scale"),),
    "TreeEnsemble": (_BRANCHES, ("leaf_weights", "leaf_targetids")),
    "TreeEnsembleClassifier": (_NODES, tuple(f"class_{word}" for word in _LEAVES)),
    "TreeEnsembleRegressor": (_NODES, tuple(f"target_{word}" for word in _LEAVES)),
}
_IDS = {  # lists of numbers of classes or targets
    "TreeEnsemble": "leaf_targetids",
    "TreeEnsembleClassifier": "class_ids",
    "TreeEnsembleRegressor": "target_ids",
}
_EITHER = {
    "Imputer": ("imputed_value_floats", "imputed_value_int64s"),
    "LinearClassifier": ("classlabels_ints", "classlabels_strings"),
    "OneHotEncoder": ("cats_int64s", "cats_strings"),
    "SVMClassifier": ("classlabels_ints", "classlabels_strings"),
    "TreeEnsembleClassifier": ("classlabels_int64s", "classlabels_strings"),
}
_MULTIPLE = {  # lists with as many values for each class, or for each vector
    "LinearClassifier": "coefficients",
    "SVMClassifier": "support_vectors",
    "SVMRegressor": "support_vectors",
}
_FILLED = {
    "FeatureVectorizer": ("inputdimensions",),
    "LinearClassifier": ("coefficients", "intercepts"),
    "LinearRegressor": ("coefficients",),
    "SVMClassifier": ("coefficients", "rho"),
    "SVMRegressor": ("coefficients", "rho"),
}


def list_problems(call: Tree, path: Path, known: Mapping[str, Attribute], who: str, name: str) -> Iterator[Problem]:
    """Yield what is wrong with the lists of a node of ai.onnx.ml; `known` are the attributes of its operator."""
    op, attributes = call["op_type"], call.get("attribute", ())
    if any("ref_attr_name" in one for one in attributes):
        return
    required = {key for key, one in known.items() if one.required}
    places = {one.get("name", ""): j for j, one in enumerate(attributes)}
    held: dict[str, Any] = {key: value_of(attributes[j]) for key, j in places.items()}
    sizes = {key: len(value) for key, value in held.items() if isinstance(value, tuple)}
    tensors = {key: elements(value.shape) for key, value in held.items() if isinstance(value, TensorData)}

    def wrong(key: str, message: str) -> Problem:
        at = Place((*path, "attribute", places[key], "value") if key in places else (*path, "op_type"))
        return Problem(R.wrong_value_length if key in places else R.missing_attribute, at, message, name)

    for group in _EQUAL.get(op, ()):
        listed = [key for key in group if f"{key}_as_tensor" not in held and not (key in required and key not in held)]
        lengths = {key: sizes.get(key, tensors.get(key, 0)) for key in listed}
        most = Counter(length for length in lengths.values() if length).most_common(1)
        for key, length in lengths.items() if most else ():
            if length != most[0][0]:
                like = next(other for other in group if lengths.get(other) == most[0][0])
                yield wrong(
                    key, f"expected {count(most[0][0], 'value')} for `{key}` of {who}, as in `{like}`, got {length}"
                )
    either = _EITHER.get(op, ())
    labels = sum(sizes.get(key, 0) for key in either)
    if either and not labels:
        words = " or ".join(f"`{key}`" for key in either)
        yield wrong(
            next((key for key in either if key in places), ""), f"expected values for {words} of {who}, got none"
        )
    for key in _FILLED.get(op, ()):
        if sizes.get(key) == 0:
            yield wrong(key, f"expected values for `{key}` of {who}, got none")
            return
    for key, least in _least(op, labels, sizes, held).items():
        if sizes.get(key, 0) < least:
            yield wrong(key, f"expected at least {count(least, 'value')} for `{key}` of {who}, got {sizes.get(key, 0)}")
        elif key == _MULTIPLE[op] and least > 0 and sizes[key] % least:
            yield wrong(key, f"expected a multiple of {least} values for `{key}` of {who}, got {sizes[key]}")
    ids, goals = _IDS.get(op, ""), labels or held.get("n_targets")
    if isinstance(goals, int) and goals > 0 and ids in sizes:
        beyond = [one for one in held[ids] if isinstance(one, int) and not 0 <= one < goals]
        if beyond:
            noun = "class label" if labels else "target"
            yield wrong(ids, f"`{ids}` of {who} has {beyond[0]}, which is not within the {count(goals, noun)}")
    if op == "LabelEncoder":
        yield from _pairs(sizes, wrong, who)
        if "keys_strings" in known:
            yield from _sides({**sizes, **tensors}, wrong, who)
    if op.startswith("SVM") and sizes.get("kernel_params", 0) not in (0, 3):
        message = f"expected 3 values for `kernel_params` of {who}, got {sizes['kernel_params']}"
        yield wrong("kernel_params", message)
    classes = sizes.get("vectors_per_class", 0)
    if op == "SVMClassifier" and labels and classes and classes != labels:
        message = f"expected {count(labels, 'value')} for `vectors_per_class` of {who}, one per class, got {classes}"
        yield wrong("vectors_per_class", message)


def _pairs(sizes: dict[str, int], wrong: Callable[[str, str], Problem], who: str) -> Iterator[Problem]:
    keys, values = (next((key for key in sizes if key.startswith(word)), None) for word in ("keys_", "values_"))
    if keys and values and sizes[keys] != sizes[values]:
        message = f"expected {count(sizes[keys], 'value')} for `{values}` of {who}, one per key, got {sizes[values]}"
        yield wrong(values, message)


def _sides(sizes: dict[str, int], wrong: Callable[[str, str], Problem], who: str) -> Iterator[Problem]:
    """Report keys or values of a LabelEncoder that are missing, or of more than one type."""
    for side in ("keys_", "values_"):
        given = [key for key, size in sizes.items() if key.startswith(side) and size]
        if len(given) != 1:
            got = "none" if not given else f"both {' and '.join(f'`{key}`' for key in given[:2])}"
            message = f"expected one list of {side[:-1]} for {who}, such as `{side}strings`, got {got}"
            yield wrong(given[-1] if given else "", message)


def _least(op: str, labels: int, sizes: dict[str, int], held: dict[str, Any]) -> dict[str, int]:
    """Return how many values lists need at least."""
    if op == "LinearClassifier":
        classes = sizes.get("intercepts", 0)
        words = [key for key in _EITHER[op] if sizes.get(key)]
        return {**dict.fromkeys(words, classes), "coefficients": classes}
    if op == "SVMRegressor":
        vectors = held.get("n_supports", 0)
        return {"coefficients": vectors, "support_vectors": vectors} if isinstance(vectors, int) and vectors > 0 else {}
    if op == "SVMClassifier" and sizes.get("vectors_per_class") == labels:
        vectors = sum(held["vectors_per_class"])
        return {
            "coefficients": (labels - 1) * vectors,
            "support_vectors": vectors,
            "rho": labels * (labels - 1) // 2,
        }
    return {}
