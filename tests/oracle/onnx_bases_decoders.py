"""Decoders with their cache as inputs and outputs, in the three forms that optimum writes: without a past, with one, and merged by an If."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from oracle.onnx_bases import Builder, draws
from oracle.onnx_export import exporter, quiet

HEADS, WIDE, LAYERS = 4, 32, 2
FAMILIES: dict[str, dict[str, Any]] = {
    "Llama": {"num_key_value_heads": 2}, "Qwen2": {"num_key_value_heads": 2}, "Qwen3": {"num_key_value_heads": 2, "head_dim": 8}, "Mistral": {"num_key_value_heads": 2}, "Phi3": {"num_key_value_heads": 2, "pad_token_id": 0},
    "GPT2": {}, "GPTNeoX": {}, "Gemma": {"num_key_value_heads": 1, "head_dim": 8}, "Gemma2": {"num_key_value_heads": 2, "head_dim": 8}, "StableLm": {"num_key_value_heads": 2}, "OPT": {"ffn_dim": 48, "word_embed_proj_dim": WIDE},
    "Granite": {"num_key_value_heads": 2}, "Olmo2": {"num_key_value_heads": 2}, "SmolLM3": {"num_key_value_heads": 2, "pad_token_id": 0}, "Cohere": {"num_key_value_heads": 2}, "Starcoder2": {"num_key_value_heads": 2},
}  # fmt: skip


class Decoder(nn.Module):
    def __init__(self, model: nn.Module, layers: int) -> None:
        super().__init__()
        self.model, self.layers = model, layers

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, places: torch.Tensor, *past: torch.Tensor) -> Any:
        from transformers import DynamicCache

        cache = DynamicCache([(past[2 * k], past[2 * k + 1]) for k in range(self.layers)]) if past else DynamicCache()
        kept = {"position_ids": places} if self.model.config.model_type != "opt" else {}
        found = self.model(input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True, **kept)
        presents = [part for layer in found.past_key_values.layers for part in (layer.keys, layer.values)]
        return (found.logits, *presents)


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    for family, options in FAMILIES.items():
        rng = draws(f"decoders/{family}")
        opset, is_new = rng.choice(((14, False), (17, False), (18, True), (20, True), (21, True)))
        past, open_ = rng.choice((3, 7)), rng.random() < 0.9
        row = {"family": family, "options": options, "opset": opset, "is_new": is_new, "is_open": open_}
        name = f"{family.lower()}-{'captured' if is_new else 'traced'}-{opset}"
        yield f"{name}-first", lambda path, row=row: _exported(path, past=0, **row)
        yield f"{name}-past", lambda path, row=row, past=past: _exported(path, past=past, **row)
        yield (
            f"{name}-merged",
            lambda path, name=name: _merged(
                path, path.with_name(f"{name}-first.onnx"), path.with_name(f"{name}-past.onnx")
            ),
        )


def _exported(
    path: Path, family: str, options: dict[str, Any], opset: int, past: int, *, is_new: bool, is_open: bool
) -> Any:
    library = importlib.import_module("transformers")
    config = getattr(library, f"{family}Config")(
        vocab_size=64, hidden_size=WIDE, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=48, max_position_embeddings=64, attn_implementation="eager", pad_token_id=0,
        bos_token_id=1, eos_token_id=2, **{name: value for name, value in options.items() if name != "pad_token_id"},
    )  # fmt: skip
    torch.manual_seed(2)
    model = getattr(library, f"{family}{'LMHeadModel' if family == 'GPT2' else 'ForCausalLM'}")(config)
    kept = getattr(config, "num_key_value_heads", None) or HEADS
    size = getattr(config, "head_dim", None) or WIDE // HEADS
    length = 1 if past else 5
    ids, mask = torch.randint(3, 60, (2, length)), torch.ones(2, past + length, dtype=torch.int64)
    places = torch.arange(past, past + length)[None].repeat(2, 1)
    cache = [torch.rand(2, kept, past, size) for _ in range(2 * LAYERS)] if past else []
    pairs = [f"{k}.{part}" for k in range(LAYERS) for part in ("key", "value")]
    names = ("input_ids", "attention_mask", "position_ids", *(f"past_key_values.{pair}" for pair in pairs if past))
    axes = {
        "input_ids": {0: "batch_size", 1: "sequence_length"},
        "attention_mask": {0: "batch_size", 1: "total_sequence_length"},
        "position_ids": {0: "batch_size", 1: "sequence_length"},
    }
    axes |= {name: {0: "batch_size", 2: "past_sequence_length"} for name in names[3:]}
    if is_new and past:  # a length of 1 would be taken for fixed
        axes |= {name: {0: "batch_size"} for name in ("input_ids", "position_ids")}
    outputs = ("logits", *(f"present.{pair}" for pair in pairs))
    row: dict[str, Any] = {"is_new": is_new, "names": names, "outputs": outputs, "axes": axes}
    try:
        return exporter(lambda: (Decoder(model, LAYERS), (ids, mask, places, *cache)), opset, is_open=is_open, **row)(
            path
        )
    except torch.onnx.errors.OnnxExporterError:
        if not (is_new and is_open):
            raise
    return exporter(lambda: (Decoder(model, LAYERS), (ids, mask, places, *cache)), opset, **row)(path)


def _merged(path: Path, first: Path, past: Path) -> dict[str, Any]:
    """What optimum's merge_decoders makes: an If with both graphs as its branches, which share their weights outside."""
    models = [onnx.load(file) for file in (past, first)]
    weights: dict[str, onnx.TensorProto] = {}
    branches = []
    for place, model in enumerate(models):
        graph = model.graph
        names = {tensor.name: f"w_{_digest(tensor)}" for tensor in graph.initializer}
        weights |= {names[tensor.name]: tensor for tensor in graph.initializer}
        for node in graph.node:
            node.name = f"{('past', 'first')[place]}/{node.name}"
            node.input[:] = [names.get(name, name) for name in node.input]
        nested = any(attribute.HasField("g") for node in graph.node for attribute in node.attribute)
        if nested or model.functions:
            raise ValueError("graphs in graphs")
        branches.append(onnx.helper.make_graph(graph.node, f"{('past', 'first')[place]}_branch", [], graph.output))
    inputs = list(models[0].graph.input)
    flag = onnx.helper.make_tensor_value_info("use_cache_branch", onnx.TensorProto.BOOL, [1])
    outputs = [
        onnx.helper.make_tensor_value_info(
            value.name, onnx.TensorProto.FLOAT, ["b", "s", "v"] if value.name == "logits" else ["b", "h", "t", "d"]
        )
        for value in models[0].graph.output
    ]
    node = onnx.helper.make_node(
        "If",
        ["use_cache_branch"],
        [value.name for value in outputs],
        "optimum::if",
        then_branch=branches[0],
        else_branch=branches[1],
    )
    graph = onnx.helper.make_graph([node], "merged", [*inputs, flag], outputs)
    for name, tensor in weights.items():
        graph.initializer.add().CopyFrom(tensor)
        graph.initializer[-1].name = name
    made = onnx.helper.make_model(
        graph, opset_imports=models[0].opset_import, ir_version=models[0].ir_version, producer_name="optimum-onnx"
    )
    onnx.save(made, path)
    with np.load(past.with_suffix(".npz")) as kept:
        return {**kept, "use_cache_branch": np.array([True])}


def _digest(tensor: onnx.TensorProto) -> str:
    import hashlib

    copy = onnx.TensorProto()
    copy.CopyFrom(tensor)
    copy.ClearField("name")
    return hashlib.sha1(copy.SerializeToString(deterministic=True)).hexdigest()[:12]
