"""Encoders and encoder-decoders of transformers, from small configurations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import transformers as hf
from cases import Built, Case, converted
from optimum.exporters.openvino.model_patcher import eager_mask_without_vmap
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS

for kind in ("sdpa", "eager"):  # torch.jit.trace fails at vmap, with which transformers makes masks
    ALL_MASK_ATTENTION_FUNCTIONS.register(kind, eager_mask_without_vmap)

TEXT = {
    "hidden_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 256,
    "vocab_size": 500,
}
IMAGE = {
    "hidden_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 192,
    "image_size": 64,
}
WIDE = {"d_model": 96, "vocab_size": 500}
SEQ2SEQ = {
    **WIDE, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 192, "decoder_ffn_dim": 192, "max_position_embeddings": 128,
}  # fmt: skip

ENCODERS: dict[str, dict[str, Any]] = {
    "bert": TEXT, "roberta": TEXT, "electra": {**TEXT, "embedding_size": 64}, "albert": {**TEXT, "embedding_size": 64},
    "mpnet": TEXT, "deberta": TEXT, "deberta-v2": TEXT, "camembert": TEXT, "ernie": TEXT, "layoutlm": TEXT, "mobilebert": TEXT,
    "convbert": TEXT, "roformer": TEXT, "nystromformer": TEXT, "squeezebert": {**TEXT, "embedding_size": 128}, "ibert": TEXT,
    "megatron-bert": TEXT, "rembert": TEXT, "modernbert": {**TEXT, "global_attn_every_n_layers": 2, "pad_token_id": 0},
    "distilbert": {"dim": 128, "n_layers": 2, "n_heads": 4, "hidden_dim": 256, "vocab_size": 500},
    "fnet": {k: v for k, v in TEXT.items() if k != "num_attention_heads"}, "yoso": TEXT, "canine": TEXT,
    "xlnet": {"d_model": 96, "n_layer": 2, "n_head": 4, "d_inner": 192, "vocab_size": 500},
}  # fmt: skip
VISION: dict[str, dict[str, Any]] = {
    "vit": {**IMAGE, "patch_size": 8}, "deit": {**IMAGE, "patch_size": 8}, "beit": {**IMAGE, "patch_size": 8},
    "dinov2": {**IMAGE, "patch_size": 8}, "vit_mae": {**IMAGE, "patch_size": 8}, "yolos": {**IMAGE, "image_size": [64, 64]},
    "siglip_vision_model": {**IMAGE, "patch_size": 8}, "clip_vision_model": {**IMAGE, "patch_size": 8},
    "segformer": {"depths": [1, 1, 1, 1], "hidden_sizes": [16, 32, 48, 64], "num_attention_heads": [1, 2, 3, 4]},
    "swin": {"image_size": 64, "embed_dim": 24, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4},
    "swinv2": {"image_size": 64, "embed_dim": 24, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4},
    "convnext": {"hidden_sizes": [16, 32, 48, 64], "depths": [1, 1, 1, 1]},
    "mobilevit": {"image_size": 64, "hidden_sizes": [48, 64, 80], "neck_hidden_sizes": [16, 16, 32, 48, 64, 80, 160]},
    "resnet": {"embedding_size": 16, "hidden_sizes": [16, 32, 48, 64], "depths": [1, 1, 1, 1]},
    "poolformer": {"hidden_sizes": [16, 32, 48, 64], "depths": [1, 1, 1, 1]},
    "pvt_v2": {"image_size": 64, "hidden_sizes": [16, 32, 48, 64], "depths": [1, 1, 1, 1], "num_attention_heads": [1, 2, 3, 4]},
    "dpt": {**IMAGE, "patch_size": 8, "backbone_out_indices": [0, 0, 1, 1], "neck_hidden_sizes": [16, 16, 32, 32],
            "fusion_hidden_size": 32, "reassemble_factors": [4, 2, 1, 0.5]},
}  # fmt: skip
AUDIO = {
    "hidden_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 192,
    "conv_dim": [32] * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4,
}  # fmt: skip
ENCODER_DECODERS: dict[str, dict[str, Any]] = {
    "bart": SEQ2SEQ, "mbart": SEQ2SEQ, "marian": {**SEQ2SEQ, "pad_token_id": 0, "decoder_start_token_id": 0},
    "pegasus": SEQ2SEQ, "m2m_100": SEQ2SEQ, "blenderbot": SEQ2SEQ,
    "t5": {"d_model": 96, "d_kv": 24, "d_ff": 192, "num_layers": 2, "num_heads": 4, "vocab_size": 500},
    "mt5": {"d_model": 96, "d_kv": 24, "d_ff": 192, "num_layers": 2, "num_heads": 4, "vocab_size": 500},
    "longt5": {"d_model": 96, "d_kv": 24, "d_ff": 192, "num_layers": 2, "num_heads": 4, "vocab_size": 500, "local_radius": 7},
}  # fmt: skip

MEDIUM = {"hidden_size": 384, "num_hidden_layers": 4, "num_attention_heads": 6, "intermediate_size": 1536}
MEDIUM_MODELS: dict[str, dict[str, Any]] = {  # large enough for their time to be compared
    **{name: {**MEDIUM, "vocab_size": 2000} for name in ("bert", "roberta", "deberta-v2", "nystromformer")},
    "distilbert": {"dim": 384, "n_layers": 4, "n_heads": 6, "hidden_dim": 1536, "vocab_size": 2000},
    **{name: {**MEDIUM, "image_size": 224, "patch_size": 16} for name in ("vit", "dinov2", "siglip_vision_model", "beit")},
    "segformer": {}, "swin": {"depths": [1, 1, 2, 1]}, "convnext": {"depths": [1, 1, 2, 1]},
    **{name: {**MEDIUM, "conv_dim": [128] * 7} for name in ("wav2vec2", "hubert")},
    **{name: {**SEQ2SEQ, "d_model": 384, "encoder_ffn_dim": 1536, "decoder_ffn_dim": 1536} for name in ("bart", "pegasus")},
    "t5": {"d_model": 384, "d_kv": 64, "d_ff": 1536, "num_layers": 3, "num_heads": 6, "vocab_size": 2000},
}  # fmt: skip


def cases() -> Iterator[Case]:
    for name in ENCODERS:
        yield Case(name, lambda name=name: encoder(name))
    for name in ("bert", "roberta", "deberta-v2"):
        yield Case(f"{name}_open", lambda name=name: encoder(name, fixed=False))
    yield Case("bert_base", bert_base)
    for name in MEDIUM_MODELS:
        yield Case(f"{name}_medium", lambda name=name: medium(name))
    for name in VISION:
        yield Case(name, lambda name=name: vision(name))
    for name in ("wav2vec2", "hubert", "wavlm", "data2vec-audio"):
        yield Case(name, lambda name=name: audio(name))
    for name in ENCODER_DECODERS:
        yield Case(name, lambda name=name: encoder_decoder(name))
    yield Case("whisper", whisper)
    yield Case("clip", clip)


class Wrapped(torch.nn.Module):
    """A model called with keywords, that returns its tensors as a tuple."""

    def __init__(self, module: torch.nn.Module, *names: str) -> None:
        super().__init__()
        self.module, self.names = module, names

    def forward(self, *values: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found = self.module(**dict(zip(self.names, values, strict=True)), return_dict=False)
        return tuple(each for each in found if isinstance(each, torch.Tensor))


def from_config(name: str, options: dict[str, Any], kind: Any = hf.AutoModel) -> torch.nn.Module:
    config = hf.AutoConfig.for_model(name, **options)
    if kind is hf.AutoModel and name.endswith("_vision_model"):
        kind = {"clip_vision_model": hf.CLIPVisionModel, "siglip_vision_model": hf.SiglipVisionModel}[name]
        return kind(config)
    return kind.from_config(config)


def tokens(length: int = 32) -> torch.Tensor:
    return torch.randint(5, 400, (1, length))


def ones(length: int = 32) -> torch.Tensor:
    return torch.ones(1, length, dtype=torch.int64)


def encoder(name: str, fixed: bool = True) -> Built:
    names = ("input_ids", "attention_mask") if name != "fnet" else ("input_ids",)
    inputs = (tokens(), ones())[: len(names)]
    return converted(Wrapped(from_config(name, ENCODERS[name]), *names), *inputs, fixed=fixed)


def medium(name: str) -> Built:
    module = from_config(name, MEDIUM_MODELS[name])
    if name in VISION:
        return converted(Wrapped(module, "pixel_values"), torch.rand(1, 3, 224, 224))
    if name in ("wav2vec2", "hubert"):
        return converted(Wrapped(module, "input_values"), torch.rand(1, 16000))
    names = "input_ids", "attention_mask", "decoder_input_ids"
    if name in ENCODER_DECODERS:
        module.config.use_cache = False
        return converted(Wrapped(module, *names), tokens(96), ones(96), tokens(48))
    return converted(Wrapped(module, *names[:2]), tokens(96), ones(96))


def bert_base() -> Built:
    options = {"num_hidden_layers": 4, "vocab_size": 2000}
    inputs = tokens(128), ones(128)
    return converted(Wrapped(from_config("bert", options), "input_ids", "attention_mask"), *inputs)


def vision(name: str) -> Built:
    return converted(Wrapped(from_config(name, VISION[name]), "pixel_values"), torch.rand(1, 3, 64, 64))


def audio(name: str) -> Built:
    return converted(Wrapped(from_config(name, AUDIO), "input_values"), torch.rand(1, 8000))


def encoder_decoder(name: str) -> Built:
    names = "input_ids", "attention_mask", "decoder_input_ids"
    inputs = tokens(), ones(), tokens(8)
    return converted(Wrapped(from_config(name, {**ENCODER_DECODERS[name], "use_cache": False}), *names), *inputs)


def whisper() -> Built:
    module = from_config("whisper", {**SEQ2SEQ, "use_cache": False, "max_source_positions": 200, "pad_token_id": 0})
    names = "input_features", "decoder_input_ids", "decoder_attention_mask"
    return converted(Wrapped(module, *names), torch.rand(1, 80, 400), tokens(8), ones(8))


def clip() -> Built:
    text = {**TEXT, "max_position_embeddings": 32, "eos_token_id": 2}
    module = from_config("clip", {"text_config": text, "vision_config": {**IMAGE, "patch_size": 8}})
    return converted(Wrapped(module, "input_ids", "pixel_values"), tokens(16), torch.rand(1, 3, 64, 64))
