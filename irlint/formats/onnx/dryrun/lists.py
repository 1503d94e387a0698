"""The dry-run operators of ONNX's sequences, optional values and strings, and of what is drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.entries import Entry, Row, own, plain
from irlint.dryrun.errors import ShapeError
from irlint.formats.onnx.dryrun.calls import NodeAttrs, element_type, usually
from irlint.text import words

_RANDOM = Entry(
    "moving/creation.Random", {"shape": "shape", "dtype": element_type("dtype")}, fixed={"has_scalars": True}
)
_RANDOM_LIKE = Entry("moving/creation.RandomLike", {"dtype": element_type("dtype")})
CALLS: dict[str, Row] = {
    "RandomNormal": _RANDOM,
    "RandomUniform": _RANDOM,
    "RandomNormalLike": _RANDOM_LIKE,
    "RandomUniformLike": _RANDOM_LIKE,
    "Bernoulli": _RANDOM_LIKE,
    "Multinomial": Entry(
        "shared/selection.Multinomial",
        {"convert_type": element_type("dtype")},
        operands=(0, "sample_size"),
        fixed={"with_replacement": True, "log_probs": True},
    ),
    "SequenceConstruct": plain("onnx/lists.Construct"),
    "SequenceEmpty": plain("onnx/lists.Empty"),
    "SequenceAt": plain("onnx/lists.At"),
    "SequenceInsert": plain("onnx/lists.ListInsert"),
    "SequenceErase": plain("onnx/lists.Erase"),
    "SequenceLength": plain("onnx/lists.Length"),
    "SplitToSequence": plain("onnx/lists.ListParts", "axis", "keepdims"),
    "ConcatFromSequence": Entry("onnx/lists.ListJoined", {"axis": "axis", "is_new": "new_axis"}),
    "Optional": plain("onnx/lists.Optional"),
    "OptionalHasElement": plain("onnx/lists.HasValue"),
    "OptionalGetElement": plain("onnx/lists.OptionalValue"),
    "StringConcat": plain("onnx/text.Appended"),
    "StringSplit": Entry(
        "onnx/text.SplitWords", {"delimiter": usually("delimiter", ""), "maxsplit": usually("maxsplit", -1)}
    ),
    "RegexFullMatch": plain("onnx/text.Matches", "pattern"),
    "StringNormalizer": Entry(
        "onnx/text.Normalized",
        {"case": "case_change_action", "exact": "is_case_sensitive", "stopwords": "stopwords"},
    ),
}


def _pool(v: NodeAttrs) -> tuple[Any, ...]:
    """Return the n-grams that TfIdfVectorizer counts; raise unless they fit the other attributes."""
    pool: tuple[Any, ...] = v["pool_strings"] or v["pool_int64s"]
    _check_lengths(v["min_gram_length"], v["max_gram_length"], v["ngram_counts"])
    _check_pool(v["ngram_counts"], len(pool))
    return pool


CALLS["TfIdfVectorizer"] = Entry(
    "onnx/text.CountNgrams",
    {
        **own("mode", "weights"),
        "shortest": "min_gram_length",
        "longest": "max_gram_length",
        "most_skips": "max_skip_count",
        "starts": "ngram_counts",
        "places": "ngram_indexes",
        "pool": _pool,
    },
)


def _check_lengths(shortest: int, longest: int, starts: Sequence[int]) -> None:
    """Raise unless there is a start for each length; onnxruntime 1.32 refuses others."""
    if shortest > longest:
        message = f"`min_gram_length` ({shortest}) is larger than `max_gram_length` ({longest})"
        raise ShapeError(R.value_out_of_range, message, "attr:min_gram_length")
    if longest > len(starts):
        message = (
            f"expected at least {words.count(longest, 'value')} for `ngram_counts`, one per length, got {len(starts)}"
        )
        raise ShapeError(R.wrong_value_length, message, "attr:ngram_counts")


def _check_pool(starts: Sequence[int], size: int) -> None:
    """Raise unless the n-grams of each length are in the pool, and complete; onnxruntime 1.32 refuses others."""
    if not size:
        message = "expected values for `pool_int64s` or `pool_strings`, got none"
        raise ShapeError(R.missing_attribute, message, "op")
    for length, (start, end) in enumerate(zip(starts, (*starts[1:], size), strict=True), 1):
        if not 0 <= start <= end <= size:
            message = f"expected starts in ascending order from 0 to {size} in `ngram_counts`, got {start} before {end}"
            raise ShapeError(R.value_out_of_range, message, "attr:ngram_counts")
        if (end - start) % length:
            message = (
                f"expected a multiple of {length} elements for {length}-grams in `ngram_counts`, got {end - start}"
            )
            raise ShapeError(R.value_out_of_range, message, "attr:ngram_counts")
