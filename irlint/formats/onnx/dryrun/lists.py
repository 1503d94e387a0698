"""The dry-run operators of ONNX's sequences, optional values and strings, and of what is drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.codes import R
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.mapping import Call
from irlint.formats.onnx.dryrun.calls import Make, NodeAttrs, Setting, always, dtype_of, having, needed, of, taking
from irlint.text import words

_DRAWN = taking(
    "moving/creation.Random", shape=needed("shape", tuple), dtype=dtype_of("dtype", "float32"), has_scalars=always(True)
)
_DRAWN_LIKE = taking("moving/creation.RandomLike", dtype=dtype_of("dtype"))
CALLS: dict[str, Make] = {
    "RandomNormal": _DRAWN,
    "RandomUniform": _DRAWN,
    "RandomNormalLike": _DRAWN_LIKE,
    "RandomUniformLike": _DRAWN_LIKE,
    "Bernoulli": _DRAWN_LIKE,
    "Multinomial": taking(
        "shared/selection.Multinomial",
        inputs=lambda a: [0, a.number("sample_size", 1, "int64")],
        convert_type=dtype_of("dtype", "int32"),
        with_replacement=always(True),
        log_probs=always(True),
    ),
    "SequenceConstruct": having("onnx/lists.Construct"),
    "SequenceEmpty": having("onnx/lists.Empty"),
    "SequenceAt": having("onnx/lists.At"),
    "SequenceInsert": having("onnx/lists.ListInsert"),
    "SequenceErase": having("onnx/lists.Erase"),
    "SequenceLength": having("onnx/lists.Length"),
    "SplitToSequence": taking("onnx/lists.ListParts", axis=0, keepdims=True),
    "ConcatFromSequence": taking("onnx/lists.ListJoined", axis=needed("axis", int), is_new=of("new_axis", False)),
    "Optional": having("onnx/lists.Optional"),
    "OptionalHasElement": having("onnx/lists.HasValue"),
    "OptionalGetElement": having("onnx/lists.OptionalValue"),
    "StringConcat": having("onnx/text.Appended"),
    "StringSplit": taking("onnx/text.SplitWords", delimiter="", maxsplit=-1),
    "RegexFullMatch": taking("onnx/text.Matches", pattern=needed("pattern", str)),
    "StringNormalizer": taking(
        "onnx/text.Normalized",
        case=of("case_change_action", "NONE"),
        exact=of("is_case_sensitive", False),
        stopwords=(),
    ),
}
_NGRAMS = taking(
    "onnx/text.CountNgrams",
    mode=needed("mode", str),
    shortest=needed("min_gram_length", int),
    longest=needed("max_gram_length", int),
    most_skips=needed("max_skip_count", int),
    starts=needed("ngram_counts", tuple),
    places=needed("ngram_indexes", tuple),
    pool=Setting(lambda a: a.get("pool_strings", ()) or a.get("pool_int64s", ())),
    weights=None,
)


def _ngrams(a: NodeAttrs) -> Call:
    call = _NGRAMS(a)
    _check_lengths(call.attrs["shortest"], call.attrs["longest"], call.attrs["starts"])
    _check_pool(call.attrs["starts"], len(call.attrs["pool"]))
    return call


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


CALLS["TfIdfVectorizer"] = _ngrams
