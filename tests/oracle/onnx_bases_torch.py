"""Networks of torchvision, timm and transformers with few channels and random weights, and modules of our own, exported by both of PyTorch's exporters."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from oracle.onnx_bases import Builder
from oracle.onnx_export import Made, Plain, exporter, image, quiet

TRACED, CAPTURED = (
    (11, 13, 14, 17, 12, 16, 9, 15),
    (18, 20, 21, 23, 18, 22, 18),
)  # opsets by turns: of the older exporter, of the newer


def ids(length: int = 8, *more: Any) -> tuple[torch.Tensor, ...]:
    return (torch.randint(0, 40, (1, length)), *more)


def timm(name: str, size: int = 64, **options: Any) -> Callable[[], Made]:
    return lambda: (importlib.import_module("timm").create_model(name, num_classes=10, **options), image(size))


def vision(name: str, size: int = 64, **options: Any) -> Callable[[], Made]:
    models = "torchvision.models"
    return lambda: (
        getattr(importlib.import_module(models), name)(weights=None, num_classes=10, **options),
        image(size),
    )


TINY: dict[str, Any] = {
    "vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48, "max_position_embeddings": 32,
    "attn_implementation": "eager",
}  # fmt: skip


def language(
    config: str,
    model: str,
    inputs: Callable[[], tuple[torch.Tensor, ...]] = ids,
    names: tuple[str, ...] = ("input_ids",),
    **options: Any,
) -> Callable[[], Made]:
    def made() -> Made:
        library = importlib.import_module("transformers")
        made = getattr(library, config)(**{**TINY, **options})
        made.use_cache = False
        return Plain(getattr(library, model)(made), names, first=True), inputs()

    return made


def masked() -> tuple[torch.Tensor, ...]:
    return (*ids(8), torch.ones(1, 8, dtype=torch.int64))


MASKED = ("input_ids", "attention_mask")


def own(module: Callable[[], nn.Module], *shapes: tuple[int, ...]) -> Callable[[], Made]:
    return lambda: (module(), tuple(torch.rand(shape) for shape in shapes))


class Recurrent(nn.Module):
    def __init__(self, cell: str, **options: Any) -> None:
        super().__init__()
        self.cell = getattr(nn, cell)(6, 8, batch_first=True, **options)
        self.head = nn.LazyLinear(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        head: torch.Tensor = self.head(self.cell(x)[0][:, -1])
        return head


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down, self.low = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=2)
        self.up, self.out = nn.ConvTranspose2d(8, 8, 2, 2), nn.Conv2d(11, 2, 1)
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        low = nn.functional.leaky_relu(self.norm(self.down(x)))
        high = self.up(nn.functional.gelu(self.low(low)) + low)
        made: torch.Tensor = self.out(torch.cat((high, x), 1))
        return nn.functional.interpolate(made, scale_factor=2, mode="bilinear", align_corners=False)


class Head(nn.Module):
    """A detector's head: boxes of three scales, decoded by slices, joined, sorted by their score."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.ModuleList([nn.Conv2d(3 if k == 0 else 8, 8, 3, 2, 1) for k in range(3)])
        self.heads = nn.ModuleList([nn.Conv2d(8, 3 * 7, 1) for _ in range(3)])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        found = []
        for k, (stem, head) in enumerate(zip(self.stem, self.heads, strict=True)):
            x = nn.functional.silu(stem(x))
            y = head(x)
            y = (
                y.view(y.shape[0], 3, 7, y.shape[2], y.shape[3])
                .permute(0, 1, 3, 4, 2)
                .reshape(y.shape[0], -1, 7)
                .sigmoid()
            )
            found.append(torch.cat((y[..., :2] * 2 - 0.5, (y[..., 2:4] * 2) ** 2 * (k + 1), y[..., 4:]), -1))
        boxes = torch.cat(found, 1)
        scores, places = boxes[..., 4].topk(10)
        return scores, boxes.gather(1, places[..., None].expand(-1, -1, 7))


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=True)
        self.places = nn.Parameter(torch.rand(1, 6, 16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(x + self.places).mean(1)


class Text(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.conv, self.norm = nn.Embedding(40, 12), nn.Conv1d(12, 16, 3, padding=1), nn.GroupNorm(4, 16)
        self.out = nn.Linear(16, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.conv(self.table(x).transpose(1, 2)).relu())
        return self.out(y.amax(-1)).log_softmax(-1)


class Volume(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv3d(1, 4, 3, padding=1),
            nn.BatchNorm3d(4),
            nn.PReLU(4),
            nn.MaxPool3d(2),
            nn.InstanceNorm3d(4, affine=True),
        )
        self.out = nn.Linear(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = self.out(self.layers(x).flatten(2).mean(-1)).clamp(-1, 1)
        return made


class Many(nn.Module):
    """Operators that networks seldom have."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        z = torch.einsum("bij,bjk->bik", x, y)
        a = torch.where(z > 0, z, z.exp() - 1).cumsum(1)
        b = nn.functional.pad(z, (1, 2), mode="constant", value=0.5).argmax(-1)
        c = torch.stack((z.std(1), z.norm(dim=1), z.prod(1)), 0).tril()
        d = nn.functional.one_hot(b, 12).float() @ torch.arange(24.0).reshape(12, 2)
        return a, c, d, z.round().fmod(3).floor(), nn.functional.hardswish(z).erf()


NETWORKS: dict[str, Callable[[], Made]] = {
    "unet": own(UNet, (1, 3, 32, 32)), "head": own(Head, (1, 3, 64, 64)), "attention": own(Attention, (1, 6, 16)), "text": lambda: (Text(), ids(10)),
    "volume": own(Volume, (1, 1, 8, 8, 8)), "many": own(Many, (2, 4, 5), (2, 5, 6)),
    "lstm": own(lambda: Recurrent("LSTM", bidirectional=True, num_layers=2), (2, 7, 6)), "gru": own(lambda: Recurrent("GRU"), (2, 7, 6)),
    "rnn": own(lambda: Recurrent("RNN", bidirectional=True), (2, 7, 6)),
    "mobilenet_v2": vision("mobilenet_v2", width_mult=0.2), "mobilenet_v3_small": vision("mobilenet_v3_small", width_mult=0.25),
    "shufflenet_v2": lambda: (importlib.import_module("torchvision.models").ShuffleNetV2([2, 2, 2], [8, 16, 24, 32, 64], num_classes=10), image(64)),
    "mnasnet": lambda: (importlib.import_module("torchvision.models").MNASNet(0.1, num_classes=10), image(64)),
    "densenet": lambda: (importlib.import_module("torchvision.models").DenseNet(4, (2, 2, 2, 2), 8, num_classes=10), image(64)),
    "resnet": timm("resnet18", channels=(8, 8, 16, 16), stem_width=8, stem_type=""), "resnet-d": timm("resnet26d", channels=(4, 4, 8, 8), stem_width=8),
    "bert": language("BertConfig", "BertModel", masked, MASKED), "gpt2": language("GPT2Config", "GPT2LMHeadModel", masked, MASKED, n_embd=32, n_layer=2, n_head=2, n_positions=32),
    "llama": language("LlamaConfig", "LlamaForCausalLM", masked, MASKED, num_key_value_heads=1),
    "t5": language("T5Config", "T5ForConditionalGeneration", lambda: (*ids(8), *ids(5)), ("input_ids", "decoder_input_ids"), d_model=32, d_kv=8, d_ff=48, num_layers=1, num_heads=2),
    "whisper": language("WhisperConfig", "WhisperModel", lambda: (torch.rand(1, 16, 40), *ids(5), torch.ones(1, 5, dtype=torch.int64)), ("input_features", "decoder_input_ids", "decoder_attention_mask"), num_mel_bins=16, d_model=32, encoder_layers=1,
        decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=48, decoder_ffn_dim=48, max_source_positions=20, max_target_positions=16,
        pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1),
    "convnext": timm("convnext_atto", dims=(8, 8, 16, 16), depths=(1, 1, 1, 1)), "vit": timm("vit_tiny_patch16_224", 32, img_size=32, patch_size=8, embed_dim=32, depth=2, num_heads=2),
    "swin": timm("swin_tiny_patch4_window7_224", 56, img_size=56, embed_dim=16, depths=(1, 1), num_heads=(2, 4)), "mixer": timm("mixer_s32_224", 64, img_size=64, num_blocks=1),
    "efficientnet": timm("test_efficientnet"), "lcnet": timm("lcnet_035"),
    "byobnet": timm("test_byobnet"), "convmixer": timm("test_convnext", 64), "nfnet": timm("test_nfnet", 64), "beit": timm("beit_base_patch16_224", 32, img_size=32, patch_size=8, embed_dim=32, depth=2, num_heads=2),
    "cait": timm("cait_xxs24_224", 32, img_size=32, patch_size=8, embed_dim=32, depth=2, num_heads=2), "edgenext": timm("edgenext_xx_small", dims=(8, 16, 24, 32), depths=(1, 1, 1, 1)),
    "deit": timm("deit_tiny_distilled_patch16_224", 32, img_size=32, patch_size=8, embed_dim=32, depth=2, num_heads=2), "vit3": timm("test_vit3", 64),
    "distilbert": language("DistilBertConfig", "DistilBertForSequenceClassification", masked, MASKED, dim=32, n_layers=1, n_heads=2, hidden_dim=48),
    "roberta": language("RobertaConfig", "RobertaForTokenClassification", masked, MASKED), "albert": language("AlbertConfig", "AlbertModel", masked, MASKED, embedding_size=16),
    "electra": language("ElectraConfig", "ElectraForQuestionAnswering", masked, MASKED, embedding_size=16), "opt": language("OPTConfig", "OPTForCausalLM", ffn_dim=48, word_embed_proj_dim=32),
    "qwen2": language("Qwen2Config", "Qwen2ForCausalLM", masked, MASKED, num_key_value_heads=1), "mistral": language("MistralConfig", "MistralForCausalLM", masked, MASKED, num_key_value_heads=1),
    "gemma": language("GemmaConfig", "GemmaForCausalLM", masked, MASKED, num_key_value_heads=1, head_dim=16), "phi": language("PhiConfig", "PhiForCausalLM", masked, MASKED),
    "bloom": language("BloomConfig", "BloomForCausalLM", n_layer=1, n_head=2), "deberta": language("DebertaV2Config", "DebertaV2Model", masked, MASKED),
    "hf-vit": language("ViTConfig", "ViTForImageClassification", image, ("pixel_values",), image_size=32, patch_size=8),
    "segformer": language("SegformerConfig", "SegformerForSemanticSegmentation", lambda: image(64), ("pixel_values",), hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1],
        num_attention_heads=[1, 1, 2, 2], decoder_hidden_size=16),
    "mobilevit": language("MobileViTConfig", "MobileViTModel", lambda: image(64), ("pixel_values",), image_size=64, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 8, 16, 16, 16, 32]),
    "wav2vec2": language("Wav2Vec2Config", "Wav2Vec2ForCTC", lambda: (torch.rand(1, 800),), ("input_values",), conv_dim=(8, 8), conv_stride=(5, 4), conv_kernel=(10, 8),
        num_feat_extract_layers=2, num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2),
    "clip-text": language("CLIPTextConfig", "CLIPTextModel", projection_dim=16), "detr-like": own(lambda: nn.Transformer(16, 2, 1, 1, 32, batch_first=True), (1, 6, 16), (1, 4, 16)),
}  # fmt: skip
PLAIN = (  # without scaled_dot_product_attention, which the older exporter writes from opset 14 on
    "unet", "head", "text", "volume", "many", "lstm", "gru", "rnn", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2", "mnasnet", "densenet", "resnet", "resnet-d", "convnext", "mixer", "efficientnet",
    "lcnet", "byobnet", "convmixer",
)  # fmt: skip
HALF = ("unet", "attention", "resnet", "vit")
OPEN = (
    "unet",
    "text",
    "resnet",
    "bert",
    "gpt2",
    "llama",
    "lstm",
    "vit",
    "mobilenet_v2",
    "distilbert",
    "convnext",
    "t5",
)  # exported with an open batch, too


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    for place, (name, make) in enumerate(NETWORKS.items()):
        new, old = CAPTURED[place % len(CAPTURED)], TRACED[place % len(TRACED)]
        old = old if name in PLAIN else max(old, 14)
        yield f"traced-{name}-{old}", exporter(make, old)
        yield f"captured-{name}-{new}", exporter(make, new)
        if name in OPEN:
            yield f"traced-open-{name}-17", exporter(make, 17, is_open=True)
            yield f"captured-open-{name}-18", exporter(make, 18, is_open=True)
        if name in HALF:
            yield f"traced-half-{name}-17", exporter(make, 17, is_half=True)
            yield f"captured-half-{name}-18", exporter(make, 18, is_half=True)
