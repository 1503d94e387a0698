"""The inputs of decoders by the names that transformers gives them: those of the next step, and how long a mask is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from irlint.dryrun.lazy import np

_TOKENS = ("input_ids", "decoder_input_ids")
_EMBEDDED = ("inputs_embeds",)  # instead of tokens
_MASKS = ("attention_mask", "decoder_attention_mask")
_PLACES = ("position_ids", "cache_position")
_ENCODED = ("encoder_hidden_states", "encoder_outputs")  # then attention_mask belongs to the encoder

_PAST = ("past_key_values", "past_key", "past_value", "past.")  # what names of earlier keys and values begin with


def mask_length(lengths: Mapping[str, Sequence[int]], name: str) -> int | None:
    """Return how long a decoder's mask is: as its tokens and the earlier ones together; None for another input."""
    tokens = next((lengths[word] for word in (*_TOKENS, *_EMBEDDED) if word in lengths), None)
    past = next((shape for word, shape in lengths.items() if is_past(word)), None)
    if name not in _MASKS or tokens is None or len(tokens) not in (2, 3) or past is None or len(past) != 4:
        return None
    return tokens[1] + past[2]


def is_past(name: str) -> bool:
    """Return whether an input is of earlier keys or values."""
    return name.startswith(_PAST)


KNOWN = frozenset((*_TOKENS, *_MASKS, *_PLACES, *_ENCODED))
_BRANCH = "use_cache_branch"  # of a decoder that is also its first step: whether it reads earlier keys and values


def usual(names: Sequence[str]) -> str:
    """Return which of the names of an input is that by which decoders know it; the first if none is."""
    return next((name for name in names if name in KNOWN or name.startswith(_PAST)), names[0])


def chosen(inputs: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    """Return the tokens that a step took from the one before, of its inputs before and after."""
    return {name: after for name, (before, after) in inputs.items() if name in _TOKENS and after is not before}


def caches(inputs: Iterable[str], outputs: Collection[str]) -> dict[str, str]:
    """Return the outputs that a decoder's inputs of earlier keys and values come from, by the names that exporters give them: optimum
    calls them past_key_values.0.key and present.0.key."""
    found = {}
    for name in inputs:
        word = next((word for word in _PAST if name.startswith(word)), None)
        if word is not None:
            rest = name[len(word) :]
            likely = (word.replace("past", "present", 1) + rest, f"present{rest}")
            found[name] = next((output for output in likely if output in outputs), "")
    return {name: output for name, output in found.items() if output}


def following(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a decoder's next step, by the names that transformers gives them: the likeliest token, a mask
    that is one longer, the next position, the keys and values so far. Other models get the same inputs again.
    """
    logits = outputs.get("logits")
    tokens = next((name for name in _TOKENS if name in inputs), None)
    if tokens is None or logits is None or logits.ndim != 3 or inputs[tokens].ndim != 2:
        return dict(inputs)
    found = {name: _continued(name, array, inputs) for name, array in inputs.items()}
    found[tokens] = np.argmax(logits[:, -1], -1)[:, None].astype(inputs[tokens].dtype)
    kept = {name: outputs[output] for name, output in caches(inputs, outputs).items() if outputs[output].size}
    if kept and _BRANCH in found:
        found[_BRANCH] = np.ones_like(found[_BRANCH])
    return {**found, **kept}


def _continued(name: str, array: Any, inputs: Mapping[str, Any]) -> Any:
    """Return a mask or a position of the next step; any other input as it is."""
    encoded = any(other in inputs for other in _ENCODED)
    if name in _MASKS and array.ndim == 2 and not (encoded and name == "attention_mask"):
        return np.concatenate([array, np.ones((len(array), 1), array.dtype)], 1)
    return array[..., -1:] + 1 if name in _PLACES and array.ndim else array
