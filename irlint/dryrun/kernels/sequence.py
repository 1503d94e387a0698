"""Loss of label sequences."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.kernels.reducing import softmax
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.common import number


def ctc_loss(
    logits: Any,
    lengths: Any,
    labels: Any,
    label_lengths: Any,
    blank: Any = None,
    *,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    unique: bool = False,
    **_: Any,
) -> Any:
    """Minus the logarithm of the probability of all ways to say the labels."""
    none = logits.shape[2] - 1 if blank is None else int(np.asarray(blank).reshape(-1)[0])
    wide = softmax(logits.astype(np.float64), axis=2, kind="log_softmax")
    found = []
    for row, time, words, count in zip(wide, lengths, labels, label_lengths, strict=True):
        said = words[: int(count)]
        if preprocess_collapse_repeated and said.size:
            said = said[np.concatenate([[True], said[1:] != said[:-1]])]
        if unique:
            _, first = np.unique(said, return_index=True)
            said = said[np.sort(first)]
        found.append(-log_probability(row[: int(time)], said.astype(np.int64), none, ctc_merge_repeated))
    return np.array(found).astype(logits.dtype)


def log_probability(steps: Any, said: Any, blank: int, merged: bool = True) -> float:
    """Labels with blanks between; where repeats are merged, a label may last, and equal neighbours need a blank."""
    states = np.full(2 * said.size + 1, blank)
    states[1::2] = said
    is_label = np.arange(states.size) % 2 == 1
    may_skip = is_label.copy()
    may_skip[:2] = False
    if merged:
        may_skip[2:] &= states[2:] != states[:-2]
    may_stay = ~is_label | merged
    reached = np.full(states.size, -np.inf)
    reached[:2] = steps[0][states[:2]]
    for step in steps[1:]:
        stay = np.where(may_stay, reached, -np.inf)
        move = np.concatenate([[-np.inf], reached[:-1]])
        skip = np.where(may_skip, np.concatenate([[-np.inf, -np.inf], reached[:-2]])[: states.size], -np.inf)
        reached = np.logaddexp(np.logaddexp(stay, move), skip) + step[states]
    return float(np.logaddexp.reduce(reached[-2:]))


def ctc_greedy(logits: Any, mask: Any, *, ctc_merge_repeated: bool = True, **_: Any) -> Any:
    best = np.argmax(logits, -1).T
    lengths = np.sum(mask != 0, 0).astype(np.int64)
    rows, _counts = collapse(best, lengths, logits.shape[-1] - 1, ctc_merge_repeated)
    return rows.astype(logits.dtype)[:, :, None, None]


def collapse(best: Any, lengths: Any, blank: int, merge: bool) -> tuple[Any, Any]:
    """Labels without blanks (and repetitions), padded with -1; and how many there are."""
    found = np.full(best.shape, -1, np.int64)
    counts = np.zeros(best.shape[0], np.int64)
    for k, (row, length) in enumerate(zip(best, lengths, strict=True)):
        row = row[: int(length)]
        keep = row != blank
        if merge:
            keep[1:] &= row[1:] != row[:-1]
        kept = row[keep]
        found[k, : kept.size], counts[k] = kept, kept.size
    return found, counts


def ctc_greedy_lengths(
    data: Any,
    lengths: Any,
    blank: Any = None,
    *,
    merge_repeated: bool = True,
    classes_index_type: str = "int32",
    sequence_length_type: str = "int32",
    **_: Any,
) -> Any:
    empty = data.shape[-1] - 1 if blank is None else number(blank)
    found, counts = collapse(np.argmax(data, -1), lengths, empty, merge_repeated)
    return [found.astype(classes_index_type), counts.astype(sequence_length_type)]
