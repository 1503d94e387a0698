"""A Llama with random weights from a small configuration, exported by torch.export with its scopes: python onnx_llama.py LAYERS FILE."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

_find = importlib.util.find_spec


def _without_torchvision(name: str, *rest: Any) -> Any:
    """A torchvision of another PyTorch keeps transformers from being imported."""
    return None if name.partition(".")[0] == "torchvision" else _find(name, *rest)


def main(layers: int, path: str) -> None:
    importlib.util.find_spec = _without_torchvision
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    sizes = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "max_position_embeddings": 64}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    config = LlamaConfig(**sizes, **heads, num_hidden_layers=layers, attn_implementation="eager")
    model = LlamaForCausalLM(config).eval()
    given = {"input_ids": torch.zeros(1, 8, dtype=torch.long), "attention_mask": torch.ones(1, 8, dtype=torch.long)}
    program = torch.onnx.export(model, (), kwargs={**given, "use_cache": False}, dynamo=True, opset_version=20)
    assert program is not None
    program.save(path)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
