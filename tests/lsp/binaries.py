"""Binary models, made of the textual form of ONNX."""

from __future__ import annotations

from irlint.formats.onnx.text.parse import TextParser
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole

DIGITS = """<
   ir_version: 10,
   opset_import: ["" : 21],
   producer_name: "irlint"
>
digits (
   float[N,1,8,8] image
) => (
   float[N,4] probabilities
) <
   float[4,1,3,3] "conv.weight" = {0.1,0.2,0.1,0.2,0.4,0.2,0.1,0.2,0.1,0.1,0.2,0.1,0.2,0.4,0.2,0.1,0.2,0.1,0.1,0.2,0.1,0.2,0.4,0.2,0.1,0.2,0.1,0.1,0.2,0.1,0.2,0.4,0.2,0.1,0.2,0.1},
   float[4] "conv.bias" = {0.0,0.0,0.1,0.1}
> {
   [conv] features = Conv <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1]> (image, "conv.weight", "conv.bias")
   [act] active = Relu (features)
   [pool] pooled = GlobalAveragePool (active)
   [flat] flat = Flatten <axis: int = 1> (pooled)
   [scores] probabilities = Softmax <axis: int = 1> (flat)
}
"""
MISTAKE = ("kernel_shape", "kernal_shape")


def imperfect() -> str:
    """Return a text with an error, a warning (an unused initializer) and a pedantic finding (a small one)."""
    large = ",".join(["0.5"] * 1000)
    more = f'float[2] "spare" = {{0.0,0.1}},\n   float[1000] "lost" = {{{large}}},\n   float[4] "conv.bias"'
    return DIGITS.replace(*MISTAKE).replace('float[4] "conv.bias"', more)


def deep(layers: int = 6) -> str:
    """Return a text with names as PyTorch's exporter writes them."""
    last = "hidden_states"
    nodes: list[str] = []
    for k in range(layers):
        for part, op in (("self_attn/q_proj", "Relu"), ("self_attn/softmax", "Softmax"), ("mlp/act_fn", "Sigmoid")):
            out = f"/model/layers.{k}/{part}/{op}_output_0"
            nodes.append(f'   ["/model/layers.{k}/{part}/{op}"] "{out}" = {op} ("{last}")')
            last = out
    ends = f'   float[batch_size,sequence_length,2048] hidden_states\n) => (\n   float[batch_size,sequence_length,2048] "{last}"'
    return (
        f'<\n   ir_version: 10,\n   opset_import: ["" : 21]\n>\nmain_graph (\n{ends}\n) {{\n'
        + "\n".join(nodes)
        + "\n}\n"
    )


def binary(text: str, weights: int = 0) -> bytes:
    """Return the binary of a text; with `weights`, it has an unused initializer of that many bytes."""
    tree = TextParser(text).model()
    if weights:
        tensor = {"dims": [weights // 4], "data_type": 1, "name": "more", "raw_data": bytes(weights)}
        tree["graph"].setdefault("initializer", []).append(tensor)
    return whole(MODEL, tree)
