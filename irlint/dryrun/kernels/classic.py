"""Models of classic machine learning: scores of classes, trees, support vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np

_TESTS = {
    "BRANCH_LEQ": "less_equal", "BRANCH_LT": "less", "BRANCH_GTE": "greater_equal", "BRANCH_GT": "greater",
    "BRANCH_EQ": "equal", "BRANCH_NEQ": "not_equal",
}  # fmt: skip


def transformed(scores: Any, how: str) -> Any:
    """Return scores of classes after a function that makes probabilities of them; onnxruntime 1.32 leaves a score alone as it is."""
    if how != "PROBIT" and scores.shape[1] == 1:
        return scores
    if how == "LOGISTIC":
        return 1 / (1 + np.exp(-scores))
    if how in ("SOFTMAX", "SOFTMAX_ZERO"):
        kept = np.ones_like(scores, bool) if how == "SOFTMAX" else scores != 0
        powers = np.where(kept, np.exp(scores - scores.max(1, keepdims=True)), 0)
        return powers / powers.sum(1, keepdims=True)
    if how == "PROBIT":
        # Winitzki's approximation, as in onnxruntime 1.32
        centred = 2 * scores - 1
        log = np.log((1 - centred) * (1 + centred))
        half = 2 / (np.pi * 0.147) + log / 2
        return np.sqrt(2) * np.sign(centred) * np.sqrt(np.sqrt(half * half - log / 0.147) - half)
    return scores


def leaves(features: Any, trees: Trees) -> Any:
    """Return the leaf that each row of features reaches in each tree."""
    at = np.broadcast_to(trees.roots, (len(features), len(trees.roots))).copy()
    rows = np.arange(len(features))[:, None]
    for _ in range(len(trees.is_leaf) + 1):
        inner = ~trees.is_leaf[at]
        if not inner.any():
            return at
        value = features[rows, trees.feature[at]]
        goes = trees.holds(at, value)
        goes |= np.isnan(value) & trees.missing[at]
        at = np.where(inner, np.where(goes, trees.true[at], trees.false[at]), at)
    raise ValueError("the nodes of a tree form a cycle")


class Trees:
    """The nodes of all trees in one table."""

    def __init__(
        self,
        roots: Any,
        feature: Any,
        modes: Sequence[str],
        value: Any,
        true: Any,
        false: Any,
        missing: Any,
        members: dict[int, Any] | None = None,
    ) -> None:
        self.roots, self.feature, self.value, self.true, self.false = roots, feature, value, true, false
        self.is_leaf = np.array([mode == "LEAF" for mode in modes], bool)
        self.missing = missing
        self.modes = np.array(modes, object)
        self.kinds = sorted({mode for mode in modes if mode != "LEAF"})
        self.members = members or {}

    def holds(self, at: Any, value: Any) -> Any:
        """Return whether each value passes the test of its node."""
        found = np.zeros(value.shape, bool)
        for kind in self.kinds:
            mine = self.modes[at] == kind
            if kind == "BRANCH_MEMBER":
                for node in np.unique(at[mine]):
                    found |= (at == node) & np.isin(value, self.members[int(node)])
            else:
                found |= mine & getattr(np, _TESTS[kind])(value, self.value[at])
        return found


def listed_trees(
    tree: Sequence[int],
    node: Sequence[int],
    feature: Sequence[int],
    modes: Sequence[str],
    value: Any,
    true: Sequence[int],
    false: Sequence[int],
    missing: Sequence[int],
) -> tuple[Trees, dict[tuple[int, int], int]]:
    """Return trees whose nodes are listed by number of tree and node, and where each of them is."""
    places = {key: k for k, key in enumerate(zip(tree, node, strict=True))}
    roots: dict[int, int] = {}
    for k, number in enumerate(tree):
        roots.setdefault(number, k)
    ends = [mode == "LEAF" for mode in modes]
    yes = [0 if end else places[number, child] for number, child, end in zip(tree, true, ends, strict=True)]
    no = [0 if end else places[number, child] for number, child, end in zip(tree, false, ends, strict=True)]
    tracks = np.zeros(len(tree), bool) if not len(missing) else np.array(missing) != 0
    found = Trees(np.array(list(roots.values())), np.array(feature), modes, value, np.array(yes), np.array(no), tracks)
    return found, places


def gathered(reached: Any, places: Any, targets: Any, weights: Any, count: int, fold: str) -> tuple[Any, Any]:
    """Return the weights of the reached leaves, folded by target, and whether there are any; `places` are the leaves that the
    weights belong to."""
    by_leaf: dict[int, list[tuple[int, Any]]] = {}
    for place, target, weight in zip(places, targets, weights, strict=True):
        by_leaf.setdefault(int(place), []).append((int(target), weight))
    function = {"MIN": np.fmin, "MAX": np.fmax}.get(fold, np.add)
    found = np.zeros((len(reached), count), weights.dtype)  # onnxruntime 1.32 adds float32 to float32
    seen = np.zeros(found.shape, bool)
    for row, given, mine in zip(found, seen, reached, strict=True):
        for leaf in mine:
            for target, weight in by_leaf.get(int(leaf), ()):
                row[target] = function(row[target], weight) if given[target] else weight
                given[target] = True
    return found / reached.shape[1] if fold == "AVERAGE" else found, seen


def kernel_of(kind: str, parameters: Sequence[float], a: Any, b: Any) -> Any:
    """Return the similarity of every row of a with every row of b."""
    gamma, first, degree = (*parameters, 0.0, 0.0, 0.0)[:3]
    if kind == "RBF":
        distance = np.square(a[:, None] - b[None]).sum(2)
        return np.exp(-gamma * distance)
    product = a @ b.T
    if kind == "POLY":
        return (gamma * product + first) ** degree
    return np.tanh(gamma * product + first) if kind == "SIGMOID" else product


def vote(
    rows: Any,
    *,
    kernel: str,
    parameters: Sequence[float],
    vectors: Any,
    counts: Sequence[int],
    coefficients: Any,
    rho: Sequence[float],
    prob_a: Sequence[float],
    prob_b: Sequence[float],
) -> tuple[Any, Any]:
    """Return the votes of a support vector classifier for each class, and its scores: of each pair of classes, or probabilities."""
    classes = len(counts)
    starts = np.cumsum([0, *counts])
    similar = kernel_of(kernel, parameters, rows, vectors)
    pairs = [(i, j) for i in range(classes) for j in range(i + 1, classes)]
    scores = np.empty((len(rows), len(pairs)))
    votes = np.zeros((len(rows), classes), np.int64)
    for k, (i, j) in enumerate(pairs):
        one, other = slice(starts[i], starts[i + 1]), slice(starts[j], starts[j + 1])
        total = similar[:, one] @ coefficients[j - 1, one] + similar[:, other] @ coefficients[i, other] + rho[k]
        scores[:, k] = total
        votes[:, i] += total > 0
        votes[:, j] += total <= 0
    if not len(prob_a):
        return votes, scores
    chances = np.zeros((len(rows), classes, classes))
    for k, (i, j) in enumerate(pairs):
        chance = 1 / (1 + np.exp(scores[:, k] * prob_a[k] + prob_b[k]))
        chance = np.clip(chance, 1e-7, 1 - 1e-7)
        chances[:, i, j], chances[:, j, i] = chance, 1 - chance
    return votes, np.array([_coupled(matrix) for matrix in chances])


def _coupled(r: Any) -> Any:
    """Return probabilities of classes that fit those of pairs best (Wu, Lin and Weng 2004)."""
    size = len(r)
    q = -(r.T * r)
    np.fill_diagonal(q, 0)
    q[np.diag_indices(size)] = np.square(r.T).sum(1) - np.diag(np.square(r.T))
    p = np.full(size, 1 / size)
    for _ in range(100):
        qp = q @ p
        total = p @ qp
        if np.abs(qp - total).max() < 0.005 / size:
            break
        for t in range(size):
            step = (-qp[t] + total) / q[t, t]
            p[t] += step
            total = (total + step * (step * q[t, t] + 2 * qp[t])) / (1 + step) / (1 + step)
            qp = (qp + step * q[t]) / (1 + step)
            p /= 1 + step
    return p


def normalize_rows(data: Any, *, norm: str, **_: Any) -> Any:
    wide = data.astype(np.float64)
    if norm == "MAX":
        size = wide.max(-1, keepdims=True)
    elif norm == "L1":
        size = np.abs(wide).sum(-1, keepdims=True)
    else:
        size = np.sqrt(np.square(wide).sum(-1, keepdims=True))
    return (wide / np.where(size == 0, 1, size)).astype(np.float32)


def linear_scores(
    data: Any, *, coefficients: Sequence[float], intercepts: Sequence[float], count: int, how: str, **_: Any
) -> Any:
    weights = np.array(coefficients, np.float64).reshape(count, -1)
    scores = np.atleast_2d(data).astype(np.float64) @ weights.T
    scores = scores + np.array(intercepts) if len(intercepts) else scores
    return transformed(scores, how).astype(np.float32)


def _named(picks: Any, labels: Sequence[Any]) -> Any:
    kind: Any = object if isinstance(labels[0], str) else np.int64
    return np.array(labels, kind)[picks]


def linear_classifier(
    data: Any,
    *,
    coefficients: Sequence[float],
    intercepts: Sequence[float],
    labels: Sequence[Any],
    how: str,
    **_: Any,
) -> Any:
    rows = np.atleast_2d(data).astype(np.float64)
    weights = np.array(coefficients, np.float64).reshape(-1, rows.shape[1])
    scores = rows @ weights.T
    scores = scores + np.array(intercepts) if len(intercepts) else scores
    if scores.shape[1] == 1 and len(labels) == 2:
        picks = (scores[:, 0] > 0).astype(np.int64)
        return [_named(picks, labels), _of_two(scores, how).astype(np.float32)]
    return [_named(scores.argmax(1), labels), transformed(scores, how).astype(np.float32)]


def _of_two(scores: Any, how: str) -> Any:
    """Return the scores of two classes, of which only the second has one; onnxruntime 1.32 applies no SOFTMAX to them."""
    if how == "LOGISTIC":
        return transformed(np.concatenate([-scores, scores], 1), how)
    if how == "PROBIT":
        scores = transformed(scores, how)
    return np.concatenate([1 - scores, scores], 1)


def trees(data: Any, *, dtype: str = "float32", how: str = "NONE", base: Sequence[float], **attrs: Any) -> Any:
    found, seen = _tree_sums(data, **attrs)
    if len(base):
        # onnxruntime 1.32 leaves out the base of a target of several that no leaf adds to
        found = np.where(seen | (attrs["count"] == 1), found + np.array(base), 0)
    return transformed(found, how).astype(dtype)


def _tree_sums(data: Any, *, build: Any, count: int, fold: str, **_: Any) -> tuple[Any, Any]:
    """Return the weights of leaves, folded by target, and whether there are any; `build` returns the trees, and the places, targets
    and weights of their leaves."""
    trees, places, targets, weights = build()
    rows = np.atleast_2d(data)
    rows = rows if rows.dtype == np.float64 else rows.astype(np.float32)
    return gathered(leaves(rows, trees), places, targets, weights, count, fold)


def tree_classifier(
    data: Any, *, labels: Sequence[Any], how: str, only: int | None, positive: bool, base: Sequence[float], **attrs: Any
) -> Any:
    """`only` is the one of two classes that all leaves are for."""
    sums, seen = _tree_sums(data, count=len(labels), **attrs)
    if len(labels) != 2:
        if len(base):
            sums, seen = sums + np.array(base), np.ones_like(seen)
        reached = np.where(seen, sums, -np.inf)
        return [_named(reached.argmax(1), labels), transformed(sums, how).astype(np.float32)]
    return _of_two_classes(sums, seen, labels, how, only, positive, base)


def _of_two_classes(
    sums: Any, seen: Any, labels: Sequence[Any], how: str, only: int | None, positive: bool, base: Sequence[float]
) -> Any:
    """Return labels and scores as onnxruntime 1.32 has them: bases of two classes, scores that no leaf adds to, and labels if leaves
    are for both classes, are not what onnx says of them."""
    first, second = sums.T
    both = seen[:, 1]
    if len(base) == 2:
        one = base[1] + first  # the sum of the second class is not used
        first, second = np.where(both, -one, base[0] + first), np.where(both, one, 0)
    elif len(base) == 1:
        first = base[0] + first
    first = np.where(seen[:, 0], first, 0)
    decides = np.where(both, second, first)
    picks = (decides > (0.5 if positive and only is not None else 0)).astype(np.int64)
    numbered = only is None and not isinstance(labels[0], str)
    scores = transformed(np.stack([first, second], 1), how)
    if len(base) < 2:  # one score is made two
        alone = first[:, None]
        if only is None and len(base) == 1:
            pair = np.concatenate([alone, 0 * alone], 1)
        elif (only is not None and positive) or how == "LOGISTIC":
            pair = _of_two(alone, how)
        else:
            pair = np.concatenate([-alone, alone], 1)
        scores = np.where(both[:, None], scores, pair)
    return [picks if numbered else _named(picks, labels), scores.astype(np.float32)]


def vector_score(
    data: Any,
    *,
    kernel: str,
    parameters: Sequence[float],
    vectors: Sequence[float],
    count: int,
    coefficients: Sequence[float],
    rho: Sequence[float],
    one_class: bool,
    how: str,
    **_: Any,
) -> Any:
    rows = np.atleast_2d(data).astype(np.float64)
    weights = np.array(coefficients, np.float64)
    if count:
        similar = kernel_of(kernel, parameters, rows, np.array(vectors, np.float64).reshape(count, -1))
    else:
        similar, weights = rows, weights[: rows.shape[1]]
    total = (similar @ weights + rho[0])[:, None]
    total = np.where(total > 0, 1.0, -1.0) if one_class else total
    return transformed(total, how).astype(np.float32)


def vector_classifier(
    data: Any,
    *,
    labels: Sequence[Any],
    counts: Sequence[int],
    vectors: Sequence[float],
    coefficients: Sequence[float],
    how: str,
    **attrs: Any,
) -> Any:
    rows = np.atleast_2d(data).astype(np.float64)
    weights = np.array(coefficients, np.float64)
    if not sum(counts):
        scores = rows @ weights.reshape(len(labels), -1).T + attrs["rho"][0]
        picks = scores.argmax(1)
        if len(labels) == 2 and not attrs["prob_a"]:  # onnxruntime 1.32
            picks[scores.max(1) >= 0.5 if (weights >= 0).all() else scores.max(1) > 0] = 1
        return [_named(picks, labels), transformed(scores, how).astype(np.float32)]
    if len(counts) != len(labels):
        raise NoKernel
    attrs.pop("width", None)
    votes, scores = vote(
        rows,
        vectors=np.array(vectors, np.float64).reshape(sum(counts), -1),
        coefficients=weights.reshape(len(counts) - 1, -1),
        counts=counts,
        **attrs,
    )
    if not attrs["prob_a"] and len(labels) == 2:
        scores = np.concatenate([-scores, scores], 1) if how == "NONE" else _of_two(scores, how)
    else:
        scores = transformed(scores, how)
    return [_named(votes.argmax(1), labels), scores.astype(np.float32)]
