"""MobileNetV2 with a head of four dense layers as a flat listing: the same calls as the specification's example, with
names of its own.
"""

from __future__ import annotations

_SHRINKING = {1, 3, 6, 13}  # blocks whose depthwise convolution has stride 2, behind a padding
_RESIDUAL = {2, 4, 5, 7, 8, 9, 11, 12, 14, 15}


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def call(self, op: str, *inputs: int | str) -> int:
        self.lines.append(f"{len(self.lines)} {op} {list(inputs)!r}")
        return len(self.lines) - 1

    def conv(self, data: int, name: str, clip: bool) -> int:
        biased = self.call("nn.bias_add", self.call("nn.conv2d", data, f"{name}/kernel"), f"{name}/bias")
        return self.call("clip", biased) if clip else biased

    def block(self, number: int, data: int) -> int:
        at = self.conv(data, f"block_{number}/expand", clip=True) if number else data
        if number in _SHRINKING:
            at = self.call("nn.pad", at)
        at = self.conv(at, f"block_{number}/depthwise", clip=True)
        at = self.conv(at, f"block_{number}/project", clip=False)
        return self.call("add", data, at) if number in _RESIDUAL else at

    def dense(self, data: int, name: str) -> int:
        weight = self.call("transpose", f"{name}/kernel")
        return self.call("add", self.call("nn.dense", data, weight), f"{name}/bias")


def mobilenet_v2() -> str:
    writer = _Writer()
    at = writer.conv(writer.call("nn.pad", "image"), "stem", clip=True)
    for number in range(17):
        at = writer.block(number, at)
    at = writer.call("mean", writer.conv(at, "top", clip=True))
    for number in range(3):
        at = writer.call("nn.relu", writer.dense(at, f"dense_{number}"))
    writer.call("nn.softmax", writer.dense(at, "logits"))
    return "\n".join(writer.lines) + "\n"
