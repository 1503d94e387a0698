"""Networks as pnnx makes them of PyTorch modules: python ncnn_pnnx.py FOLDER [NAME...]; in a Python that has torch, torchvision and pnnx.

Of each module with random weights: NAME.ncnn.param and .bin, half of them with weights of 16 bits, and NAME.pnnx.param and .bin.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
import torchvision
from pnnx import EXEC_PATH
from torch import nn

MINUTES = 3
Modules = dict[str, tuple[Callable[[], nn.Module], Sequence[Sequence[int]]]]


class Of(nn.Module):
    """A function as a module, with the layers that it uses."""

    def __init__(self, function: Callable[..., Any], **layers: nn.Module) -> None:
        super().__init__()
        self.function = function
        self.layers = nn.ModuleDict(layers)

    def forward(self, *inputs: Any) -> Any:
        return self.function(self.layers, *inputs)


class States(nn.Module):
    """The outputs of a recurrent layer without its states."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Any) -> Any:
        return self.layer(x)[0]


def conv(inputs: int, outputs: int, **more: Any) -> nn.Module:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, **more), nn.BatchNorm2d(outputs), nn.ReLU())


def residual() -> nn.Module:
    return Of(lambda m, x: F.relu(x + m["b"](m["a"](x))), a=conv(8, 8), b=conv(8, 8))


def squeeze_excite() -> nn.Module:
    return Of(
        lambda m, x: x * torch.sigmoid(m["b"](F.relu(m["a"](F.adaptive_avg_pool2d(x, 1))))),
        a=nn.Conv2d(8, 2, 1),
        b=nn.Conv2d(2, 8, 1),
    )


def attention() -> nn.Module:
    def run(m: Any, x: Any) -> Any:
        q, k, v = (m[name](x).reshape(1, 6, 2, 8).permute(0, 2, 1, 3) for name in "qkv")
        return m["o"](F.scaled_dot_product_attention(q, k, v).permute(0, 2, 1, 3).reshape(1, 6, 16))

    return Of(run, q=nn.Linear(16, 16), k=nn.Linear(16, 16), v=nn.Linear(16, 16), o=nn.Linear(16, 16))


def self_attention() -> nn.Module:
    return Of(lambda m, x: m["a"](x, x, x)[0], a=nn.MultiheadAttention(16, 4, batch_first=True))


def unet() -> nn.Module:
    def run(m: Any, x: Any) -> Any:
        a = m["a"](x)
        b = m["b"](F.max_pool2d(a, 2))
        return m["c"](torch.cat((a, m["up"](b)), 1))

    return Of(run, a=conv(3, 8), b=conv(8, 16), up=nn.ConvTranspose2d(16, 8, 2, 2), c=nn.Conv2d(16, 2, 1))


def yolo() -> nn.Module:
    """A neck with two heads, as detectors have it."""

    def run(m: Any, x: Any) -> Any:
        a = F.silu(m["a"](x))
        b = F.silu(m["b"](a))
        c = torch.cat((a, F.interpolate(b, scale_factor=2.0)), 1)
        return torch.cat((m["h1"](c).flatten(2), m["h2"](b).flatten(2)), 2).transpose(1, 2).sigmoid()

    layers = {
        "a": nn.Conv2d(3, 8, 3, 2, 1),
        "b": nn.Conv2d(8, 16, 3, 2, 1),
        "h1": nn.Conv2d(24, 7, 1),
        "h2": nn.Conv2d(16, 7, 1),
    }
    return Of(run, **layers)


IMAGE, SMALL, WAVE, ROWS, VOLUME = [(1, 3, 32, 32)], [(1, 8, 12, 10)], [(1, 6, 40)], [(1, 6, 16)], [(1, 2, 6, 8, 8)]


def function(run: Callable[..., Any]) -> Callable[[], nn.Module]:
    return lambda: Of(lambda m, *x: run(*x))


def image(run: Callable[[Any], Any]) -> Callable[[], nn.Module]:
    """Behind a convolution, from which pnnx knows what the batch dimension is."""
    return lambda: Of(lambda m, x: run(m["first"](x)), first=nn.Conv2d(8, 8, 1))


OWN: Modules = {
    "residual": (residual, SMALL), "squeeze_excite": (squeeze_excite, SMALL), "attention": (attention, ROWS), "self_attention": (self_attention, ROWS),
    "unet": (unet, IMAGE), "yolo": (yolo, [(1, 3, 64, 64)]),
    "depthwise": (lambda: nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, groups=8), nn.ReLU6(), nn.Conv2d(8, 4, 1), nn.Hardswish()), SMALL),
    "grouped": (lambda: nn.Sequential(nn.Conv2d(8, 8, 3, groups=2, stride=2), nn.LeakyReLU(0.1), nn.PReLU(8)), SMALL),
    "dilated": (lambda: nn.Sequential(nn.Conv2d(8, 6, 3, dilation=2, padding=2, bias=False), nn.ELU()), SMALL),
    "padded": (lambda: nn.Sequential(nn.ReflectionPad2d(2), nn.Conv2d(8, 4, (1, 5)), nn.ZeroPad2d((1, 0, 0, 1)), nn.ReplicationPad2d(1)), SMALL),
    "transposed": (lambda: nn.Sequential(nn.ConvTranspose2d(8, 4, 3, 2, 1, output_padding=1), nn.ReLU()), SMALL),
    "shuffle": (lambda: nn.Sequential(nn.Conv2d(8, 16, 1), nn.PixelShuffle(2), nn.ChannelShuffle(2)), SMALL),
    "unshuffle": (lambda: nn.Sequential(nn.PixelUnshuffle(2), nn.Conv2d(32, 4, 1)), SMALL),
    "pools": (lambda: Of(lambda m, x: torch.cat((F.max_pool2d(x, 3, 2, 1), F.avg_pool2d(x, 3, 2, 1, ceil_mode=False)), 1)), SMALL),
    "adaptive": (lambda: nn.Sequential(nn.AdaptiveAvgPool2d((3, 2)), nn.Flatten(), nn.Linear(48, 5), nn.Softmax(1)), SMALL),
    "instance": (lambda: nn.Sequential(nn.InstanceNorm2d(8, affine=True), nn.GroupNorm(2, 8), nn.Tanh()), SMALL),
    "local": (lambda: nn.Sequential(nn.LocalResponseNorm(5), nn.Softplus(), nn.Mish()), SMALL),
    "norms": (lambda: nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 8), nn.GELU(), nn.LayerNorm(8)), ROWS),
    "mlp": (lambda: nn.Sequential(nn.Linear(24, 16), nn.SiLU(), nn.Dropout(0.1), nn.Linear(16, 4), nn.LogSoftmax(1)), [(1, 24)]),
    "lstm": (lambda: States(nn.LSTM(16, 6, batch_first=True, bidirectional=True)), ROWS), "gru": (lambda: States(nn.GRU(16, 6, batch_first=True)), ROWS),
    "rnn": (lambda: States(nn.RNN(16, 6, 2, batch_first=True)), ROWS),
    "wave": (lambda: nn.Sequential(nn.Conv1d(6, 8, 5, 2), nn.BatchNorm1d(8), nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(8, 8, 3, groups=8)), WAVE),
    "wave_up": (lambda: nn.Sequential(nn.ConvTranspose1d(6, 4, 4, 2, 1), nn.AvgPool1d(2), nn.AdaptiveAvgPool1d(3)), WAVE),
    "volume": (lambda: nn.Sequential(nn.Conv3d(2, 4, 3, padding=1), nn.BatchNorm3d(4), nn.ReLU(), nn.MaxPool3d(2), nn.Conv3d(4, 4, 1)), VOLUME),
    "volume_up": (lambda: nn.Sequential(nn.ConvTranspose3d(2, 4, 2, 2), nn.AvgPool3d(2)), VOLUME),
    "encoder": (lambda: nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), ROWS),
    "slices": (image(lambda x: torch.cat((x[:, :4, 1:, :], x[:, 4:, :-1, :]), 1)), SMALL), "chunks": (image(lambda x: x.chunk(2, 1)), SMALL),
    "sums": (image(lambda x: (x.mean((2, 3)), x.sum(1), x.amax(2, keepdim=True))), SMALL),
    "views": (image(lambda x: x.view(1, 4, 2, 120).permute(0, 2, 1, 3).reshape(1, 8, 12, 10)), SMALL),
    "resizes": (image(lambda x: F.interpolate(x, size=(24, 20), mode="bilinear", align_corners=True)), SMALL),
    "nearest": (image(lambda x: F.interpolate(x, scale_factor=(2.0, 2.0), mode="nearest")), SMALL),
    "two": (function(lambda a, b: torch.maximum(a, b) * a - b / 2), [(1, 8, 4, 4), (1, 8, 4, 4)]), "product": (function(torch.matmul), [(1, 4, 6), (1, 6, 5)]),
    "unary": (image(lambda x: torch.exp(-x.abs()) + x.square().sqrt() + torch.sin(x) * x.cos().floor()), SMALL),
    "clamps": (image(lambda x: F.hardsigmoid(x.clamp(-1, 2)) + F.hardtanh(x) + F.celu(x) + F.selu(x)), SMALL),
    "tokens": (lambda: nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 4)), [(1, 6)]), "glu": (lambda: nn.GLU(1), SMALL),
    "squeezes": (image(lambda x: x.mean(1, keepdim=True).squeeze(1).unsqueeze(1) + x), SMALL), "unfolds": (lambda: nn.Unfold(3, padding=1), SMALL),
    "grid": (function(lambda x, g: F.grid_sample(x, g, align_corners=False)), [(1, 8, 6, 6), (1, 4, 5, 2)]), "cumulative": (image(lambda x: x.cumsum(2).flip(3)), SMALL),
    "splits": (image(lambda x: [part * 2 for part in x.split((3, 5), 1)]), SMALL), "tiles": (image(lambda x: x.repeat(1, 2, 1, 1) + 1), SMALL),
    "softmaxes": (image(lambda x: x.softmax(1) + x.softmax(3)), SMALL),
}  # fmt: skip

VISION = torchvision.models
FAMILIES: Modules = {
    name: (lambda name=name: getattr(VISION, name)(weights=None, num_classes=10), [(1, 3, 64, 64)])
    for name in ("shufflenet_v2_x0_5", "squeezenet1_1", "mnasnet0_5", "mobilenet_v3_small", "mobilenet_v2", "resnet18", "efficientnet_b0", "regnet_y_400mf", "densenet121")
} | {
    "googlenet": (lambda: VISION.googlenet(weights=None, num_classes=10, aux_logits=False, init_weights=False), [(1, 3, 64, 64)]),
    "lraspp": (lambda: Of(lambda m, x: m["n"](x)["out"], n=VISION.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=4)), [(1, 3, 64, 64)]),
    "vision_transformer": (lambda: VISION.VisionTransformer(32, 8, 2, 2, 32, 64, num_classes=10), IMAGE),
    "swin": (lambda: VISION.SwinTransformer([4, 4], 16, [1, 1], [2, 2], [4, 4], num_classes=10), IMAGE),
    "convnext": (lambda: VISION.ConvNeXt([VISION.convnext.CNBlockConfig(16, 32, 1), VISION.convnext.CNBlockConfig(32, None, 1)], num_classes=10), IMAGE),
}  # fmt: skip


def convert(name: str, module: nn.Module, shapes: Sequence[Sequence[int]], half: bool, folder: Path) -> bool:
    """Trace and convert; a module that pnnx does not finish leaves nothing."""
    is_index = name == "tokens"
    inputs = [torch.randint(0, 20, shape) if is_index else torch.randn(*shape) for shape in shapes]
    sizes = ",".join(f"[{','.join(map(str, shape))}]{'i64' if is_index else 'f32'}" for shape in shapes)
    with tempfile.TemporaryDirectory() as temporary:
        traced = Path(temporary) / f"{name}.pt"
        torch.jit.trace(module.eval(), tuple(inputs), check_trace=False).save(str(traced))
        command = [EXEC_PATH, str(traced), f"inputshape={sizes}", f"fp16={int(half)}"]
        done = subprocess.run(command, cwd=temporary, capture_output=True, timeout=60 * MINUTES)
        made = [Path(temporary) / f"{name}.{kind}" for kind in ("ncnn.param", "ncnn.bin", "pnnx.param", "pnnx.bin")]
        if done.returncode or not all(path.exists() for path in made):
            return False
        for path in made:
            (folder / path.name).write_bytes(path.read_bytes())
    return True


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    modules = {**OWN, **FAMILIES}
    torch.set_num_threads(1)
    for number, (name, (make, shapes)) in enumerate(modules.items()):
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        torch.manual_seed(number)
        try:
            said = "done" if convert(name, make(), shapes, bool(number % 2), folder) else "not converted"
        except Exception as error:
            said = f"not made: {str(error)[:200]}"
        print(f"{name}: {said}", flush=True)


if __name__ == "__main__":
    main()
