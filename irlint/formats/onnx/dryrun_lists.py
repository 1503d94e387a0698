"""The dry-run operators of ONNX's sequences, optional values and strings, and of what is drawn at random."""

from __future__ import annotations

from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.onnx.dryrun_calls import Attrs, Make, having, taking


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
    "TfIdfVectorizer": lambda a: Call(
        operator("text.CountNgrams"),
        {
            "mode": a.need("mode", str),
            "shortest": a.need("min_gram_length", int),
            "longest": a.need("max_gram_length", int),
            "most_skips": a.need("max_skip_count", int),
            "starts": a.need("ngram_counts", tuple),
            "places": a.need("ngram_indexes", tuple),
            "pool": a.get("pool_strings", None) or a.get("pool_int64s", ()),
            "weights": a.get("weights", None),
        },
    ),
}
