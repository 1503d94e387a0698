"""The dry-run operators of ai.onnx.ml: features, labels, linear models, support vectors, trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun.entries import Entry, Of, Row, Spec, plain
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.formats.onnx.dryrun.calls import NodeAttrs


def _either(label: str, other: str) -> Callable[[NodeAttrs], Any]:
    """Return a list that is in one of two attributes."""
    return lambda v: v[label] or v[other]


_USUAL: dict[str, Spec] = {"number": "default_int64", "word": "default_string"}
CALLS: dict[str, Row] = {
    "ArrayFeatureExtractor": plain("onnx/classic.Extract"),
    "Binarizer": plain("onnx/classic.Binarize", "threshold"),
    "Scaler": plain("onnx/classic.OffsetScale", "offset", "scale"),
    "Normalizer": plain("onnx/classic.NormalizeRows", "norm"),
    "FeatureVectorizer": Entry("onnx/classic.JoinColumns", {"widths": "inputdimensions"}),
    "OneHotEncoder": Entry("onnx/classic.HotColumns", {"categories": _either("cats_strings", "cats_int64s")}),
    "Imputer": Entry(
        "onnx/classic.Impute",
        {
            "imputed": _either("imputed_value_floats", "imputed_value_int64s"),
            "replaced": lambda v: v["replaced_value_float" if v["imputed_value_floats"] else "replaced_value_int64"],
        },
    ),
    "CategoryMapper": Entry("onnx/classic.MapEither", {"numbers": "cats_int64s", "words": "cats_strings", **_USUAL}),
}


# What keys and values of LabelEncoder may be, with their element types
_LABELS = {"strings": "string", "int64s": "int64", "floats": "float32", "tensor": ""}


def _kind(v: NodeAttrs, side: str) -> str:
    """Return which attribute has the keys, or the values; without one the node is not checked."""
    (kind, *_) = [kind for kind in _LABELS if f"{side}_{kind}" in v]
    return kind


def _entries(found: Any) -> tuple[Any, ...]:
    """Return the elements of an attribute that is a list or a tensor."""
    return found if isinstance(found, tuple) else tuple(found.array().ravel().tolist())


def _labels(v: NodeAttrs, side: str) -> Any:
    return _entries(v[f"{side}_{_kind(v, side)}"])


def _label_type(v: NodeAttrs, side: str) -> Any:
    return _LABELS[_kind(v, side)] or v[f"{side}_tensor"].dtype


def _default(v: NodeAttrs) -> Any:
    """Return the label of what is not among the keys."""
    found = v[f"default_{_kind(v, 'values').removesuffix('s')}"]
    if found is None:
        return "_Unused" if v["values_tensor"].dtype == "string" else -1
    return found if isinstance(found, int | float | str) else _entries(found)[0]


_LABELLED = Entry(
    "onnx/classic.MapLabels",
    {
        "keys": lambda v: _labels(v, "keys"),
        "values": lambda v: _labels(v, "values"),
        "default": _default,
        "dtype": lambda v: _label_type(v, "values"),
    },
)
CALLS["LabelEncoder"] = {
    # older schemas list pairs of types
    4: _LABELLED.having(nan=True)._replace(demands=lambda v: [(f"_/{_label_type(v, 'keys')}", ("X",))]),
    2: _LABELLED,
    1: Entry(
        "onnx/classic.MapEither",
        {
            "words": lambda v: v.need("classes_strings"),
            "numbers": lambda v: range(len(v["classes_strings"])),
            **_USUAL,
        },
    ),
}


_LABELS_OF_TREES = _either("classlabels_strings", "classlabels_int64s")
_LABELS_OF_OTHERS = _either("classlabels_strings", "classlabels_ints")
_SCORES: dict[str, Spec] = {"coefficients": "coefficients", "how": "post_transform"}


def _zipped(v: NodeAttrs) -> str:
    """Return the list that has the labels of ZipMap."""
    strings, numbers = v["classlabels_strings"], v["classlabels_int64s"]
    if bool(strings) == bool(numbers):
        got = "both" if strings else "neither"
        rule = R.value_not_allowed if strings else R.missing_attribute
        raise ShapeError(rule, f"expected `classlabels_strings` or `classlabels_int64s`, got {got}", "node")
    return "classlabels_strings" if strings else "classlabels_int64s"


CALLS |= {
    "ZipMap": Entry("onnx/classic.ZipColumns", {"key": _zipped, "labels": _LABELS_OF_TREES}),
    "LinearRegressor": Entry("onnx/classic.LinearScores", {"intercepts": "intercepts", "count": "targets", **_SCORES}),
    "LinearClassifier": Entry(
        "onnx/classic.LinearClassifier", {"intercepts": "intercepts", "labels": _LABELS_OF_OTHERS, **_SCORES}
    ),
}


def _numbers(v: NodeAttrs, name: str) -> Any:
    """Return numbers, which may be a tensor for more digits."""
    if f"{name}_as_tensor" in v:
        return v[f"{name}_as_tensor"].array().ravel()
    return np.array(v[name], np.float32)


def _built(v: NodeAttrs, what: str) -> Any:
    """Return the trees, and the places, targets and weights of their leaves."""
    from irlint.dryrun.kernels.classic import listed_trees

    trees, places = listed_trees(
        v.need("nodes_treeids"),
        v.need("nodes_nodeids"),
        v.need("nodes_featureids"),
        v.need("nodes_modes"),
        _numbers(v, "nodes_values"),
        v.need("nodes_truenodeids"),
        v.need("nodes_falsenodeids"),
        v["nodes_missing_value_tracks_true"],
    )
    leaves = zip(v.need(f"{what}_treeids"), v.need(f"{what}_nodeids"), strict=True)
    return trees, [places[key] for key in leaves], v.need(f"{what}_ids"), _numbers(v, f"{what}_weights")


def _columns(v: NodeAttrs, what: str) -> int:
    """Return how many columns the trees need; raise unless the children of every node and the nodes of all leaves are listed."""
    trees, modes = v.need("nodes_treeids"), v.need("nodes_modes")
    numbers = list(zip(trees, v.need("nodes_nodeids"), strict=True))
    known = set(numbers)
    reached = {number for number, before in zip(numbers, (None, *trees), strict=False) if number[0] != before}
    for name in ("nodes_truenodeids", "nodes_falsenodeids"):
        for (tree, node), child, mode in zip(numbers, v.need(name), modes, strict=True):
            if mode != "LEAF":
                if (tree, child) not in known:
                    message = f"node {node} of tree {tree} has an unknown child {child} in `{name}`"
                    raise ShapeError(R.value_out_of_range, message, f"attr:{name}")
                reached.add((tree, child))
    for leaf in zip(v.need(f"{what}_treeids"), v.need(f"{what}_nodeids"), strict=True):
        if leaf not in known:
            message = f"unknown node {leaf[1]} of tree {leaf[0]} in `{what}_nodeids`"
            raise ShapeError(R.value_out_of_range, message, f"attr:{what}_nodeids")
    asked = zip(numbers, v.need("nodes_featureids"), modes, strict=True)
    return _wanted([column for number, column, mode in asked if mode != "LEAF" and number in reached])


def _wanted(columns: list[int]) -> int:
    """Return how many columns there must be; onnxruntime 1.32 does not look at those of nodes that it cannot reach."""
    if columns and min(columns) < 0:
        message = f"expected no negative number in `nodes_featureids`, got {min(columns)}"
        raise ShapeError(R.value_out_of_range, message, "attr:nodes_featureids")
    return max(columns, default=-1) + 1


def _base(v: NodeAttrs) -> Sequence[float]:
    found: Sequence[float] = _numbers(v, "base_values").tolist() if "base_values_as_tensor" in v else v["base_values"]
    return found


def _trees(word: str, what: str, attrs: Mapping[str, Spec]) -> Entry:
    """Return an operator on trees whose leaves are of what attributes of such a name list."""
    own: dict[str, Spec] = {
        "build": lambda v: partial(_built, v, what),
        "columns": lambda v: _columns(v, what),
        "base": _base,
        "how": "post_transform",
    }
    return Entry(word, {**own, **attrs})


def _only(v: NodeAttrs) -> int | None:
    """Return the one of two classes that all leaves are for, if they are."""
    ids = set(v.need("class_ids"))
    return ids.pop() if len(_LABELS_OF_TREES(v)) == 2 and len(ids) == 1 else None


_REGRESSOR = _trees("onnx/classic.TreeScores", "target", {"count": "n_targets", "fold": "aggregate_function"})
_CLASSIFIER = _trees(
    "onnx/classic.TreeClassifier",
    "class",
    {
        "labels": _LABELS_OF_TREES,
        "only": _only,
        "positive": Of("class_weights", lambda weights: all(weight >= 0 for weight in weights)),
    },
).having(fold="SUM")
# onnx infers no types before opset 3, and onnxruntime 1.32 runs a list as one row
_MATRICES = [("[_,_]", ("X",))]
CALLS |= {
    "TreeEnsembleRegressor": {3: _REGRESSOR._replace(demands=_MATRICES), 1: _REGRESSOR},
    "TreeEnsembleClassifier": {3: _CLASSIFIER._replace(demands=_MATRICES), 1: _CLASSIFIER},
}
_MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER")
_FOLDS = ("AVERAGE", "SUM", "MIN", "MAX")
_AFTER = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def _joined(v: NodeAttrs) -> Any:
    """Return the trees of TreeEnsemble, whose leaves are a table of their own behind that of the other nodes."""
    from irlint.dryrun.kernels.classic import Trees

    codes = v["nodes_modes"].array().ravel().tolist()
    count = len(codes)
    leaves = len(v.need("leaf_targetids"))
    splits = v["nodes_splits"].array().ravel()

    def children(name: str) -> Any:
        ends = v[f"nodes_{name}leafs"]
        ids = v.need(f"nodes_{name}nodeids")
        return np.array([*(k + count if end else k for k, end in zip(ids, ends, strict=True)), *(0,) * leaves])

    listed = v["membership_values"].array().ravel() if "membership_values" in v else np.zeros(0)
    sets = np.split(listed, np.flatnonzero(np.isnan(listed)) + 1)
    asking = [k for k, code in enumerate(codes) if _MODES[code] == "BRANCH_MEMBER"]
    tracks = v["nodes_missing_value_tracks_true"] or (0,) * count
    trees = Trees(
        np.array(v.need("tree_roots")),
        np.array([*v.need("nodes_featureids"), *(0,) * leaves]),
        [*(_MODES[code] for code in codes), *("LEAF",) * leaves],
        np.concatenate([splits, np.zeros(leaves, splits.dtype)]),
        children("true"),
        children("false"),
        np.array([*tracks, *(0,) * leaves]) != 0,
        dict(zip(asking, sets, strict=False)),
    )
    weights = v["leaf_weights"].array().ravel()
    return trees, np.arange(count, count + leaves), v.need("leaf_targetids"), weights


def _walked(v: NodeAttrs) -> int:
    """Return how many columns the trees of TreeEnsemble need; raise unless its nodes refer to others and to leaves."""
    features, leaves = v.need("nodes_featureids"), len(v.need("leaf_targetids"))
    sides = [
        (f"nodes_{side}nodeids", v.need(f"nodes_{side}nodeids"), v.need(f"nodes_{side}leafs"))
        for side in ("true", "false")
    ]
    seen: dict[int, int] = {}  # which tree has reached a node
    waiting = [("tree_roots", root, tree) for tree, root in enumerate(v.need("tree_roots"))]
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


def _split_type(v: NodeAttrs) -> str:
    """Return the element type of TreeEnsemble's tensors; raise unless they have one."""
    kind: str = v["nodes_splits"].dtype
    for name in ("leaf_weights", "membership_values"):
        if name in v and v[name].dtype != kind:
            message = f"expected {kind} for `{name}`, as in `nodes_splits`, got {v[name].dtype}"
            raise ShapeError(R.dtype_mismatch, message, f"attr:{name}")
    return kind


CALLS["TreeEnsemble"] = Entry(
    "onnx/classic.TreeScores",
    {
        "dtype": _split_type,
        "build": lambda v: partial(_joined, v),
        "columns": _walked,
        "count": "n_targets",
        "fold": Of("aggregate_function", _FOLDS.__getitem__),
        "how": Of("post_transform", _AFTER.__getitem__),
    },
    fixed={"base": ()},
    demands=lambda v: [(f"[_,_]/{_split_type(v)}", ("X",))],
)


def _width(v: NodeAttrs) -> int:
    """Return how many scores there are: one of each class, or one of each pair of classes."""
    labels = len(_LABELS_OF_OTHERS(v))
    return labels if v["prob_a"] or labels == 2 or not sum(v["vectors_per_class"]) else labels * (labels - 1) // 2


_VECTORS: dict[str, Spec] = {
    "kernel": "kernel_type",
    "parameters": "kernel_params",
    "vectors": "support_vectors",
    "rho": "rho",
    **_SCORES,
}
CALLS |= {
    "SVMRegressor": Entry("onnx/classic.VectorScore", {"count": "n_supports", "one_class": "one_class", **_VECTORS}),
    "SVMClassifier": Entry(
        "onnx/classic.VectorClassifier",
        {
            "labels": _LABELS_OF_OTHERS,
            "counts": "vectors_per_class",
            "prob_a": "prob_a",
            "prob_b": "prob_b",
            "width": _width,
            **_VECTORS,
        },
    ),
}
