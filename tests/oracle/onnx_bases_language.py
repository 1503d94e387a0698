"""Architectures of transformers, drawn among all that it has, with a configuration that is made small: text, images, sound and what joins them."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from oracle.onnx_bases import Builder, draws
from oracle.onnx_export import Made, Names, Plain, drawn, quiet, runs, size_of

COUNT = 110  # architectures that are tried; some have configurations that cannot be made small in this way
LARGEST = 4_000_000  # numbers
TASKS = (
    "", "", "CAUSAL_LM", "MASKED_LM", "SEQ_TO_SEQ_CAUSAL_LM", "SEQUENCE_CLASSIFICATION", "TOKEN_CLASSIFICATION", "QUESTION_ANSWERING", "IMAGE_CLASSIFICATION", "OBJECT_DETECTION",
    "SEMANTIC_SEGMENTATION", "DEPTH_ESTIMATION", "AUDIO_CLASSIFICATION", "CTC", "SPEECH_SEQ_2_SEQ", "MASKED_IMAGE_MODELING", "BACKBONE",
)  # fmt: skip
# What options are called, and what each is then: the first row that has a word of the name.
WIDE, DEEP, HEADS = 32, 2, 4
SMALL: tuple[tuple[tuple[str, ...], int], ...] = (
    (("vocab_size",), 99), (("max_position", "n_positions", "max_seq", "max_source", "max_target", "n_ctx"), 64), (("head_dim", "d_kv", "qk_rope", "qk_nope", "v_head"), 8), (("q_lora_rank", "kv_lora_rank"), 16),
    (("num_key_value_heads", "num_kv_heads"), 2), (("attention_heads", "n_head", "num_heads"), HEADS), (("num_experts_per_tok", "top_k", "moe_top"), 1), (("experts", "num_local"), 2),
    (("intermediate", "ffn_dim", "feedforward", "d_ff", "n_inner", "hidden_dim", "mlp_dim", "dim_feed"), 48), (("num_layers", "hidden_layers", "n_layer", "encoder_layers", "decoder_layers", "num_blocks", "depth"), DEEP),
    (("num_queries",), 5), (("hidden_size", "d_model", "n_embd", "embed_dim", "embedding_size", "embed_size", "projection_dim", "projection_size", "d_embed", "word_embed"), WIDE), (("image_size",), 64), (("num_mel", "feature_size"), 16),
)  # fmt: skip
EXACT = {
    "dim": WIDE,
    "n_layers": DEEP,
    "n_heads": HEADS,
    "hidden_dim": 48,
    "patch_size": 8,
    "rotary_dim": 4,
    "window_size": 4,
}
LEFT = ("token_id", "token_index", "std", "ratio", "dropout", "prob", "layer_types", "_every", "freq")
NARROW = ("hidden_sizes", "embed_dims", "dims", "channels", "widths", "conv_dim", "tdnn_dim")


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    from transformers.models.auto import modeling_auto

    rng = draws("language")
    kinds = sorted(modeling_auto.MODEL_MAPPING_NAMES)
    for kind in rng.sample(kinds, COUNT):
        yield drawn("language", kind.lower(), lambda rng, kind=kind: _made(kind, rng), is_half=False)


def _made(kind: str, rng: random.Random) -> tuple[Made, Names]:
    import transformers
    from transformers.models.auto import modeling_auto

    config_class = transformers.CONFIG_MAPPING[kind]
    config = config_class(**small(config_class()))
    for part in (config, *_nested(config).values()):
        _bound_ids(part)
        part.use_cache, part.return_dict = False, True
    config._attn_implementation = rng.choice(("eager", "sdpa"))
    tables = [getattr(modeling_auto, f"MODEL_{f'FOR_{task}_' if task else ''}MAPPING_NAMES") for task in TASKS]
    class_name = rng.choice([table[kind] for table in tables if kind in table])
    cls = getattr(transformers, class_name if isinstance(class_name, str) else class_name[0])
    with torch.device("meta"):
        size = size_of(cls(config))
    if size > LARGEST:
        raise ValueError(f"{size} numbers after it was made small")
    model = cls(config)
    for feeds in _feeds(model, config, rng):
        plain = Plain(model, tuple(feeds))
        if runs(plain, tuple(feeds.values())):
            return (plain, tuple(feeds.values())), tuple(feeds)
    plain(*feeds.values())
    raise AssertionError


def small(config: Any) -> dict[str, Any]:
    """The options of a configuration that make it small, those of its parts too."""
    changed: dict[str, Any] = {}
    for name, value in vars(config).items():
        if hasattr(value, "to_dict") and name.endswith("config"):
            changed[name] = {"model_type": value.model_type, **small(value)}
        elif (new := _smaller(name, value)) is not None:
            changed[name] = new
    return changed


def _smaller(name: str, value: Any) -> Any:
    if isinstance(value, bool) or any(word in name for word in LEFT):
        return None
    if isinstance(value, int) and value > 1:
        found = EXACT.get(name) or next(
            (number for words, number in SMALL if any(word in name for word in words)), None
        )
        return None if found is None else min(found, value)
    if isinstance(value, list | tuple) and value and all(isinstance(one, int) for one in value):
        if "depth" in name or "num_layers" in name:
            return [1] * len(value)
        if any(word in name for word in NARROW):
            return [max(8, min(32, one // 16) // 8 * 8) for one in value]
        if name in ("image_size", "patch_size"):
            return [{"image_size": 64, "patch_size": 8}[name]] * len(value)
    return None


def _nested(config: Any) -> dict[str, Any]:
    return {
        name: value for name, value in vars(config).items() if hasattr(value, "to_dict") and name.endswith("config")
    }


def _bound_ids(config: Any) -> None:
    size = getattr(config, "vocab_size", None)
    for name, value in list(vars(config).items()):
        if name.endswith("token_id") and isinstance(value, int) and isinstance(size, int) and value >= size:
            setattr(config, name, 1 + len(name) % 3)


def _feeds(model: nn.Module, config: Any, rng: random.Random) -> Iterator[dict[str, torch.Tensor]]:
    """What the model may take, the likeliest first."""
    taken = inspect.signature(model.forward).parameters
    batch, length = rng.choice((1, 2)), rng.choice((5, 8, 12))
    parts = (config, *_nested(config).values())
    side = next((size for part in parts if (size := getattr(part, "image_size", None))), 64)
    height, width = side if isinstance(side, list | tuple) else (side, side)
    channels = next((count for part in parts if (count := getattr(part, "num_channels", None))), 3)
    mels = next(
        (
            count
            for part in parts
            for name in ("num_mel_bins", "feature_size", "input_feat_per_channel")
            if (count := getattr(part, name, None))
        ),
        16,
    )
    ids = torch.randint(3, 60, (batch, length))
    text = {
        "input_ids": ids,
        **({"attention_mask": torch.ones_like(ids)} if "attention_mask" in taken and rng.random() < 0.7 else {}),
    }
    if "decoder_input_ids" in taken and getattr(config, "is_encoder_decoder", False):
        text["decoder_input_ids"] = torch.randint(3, 60, (batch, 4))
    later = {name: value for name, value in text.items() if name.startswith("decoder")}
    images = [
        {"pixel_values": torch.rand(batch, channels, h, w)}
        for h, w in ((height, width), (64, 64), (128, 128), (224, 224))
    ]
    sounds = [
        {"input_values": torch.rand(batch, 1600)},
        {"input_values": torch.rand(batch, 4, mels)},
        {"input_values": torch.rand(batch, 1024, mels)},
    ]
    features = [
        {"input_features": torch.rand(shape)} for shape in ((batch, mels, 128), (batch, 64, mels), (batch, 1, 64, mels))
    ]
    main = model.main_input_name
    if main == "input_ids":
        yield text
        if "pixel_values" in taken:
            yield from ({**text, **one} for one in images)
    for one in (*images, *sounds, *features):
        if main in one:
            yield {**one, **later}
            yield one
            yield {**text, **one}
    yield {**text, **images[0]}
