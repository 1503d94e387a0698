"""The inputs of decoders by the names that transformers gives them: those of the next step, and how long a mask is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irlint.dryrun.lazy import np

_TOKENS = ("input_ids", "decoder_input_ids")
_MASKS = ("attention_mask", "decoder_attention_mask")
_PLACES = ("position_ids", "cache_position")
_ENCODED = ("encoder_hidden_states", "encoder_outputs")  # then attention_mask belongs to the encoder

_PAST = ("past_key_values", "past_key", "past_value", "past.")  # what names of earlier keys and values begin with


def mask_length(lengths: Mapping[str, Sequence[int]], name: str) -> int | None:
    """Return how long a decoder's mask is: as its tokens and the earlier ones together; None for another input."""
    tokens = next((lengths[word] for word in _TOKENS if word in lengths), None)
    past = next((shape for word, shape in lengths.items() if word.startswith(_PAST)), None)
    if name not in _MASKS or tokens is None or len(tokens) != 2 or past is None or len(past) != 4:
        return None
    return tokens[1] + past[2]


KNOWN = frozenset((*_TOKENS, *_MASKS, *_PLACES, *_ENCODED))


def following(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a decoder's next step, by the names that transformers gives them: the likeliest token, a mask
    that is one longer, the next position. Other models get the same inputs again.
    """
    found = dict(inputs)
    logits = outputs.get("logits")
    tokens = next((name for name in _TOKENS if name in inputs), None)
    if tokens is None or logits is None or logits.ndim != 3 or inputs[tokens].ndim != 2:
        return found
    found[tokens] = np.argmax(logits[:, -1], -1)[:, None].astype(inputs[tokens].dtype)
    encoded = any(name in inputs for name in _ENCODED)
    for name in _MASKS:
        if name in inputs and inputs[name].ndim == 2 and not (encoded and name == "attention_mask"):
            mask = inputs[name]
            found[name] = np.concatenate([mask, np.ones((len(mask), 1), mask.dtype)], 1)
    for name in _PLACES:
        if name in inputs and inputs[name].ndim:
            found[name] = inputs[name][..., -1:] + 1
    return found
