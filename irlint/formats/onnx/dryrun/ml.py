"""The dry-run operators of ai.onnx.ml: features, labels, linear models, support vectors, trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.onnx.dryrun.calls import (
    Make,
    NodeAttrs,
    Setting,
    always,
    demanding,
    from_opset,
    having,
    needed,
    of,
    taking,
)

_USUAL_NUMBER, _USUAL_WORD = of("default_int64", -1), of("default_string", "_Unused")
CALLS: dict[str, Make] = {
    "ArrayFeatureExtractor": having("onnx/classic.Extract"),
    "Binarizer": taking("onnx/classic.Binarize", threshold=0.0),
    "Scaler": taking("onnx/classic.OffsetScale", offset=(0.0,), scale=(1.0,)),
    "Normalizer": taking("onnx/classic.NormalizeRows", norm="MAX"),
    "FeatureVectorizer": taking("onnx/classic.JoinColumns", widths=of("inputdimensions", ())),
    "OneHotEncoder": taking(
        "onnx/classic.HotColumns", categories=Setting(lambda a: _either(a, "cats_strings", "cats_int64s"))
    ),
    "Imputer": taking(
        "onnx/classic.Impute",
        imputed=Setting(lambda a: _either(a, "imputed_value_floats", "imputed_value_int64s")),
        replaced=Setting(
            lambda a: (
                a.get("replaced_value_float", 0.0)
                if a.get("imputed_value_floats", ())
                else a.get("replaced_value_int64", 0)
            )
        ),
    ),
    "CategoryMapper": taking(
        "onnx/classic.MapEither",
        numbers=of("cats_int64s", ()),
        words=of("cats_strings", ()),
        number=_USUAL_NUMBER,
        word=_USUAL_WORD,
    ),
}


def _either(a: NodeAttrs, name: str, other: str) -> tuple[Any, ...]:
    """Return a list that is in one of two attributes."""
    found: tuple[Any, ...] = a.get(name, ()) or a.get(other, ())
    return found


# Element types of lists of labels, and the label of what is not in the list
_LABELS: dict[str, tuple[str, str, Any]] = {
    "strings": ("string", "default_string", "_Unused"),
    "int64s": ("int64", "default_int64", -1),
    "floats": ("float32", "default_float", -0.0),
}


def _label_encoder(a: NodeAttrs) -> Call:
    call = from_opset(2, _labelling, _numbering)(a)
    kinds = [kind for name, (kind, *_) in _LABELS.items() if f"keys_{name}" in a]
    kinds += [a.values["keys_tensor"].dtype] if "keys_tensor" in a else []
    if kinds and a.opset >= 4:  # older schemas list pairs of types
        call.demands = ((f"_/{kinds[0]}", ("X",)),)
    return call


_numbering = taking(
    "onnx/classic.MapEither",
    numbers=Setting(lambda a: tuple(range(len(a.need("classes_strings", tuple))))),
    words=needed("classes_strings", tuple),
    number=_USUAL_NUMBER,
    word=_USUAL_WORD,
)


def _labelling(a: NodeAttrs) -> Call:
    keys = next((a.values[f"keys_{kind}"] for kind in (*_LABELS, "tensor") if f"keys_{kind}" in a), None)
    values = a.values.get("values_tensor")
    if values is not None:
        default, dtype = a.values.get("default_tensor"), values.dtype
        nothing = _entries(default)[0] if default is not None else "_Unused" if dtype == "string" else -1
    else:
        kind = next((kind for kind in _LABELS if f"values_{kind}" in a), None)
        if kind is None:
            raise Undecided
        dtype, name, usual = _LABELS[kind]
        values, nothing = a.need(f"values_{kind}", tuple), a.get(name, usual)
    attrs = {"keys": _entries(keys), "values": _entries(values), "default": nothing, "dtype": dtype}
    return Call(operator("onnx/classic.MapLabels"), attrs)


CALLS["LabelEncoder"] = _label_encoder


def _entries(found: Any) -> tuple[Any, ...]:
    """Return the elements of an attribute that is a list or a tensor."""
    if isinstance(found, tuple):
        return found
    if found is None:
        raise Undecided
    return tuple(found.array().ravel().tolist())


_LABELS_OF_TREES = Setting(lambda a: _either(a, "classlabels_strings", "classlabels_int64s"))
_LABELS_OF_OTHERS = Setting(lambda a: _either(a, "classlabels_strings", "classlabels_ints"))
_SCORES: dict[str, Any] = {"coefficients": (), "how": of("post_transform", "NONE")}


def _zip_map(a: NodeAttrs) -> Call:
    strings, numbers = a.get("classlabels_strings", ()), a.get("classlabels_int64s", ())
    if bool(strings) == bool(numbers):
        got = "both" if strings else "neither"
        rule = R.value_not_allowed if strings else R.missing_attribute
        raise ShapeError(rule, f"expected `classlabels_strings` or `classlabels_int64s`, got {got}", "node")
    key = "classlabels_strings" if strings else "classlabels_int64s"
    return Call(operator("onnx/classic.ZipColumns"), {"labels": a.need(key, tuple), "key": key})


CALLS["ZipMap"] = _zip_map


CALLS["LinearRegressor"] = taking("onnx/classic.LinearScores", intercepts=(), count=of("targets", 1), **_SCORES)
CALLS["LinearClassifier"] = taking("onnx/classic.LinearClassifier", intercepts=(), labels=_LABELS_OF_OTHERS, **_SCORES)


def _numbers(a: NodeAttrs, name: str) -> Any:
    """Return numbers, which may be a tensor for more digits."""
    if f"{name}_as_tensor" in a:
        return a.values[f"{name}_as_tensor"].array().ravel()
    return np.array(a.get(name, ()), np.float32)


def _built(a: NodeAttrs, what: str) -> Any:
    """Return the trees, and the places, targets and weights of their leaves."""
    from irlint.dryrun.kernels.classic import listed_trees

    trees, places = listed_trees(
        a.need("nodes_treeids", tuple),
        a.need("nodes_nodeids", tuple),
        a.need("nodes_featureids", tuple),
        a.need("nodes_modes", tuple),
        _numbers(a, "nodes_values"),
        a.need("nodes_truenodeids", tuple),
        a.need("nodes_falsenodeids", tuple),
        a.get("nodes_missing_value_tracks_true", ()),
    )
    leaves = zip(a.need(f"{what}_treeids", tuple), a.need(f"{what}_nodeids", tuple), strict=True)
    return trees, [places[key] for key in leaves], a.need(f"{what}_ids", tuple), _numbers(a, f"{what}_weights")


def _columns(a: NodeAttrs, what: str) -> int:
    """Return how many columns the trees need; raise unless the children of every node and the nodes of all leaves are listed."""
    trees, modes = a.need("nodes_treeids", tuple), a.need("nodes_modes", tuple)
    numbers = list(zip(trees, a.need("nodes_nodeids", tuple), strict=True))
    known = set(numbers)
    reached = {number for number, before in zip(numbers, (None, *trees), strict=False) if number[0] != before}
    for name in ("nodes_truenodeids", "nodes_falsenodeids"):
        for (tree, node), child, mode in zip(numbers, a.need(name, tuple), modes, strict=True):
            if mode != "LEAF":
                if (tree, child) not in known:
                    message = f"node {node} of tree {tree} has an unknown child {child} in `{name}`"
                    raise ShapeError(R.value_out_of_range, message, f"attr:{name}")
                reached.add((tree, child))
    for leaf in zip(a.need(f"{what}_treeids", tuple), a.need(f"{what}_nodeids", tuple), strict=True):
        if leaf not in known:
            message = f"unknown node {leaf[1]} of tree {leaf[0]} in `{what}_nodeids`"
            raise ShapeError(R.value_out_of_range, message, f"attr:{what}_nodeids")
    asked = zip(numbers, a.need("nodes_featureids", tuple), modes, strict=True)
    return _wanted([column for number, column, mode in asked if mode != "LEAF" and number in reached])


def _wanted(columns: list[int]) -> int:
    """Return how many columns there must be; onnxruntime 1.32 does not look at those of nodes that it cannot reach."""
    if columns and min(columns) < 0:
        message = f"expected no negative number in `nodes_featureids`, got {min(columns)}"
        raise ShapeError(R.value_out_of_range, message, "attr:nodes_featureids")
    return max(columns, default=-1) + 1


def _base(a: NodeAttrs) -> Sequence[float]:
    found: Sequence[float] = (
        _numbers(a, "base_values").tolist() if "base_values_as_tensor" in a else a.get("base_values", ())
    )
    return found


def _trees(what: str) -> dict[str, Any]:
    return {
        "build": Setting(lambda a: partial(_built, a, what)),
        "columns": Setting(lambda a: _columns(a, what)),
        "base": Setting(_base),
        "how": of("post_transform", "NONE"),
    }


def _is_binary(a: NodeAttrs) -> bool:
    return len(_LABELS_OF_TREES.read(a)) == 2 and len(set(a.need("class_ids", tuple))) == 1


# onnx infers no types before opset 3, and onnxruntime 1.32 runs a list as one row
_MATRICES = ("[_,_]", "X")
CALLS["TreeEnsembleRegressor"] = demanding(
    taking(
        "onnx/classic.TreeScores", **_trees("target"), count=of("n_targets", 1), fold=of("aggregate_function", "SUM")
    ),
    _MATRICES,
    opset=3,
)
CALLS["TreeEnsembleClassifier"] = demanding(
    taking(
        "onnx/classic.TreeClassifier",
        labels=_LABELS_OF_TREES,
        **_trees("class"),
        fold=always("SUM"),
        is_binary=Setting(_is_binary),
        positive=Setting(lambda a: all(weight >= 0 for weight in a.values.get("class_weights", ()))),
    ),
    _MATRICES,
    opset=3,
)
_MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER")
_FOLDS = ("AVERAGE", "SUM", "MIN", "MAX")
_AFTER = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def _joined(a: NodeAttrs) -> Any:
    """Return the trees of TreeEnsemble, whose leaves are a table of their own behind that of the other nodes."""
    from irlint.dryrun.kernels.classic import Trees

    codes = a.values["nodes_modes"].array().ravel().tolist()
    count = len(codes)
    leaves = len(a.need("leaf_targetids", tuple))
    splits = a.values["nodes_splits"].array().ravel()

    def children(name: str) -> Any:
        ends = a.get(f"nodes_{name}leafs", (0,) * count)
        ids = a.need(f"nodes_{name}nodeids", tuple)
        return np.array([*(k + count if end else k for k, end in zip(ids, ends, strict=True)), *(0,) * leaves])

    members: dict[int, Any] = {}
    listed = a.values["membership_values"].array().ravel() if "membership_values" in a else np.zeros(0)
    groups = np.split(listed, np.flatnonzero(np.isnan(listed)) + 1)
    sets = iter(groups)
    for k, code in enumerate(codes):
        if _MODES[code] == "BRANCH_MEMBER":
            members[k] = next(sets)
    tracks = a.get("nodes_missing_value_tracks_true", ()) or (0,) * count
    trees = Trees(
        np.array(a.need("tree_roots", tuple)),
        np.array([*a.need("nodes_featureids", tuple), *(0,) * leaves]),
        [*(_MODES[code] for code in codes), *("LEAF",) * leaves],
        np.concatenate([splits, np.zeros(leaves, splits.dtype)]),
        children("true"),
        children("false"),
        np.array([*tracks, *(0,) * leaves]) != 0,
        members,
    )
    weights = a.values["leaf_weights"].array().ravel()
    return trees, np.arange(count, count + leaves), a.need("leaf_targetids", tuple), weights


def _walked(a: NodeAttrs) -> int:
    """Return how many columns the trees of TreeEnsemble need; raise unless its nodes refer to others and to leaves."""
    features, leaves = a.need("nodes_featureids", tuple), len(a.need("leaf_targetids", tuple))
    sides = [
        (f"nodes_{side}nodeids", a.need(f"nodes_{side}nodeids", tuple), a.need(f"nodes_{side}leafs", tuple))
        for side in ("true", "false")
    ]
    seen: dict[int, int] = {}  # which tree has reached a node
    waiting = [("tree_roots", root, tree) for tree, root in enumerate(a.need("tree_roots", tuple))]
    while waiting:
        name, node, tree = waiting.pop()
        if not 0 <= node < len(features):
            message = f"unknown node {node} in `{name}`; expected 0 to {len(features) - 1}"
            raise ShapeError(R.value_out_of_range, message, f"attr:{name}")
        if node in seen:
            if seen[node] == tree:
                raise ShapeError(R.value_out_of_range, f"node {node} is reached more than once", f"attr:{name}")
            continue
        seen[node] = tree
        for name, ids, ends in sides:
            if not ends[node]:
                waiting.append((name, ids[node], tree))
            elif not 0 <= ids[node] < leaves:
                message = f"unknown leaf {ids[node]} in `{name}`; expected 0 to {leaves - 1}"
                raise ShapeError(R.value_out_of_range, message, f"attr:{name}")
    return _wanted([features[node] for node in seen])


def _tree_ensemble(a: NodeAttrs) -> Call:
    kind = a.values["nodes_splits"].dtype
    for name in ("leaf_weights", "membership_values"):
        if name in a and a.values[name].dtype != kind:
            message = f"expected {kind} for `{name}`, as in `nodes_splits`, got {a.values[name].dtype}"
            raise ShapeError(R.dtype_mismatch, message, f"attr:{name}")
    attrs = {
        "build": partial(_joined, a),
        "columns": _walked(a),
        "count": a.get("n_targets", 1),
        "fold": _FOLDS[a.get("aggregate_function", 1)],
        "base": (),
        "how": _AFTER[a.get("post_transform", 0)],
        "dtype": kind,
    }
    call = Call(operator("onnx/classic.TreeScores"), attrs)
    call.demands = ((f"[_,_]/{kind}", ("X",)),)
    return call


CALLS["TreeEnsemble"] = _tree_ensemble


_VECTORS: dict[str, Any] = {
    "kernel": of("kernel_type", "LINEAR"),
    "parameters": of("kernel_params", ()),
    "vectors": of("support_vectors", ()),
    "rho": (0.0,),
    **_SCORES,
}


def _width(a: NodeAttrs) -> int:
    """Return how many scores there are: one of each class, or one of each pair of classes."""
    labels = len(_LABELS_OF_OTHERS.read(a))
    return labels if a.get("prob_a", ()) or labels == 2 else labels * (labels - 1) // 2


CALLS["SVMRegressor"] = taking("onnx/classic.VectorScore", count=of("n_supports", 0), one_class=False, **_VECTORS)
CALLS["SVMClassifier"] = taking(
    "onnx/classic.VectorClassifier",
    labels=_LABELS_OF_OTHERS,
    counts=of("vectors_per_class", ()),
    prob_a=(),
    prob_b=(),
    width=Setting(_width),
    **_VECTORS,
)
