"""Companions: files that say something about a model, such as how a server runs it. Each folder here is one kind: `format.KIND`.
Packages add others by the entry point `irlint.companions`: modules with `PATTERNS`, the names of its files, and `kind`, which returns it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from irlint.tools import installed

if TYPE_CHECKING:
    from irlint.companions.base import Companion
    from irlint.findings import Problem
    from irlint.rules.base import Model
    from irlint.text.base import Place

# The names of files of each folder, the usual ones without `*`: kinds are imported only where they fit
PATTERNS: dict[str, tuple[str, ...]] = {
    "triton": ("config.pbtxt", "*.pbtxt"),
    "genai": ("genai_config.json",),
    "huggingface": (
        "config.json",
        "generation_config.json",
        "preprocessor_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "sentence_bert_config.json",
        "modules.json",
    ),
    "diffusers": ("model_index.json",),
    "labels": (
        "labels.txt",
        "classes.txt",
        "class_names.txt",
        "synset.txt",
        "coco.names",
        "*.names",
        "labels.json",
        "class_names.json",
        "id2label.json",
        "imagenet_class_index.json",
    ),
    "ultralytics": ("metadata.yaml",),
    "dataset": ("data.yaml", "dataset.yaml"),
    "sherpa": ("tokens.txt",),
    "ovms": ("config.json", "config*.json", "subconfig.json"),
    "frigate": ("config.yml", "config.yaml", "frigate*.yml", "frigate*.yaml"),
    "deepstream": (
        "config_infer_primary.txt",
        "*infer*.txt",
        "*gie*.txt",
        *("config_infer*.yml", "config_infer*.yaml", "*nvinfer*.yml", "*nvinfer*.yaml", "*gie*.yml", "*gie*.yaml"),
    ),
    "mediapipe": ("graph.pbtxt", "*.pbtxt"),
}

# Keys of metadata inside models that tell its kind, all of a group
INSIDE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ultralytics", ("task", "names", "stride")),
    *(
        ("sherpa", (key,))
        for key in (
            "model_type",
            "framework",
            "context_size",
            "joiner_dim",
            "invstd",
            "neg_mean",
            "with_itn",
            "cmvn_mean",
        )
    ),
    *(("sherpa", keys) for keys in (("T", "decode_chunk_len"), ("subsampling_factor", "vocab_size"))),
    *(("sherpa", (key,)) for key in ("n_text_state", "punctuations", "powerset_max_classes", "sos_id")),
)


def inside(
    model: Model, sections: Mapping[str, Mapping[str, str]], place: Callable[..., Place | None]
) -> list[Problem]:
    """Return where the metadata in a model contradicts it."""
    found: list[Problem] = []
    for section, values in sections.items():
        for kind in dict.fromkeys(kind for kind, keys in INSIDE if values.keys() >= set(keys)):
            from irlint.companions.metadata import problems

            found += problems(model, kind, values, partial(place, model, section))
    return found


def _own(name: str) -> Callable[[], Companion]:
    def kind() -> Companion:
        found: Companion = import_module(f"irlint.companions.{name}.format").KIND
        return found

    return cache(kind)


@cache
def _kinds() -> list[tuple[tuple[str, ...], Callable[[], Companion]]]:
    found = [(patterns, _own(name)) for name, patterns in PATTERNS.items()]
    for name, module in installed.entry_points("irlint.companions"):
        if not (hasattr(module, "PATTERNS") and hasattr(module, "kind")):
            raise installed.PluginError(
                f"the plug-in {name!r} is no companion: expected a module with PATTERNS and kind()"
            )
        found.append((tuple(module.PATTERNS), cache(module.kind)))
    return found


def named_like(name: str) -> dict[str, Companion]:
    """Return the kinds of companions that a file with this name may be. Others are not imported."""
    base = os.path.basename(name).lower()
    fitting = (kind() for patterns, kind in _kinds() if any(fnmatchcase(base, pattern) for pattern in patterns))
    return {found.name: found for found in fitting}


@cache
def endings() -> frozenset[str]:
    """Return the extensions of companions, and the names of those without one."""
    return frozenset(os.path.splitext(pattern)[1] or pattern for patterns, _ in _kinds() for pattern in patterns)


@cache
def usual_names() -> tuple[str, ...]:
    """Return the names that companions have most often, of all kinds."""
    return tuple(dict.fromkeys(one for patterns, _ in _kinds() for one in patterns if "*" not in one))
