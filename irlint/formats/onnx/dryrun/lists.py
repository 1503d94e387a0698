"""The dry-run operators of ONNX's sequences, optional values and strings, and of what is drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.codes import R
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.onnx.dryrun.calls import Attrs, Make, having, taking
from irlint.text import words


def _drawn(a: Attrs) -> Call:
    attrs = {"shape": a.need("shape", tuple), "dtype": a.dtype("dtype", "float32"), "has_scalars": True}
    return Call(operator("creation.Random"), attrs)


def _drawn_like(a: Attrs) -> Call:
    return Call(operator("creation.RandomLike"), {"dtype": a.dtype("dtype")})


CALLS: dict[str, Make] = {
    "RandomNormal": _drawn,
    "RandomUniform": _drawn,
    "RandomNormalLike": _drawn_like,
    "RandomUniformLike": _drawn_like,
    "Bernoulli": _drawn_like,
    "Multinomial": lambda a: Call(
        operator("selection.Multinomial"),
        {"convert_type": a.dtype("dtype", "int32"), "with_replacement": True, "log_probs": True},
        [0, a.number("sample_size", 1, "int64")],
    ),
    "SequenceConstruct": having("lists.Construct"),
    "SequenceEmpty": having("lists.Empty"),
    "SequenceAt": having("lists.At"),
    "SequenceInsert": having("lists.Insert"),
    "SequenceErase": having("lists.Erase"),
    "SequenceLength": having("lists.Length"),
    "SplitToSequence": taking("lists.Parts", axis=0, keepdims=True),
    "ConcatFromSequence": lambda a: Call(
        operator("lists.Joined"), {"axis": a.need("axis", int), "is_new": a.get("new_axis", False)}
    ),
    "Optional": having("lists.Optional"),
    "OptionalHasElement": having("lists.HasValue"),
    "OptionalGetElement": having("lists.Value"),
    "StringConcat": having("text.Appended"),
    "StringSplit": taking("text.SplitWords", delimiter="", maxsplit=-1),
    "RegexFullMatch": lambda a: Call(operator("text.Matches"), {"pattern": a.need("pattern", str)}),
    "StringNormalizer": lambda a: Call(
        operator("text.Normalized"),
        {
            "case": a.get("case_change_action", "NONE"),
            "exact": a.get("is_case_sensitive", False),
            "stopwords": a.get("stopwords", ()),
        },
    ),
}


def _ngrams(a: Attrs) -> Call:
    attrs = {
        "mode": a.need("mode", str),
        "shortest": a.need("min_gram_length", int),
        "longest": a.need("max_gram_length", int),
        "most_skips": a.need("max_skip_count", int),
        "starts": a.need("ngram_counts", tuple),
        "places": a.need("ngram_indexes", tuple),
        "pool": a.get("pool_strings", ()) or a.get("pool_int64s", ()),
        "weights": a.get("weights", None),
    }
    _check_lengths(attrs["shortest"], attrs["longest"], attrs["starts"])
    _check_pool(attrs["starts"], len(attrs["pool"]))
    return Call(operator("text.CountNgrams"), attrs)


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
