"""Parts of diffusion pipelines with small configurations: UNets, autoencoders, ControlNets, transformers, as optimum and diffusers export them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from oracle.onnx_bases import Builder
from oracle.onnx_export import Made, Names, Plain, drawn, quiet

Row = tuple[str, dict[str, Any], dict[str, Callable[[int], torch.Tensor]], dict[str, Any]]
DOWN, UP = "DownBlock2D", "UpBlock2D"
CROSS_DOWN, CROSS_UP = "CrossAttnDownBlock2D", "CrossAttnUpBlock2D"
UNET: dict[str, Any] = {
    "block_out_channels": (8, 16),
    "layers_per_block": 1,
    "norm_num_groups": 4,
    "cross_attention_dim": 16,
    "attention_head_dim": 4,
    "in_channels": 4,
    "out_channels": 4,
}
VAE: dict[str, Any] = {
    "block_out_channels": (8, 16), "down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2, "norm_num_groups": 4, "latent_channels": 4, "layers_per_block": 1,
}  # fmt: skip


def _rand(*shape: int) -> Callable[[int], torch.Tensor]:
    """Sizes below zero are multiples of the side that is drawn."""
    return lambda side: torch.rand([-n * side if n < 0 else n for n in shape])


def _time(side: int) -> torch.Tensor:
    return torch.tensor([7], dtype=torch.int64)


LATENT: dict[str, Any] = {"sample": _rand(1, 4, -1, -1), "timestep": _time, "encoder_hidden_states": _rand(1, 5, 16)}
FLAT: dict[str, Any] = {"num_layers": 1, "attention_head_dim": 8, "num_attention_heads": 2}
# name -> the class, its options, its inputs by name, and what else the call is given
NETWORKS: dict[str, Row] = {
    "unet-2d": ("UNet2DModel", {"block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4, "down_block_types": (DOWN, "AttnDownBlock2D"), "up_block_types": ("AttnUpBlock2D", UP), "attention_head_dim": 4}, {"sample": _rand(1, 3, -1, -1), "timestep": _time}, {}),
    "unet-condition": ("UNet2DConditionModel", {**UNET, "down_block_types": (CROSS_DOWN, DOWN), "up_block_types": (UP, CROSS_UP)}, LATENT, {}),
    "unet-xl": ("UNet2DConditionModel", {**UNET, "down_block_types": (DOWN, CROSS_DOWN), "up_block_types": (CROSS_UP, UP), "transformer_layers_per_block": (1, 2), "use_linear_projection": True, "class_embed_type": "projection", "projection_class_embeddings_input_dim": 8},
        {**LATENT, "class_labels": _rand(1, 8)}, {}),
    "unet-mid": ("UNet2DConditionModel", {**UNET, "down_block_types": (CROSS_DOWN, DOWN), "up_block_types": (UP, CROSS_UP), "resnet_time_scale_shift": "scale_shift", "time_embedding_type": "fourier"}, LATENT, {}),
    "unet-3d": ("UNet3DConditionModel", {**UNET, "down_block_types": ("CrossAttnDownBlock3D", "DownBlock3D"), "up_block_types": ("UpBlock3D", "CrossAttnUpBlock3D")}, {**LATENT, "sample": _rand(1, 4, 2, -1, -1)}, {}),
    "unet-1d": ("UNet1DModel", {"block_out_channels": (8, 16), "sample_size": 64, "in_channels": 2, "out_channels": 2, "extra_in_channels": 16, "down_block_types": ("DownBlock1DNoSkip", "DownBlock1D"), "up_block_types": ("UpBlock1D", "UpBlock1DNoSkip"), "mid_block_type": "UNetMidBlock1D"},
        {"sample": _rand(1, 2, 64), "timestep": _time}, {}),
    "vae": ("AutoencoderKL", VAE, {"sample": _rand(1, 3, -2, -2)}, {}), "vae-tiny": ("AutoencoderTiny", {"encoder_block_out_channels": (8, 8), "decoder_block_out_channels": (8, 8), "num_encoder_blocks": (1, 1), "num_decoder_blocks": (1, 1)}, {"sample": _rand(1, 3, -2, -2)}, {}),
    "vq": ("VQModel", {"block_out_channels": (8, 16), "down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2, "norm_num_groups": 4, "latent_channels": 4, "num_vq_embeddings": 12, "layers_per_block": 1}, {"sample": _rand(1, 3, -2, -2)}, {}),
    "vae-temporal": ("AutoencoderKLTemporalDecoder", {"block_out_channels": (32, 32), "down_block_types": ("DownEncoderBlock2D",) * 2, "latent_channels": 4, "layers_per_block": 1}, {"sample": _rand(2, 3, -2, -2)}, {"num_frames": 2}),
    "vae-deep": ("AutoencoderDC", {"latent_channels": 4, "encoder_block_out_channels": (8, 16), "decoder_block_out_channels": (8, 16), "encoder_layers_per_block": (1, 1), "decoder_layers_per_block": (1, 1), "encoder_block_types": ("ResBlock", "EfficientViTBlock"),
        "decoder_block_types": ("ResBlock", "EfficientViTBlock"), "attention_head_dim": 8, "encoder_qkv_multiscales": ((), (5,)), "decoder_qkv_multiscales": ((), (5,))}, {"sample": _rand(1, 3, -2, -2)}, {}),
    "controlnet": ("ControlNetModel", {"block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4, "cross_attention_dim": 16, "attention_head_dim": 4, "down_block_types": (CROSS_DOWN, DOWN), "conditioning_embedding_out_channels": (8, 16)},
        {**LATENT, "controlnet_cond": _rand(1, 3, -2, -2)}, {}),
    "t2i": ("T2IAdapter", {"channels": [8, 16], "num_res_blocks": 1, "downscale_factor": 4, "adapter_type": "full_adapter"}, {"x": _rand(1, 3, -4, -4)}, {}),
    "dit": ("DiTTransformer2DModel", {**FLAT, "in_channels": 4, "out_channels": 8, "sample_size": 16, "norm_num_groups": 4, "num_embeds_ada_norm": 10}, {"hidden_states": _rand(1, 4, 16, 16), "timestep": _time, "class_labels": lambda side: torch.tensor([3])}, {}),
    "pixart": ("PixArtTransformer2DModel", {**FLAT, "in_channels": 4, "out_channels": 8, "sample_size": 16, "cross_attention_dim": 16, "caption_channels": 12, "use_additional_conditions": False},
        {"hidden_states": _rand(1, 4, 16, 16), "encoder_hidden_states": _rand(1, 5, 12), "timestep": _time}, {"added_cond_kwargs": {"resolution": None, "aspect_ratio": None}}),
    "sd3": ("SD3Transformer2DModel", {**FLAT, "in_channels": 4, "out_channels": 4, "sample_size": 16, "patch_size": 2, "joint_attention_dim": 16, "caption_projection_dim": 16, "pooled_projection_dim": 12, "pos_embed_max_size": 24},
        {"hidden_states": _rand(1, 4, 16, 16), "encoder_hidden_states": _rand(1, 5, 16), "pooled_projections": _rand(1, 12), "timestep": _time}, {}),
    "flux": ("FluxTransformer2DModel", {"in_channels": 4, "num_layers": 1, "num_single_layers": 1, "attention_head_dim": 16, "num_attention_heads": 2, "joint_attention_dim": 16, "pooled_projection_dim": 12, "axes_dims_rope": (4, 4, 8)},
        {"hidden_states": _rand(1, 16, 4), "encoder_hidden_states": _rand(1, 5, 16), "pooled_projections": _rand(1, 12), "timestep": _rand(1), "img_ids": _rand(16, 3), "txt_ids": _rand(5, 3)}, {}),
    "aura": ("AuraFlowTransformer2DModel", {"sample_size": 8, "patch_size": 2, "in_channels": 4, "num_mmdit_layers": 1, "num_single_dit_layers": 1, "attention_head_dim": 8, "num_attention_heads": 2, "joint_attention_dim": 16, "caption_projection_dim": 16, "out_channels": 4, "pos_embed_max_size": 64},
        {"hidden_states": _rand(1, 4, 8, 8), "encoder_hidden_states": _rand(1, 5, 16), "timestep": _rand(1)}, {}),
    "sana": ("SanaTransformer2DModel", {"patch_size": 1, "in_channels": 4, "out_channels": 4, "num_layers": 1, "attention_head_dim": 8, "num_attention_heads": 2, "num_cross_attention_heads": 2, "cross_attention_head_dim": 8, "cross_attention_dim": 16, "caption_channels": 12, "sample_size": 8},
        {"hidden_states": _rand(1, 4, 8, 8), "encoder_hidden_states": _rand(1, 5, 12), "timestep": _time}, {}),
    "prior": ("PriorTransformer", {"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 1, "embedding_dim": 16, "num_embeddings": 5, "additional_embeddings": 4}, {"hidden_states": _rand(1, 16), "timestep": _time, "proj_embedding": _rand(1, 16), "encoder_hidden_states": _rand(1, 5, 16)}, {}),
    "uvit": ("UVit2DModel", {"hidden_size": 16, "cond_embed_dim": 8, "micro_cond_encode_dim": 2, "micro_cond_embed_dim": 10, "encoder_hidden_size": 16, "vocab_size": 20, "codebook_size": 16, "in_channels": 16, "block_out_channels": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24, "block_num_heads": 2, "sample_size": 8},
        {"input_ids": lambda side: torch.randint(0, 16, (1, 8, 8)), "encoder_hidden_states": _rand(1, 5, 16), "pooled_text_emb": _rand(1, 8), "micro_conds": _rand(1, 5)}, {}),
}  # fmt: skip


class Half(nn.Module):
    """The half of an autoencoder that pipelines export by itself."""

    def __init__(self, model: nn.Module, half: str) -> None:
        super().__init__()
        self.model, self.half = model, half

    def forward(self, x: torch.Tensor) -> Any:
        if self.half == "encoder":
            return self.model.encode(x).latent_dist.parameters
        return self.model.decode(x, return_dict=False)[0]


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    for name, row in NETWORKS.items():
        yield drawn("diffusers", name, lambda rng, row=row: _made(row, rng))
    for half in ("encoder", "decoder"):
        yield drawn("diffusers", f"vae-{half}", lambda rng, half=half: (_half(half, rng), ("sample",)))


def _made(row: Row, rng: random.Random) -> tuple[Made, Names]:
    import diffusers

    name, options, inputs, more = row
    model = getattr(diffusers, name)(**options)
    side = rng.choice((8, 16))
    names = tuple(inputs)
    return (Plain(model, names, **more), tuple(make(side) for make in inputs.values())), names


def _half(half: str, rng: random.Random) -> Made:
    import diffusers

    side = rng.choice((8, 16))
    channels = 3 if half == "encoder" else 4
    return Half(diffusers.AutoencoderKL(**VAE), half), (torch.rand(1, channels, side, side),)
