"""Decoders that onnxruntime-genai's builder writes from checkpoints with random weights: com.microsoft's fused attention, norms, rotations and narrow products."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from oracle.onnx_bases import Builder, draws
from oracle.onnx_bases_decoders import FAMILIES as DECODERS
from oracle.onnx_export import quiet

BUILDER = "import runpy; from oracle.onnx_export import quiet; quiet(); runpy.run_module('onnxruntime_genai.models.builder', run_name='__main__')"
TESTS = str(Path(__file__).resolve().parents[1])
HEADS, WIDE, SIZE = 4, 64, 16
FAMILIES = (
    "Llama",
    "Mistral",
    "Qwen2",
    "Qwen3",
    "Phi",
    "Gemma",
    "Gemma2",
    "Granite",
    "SmolLM3",
    "Nemotron",
    "Olmo",
    "Ernie4_5",
    "HunYuanDenseV1",
    "Lfm2",
)
COUNT = 8  # families
PRECISIONS = ("int4", "int4", "int8", "fp16", "fp32")
OPTIONS = (
    "int4_block_size=32", "int4_accuracy_level=4", "int4_is_symmetric=false", "int4_op_types_to_quantize=MatMul/Gather", "exclude_embeds=true", "exclude_lm_head=true", "include_hidden_states=true",
    "disable_qkv_fusion=true", "int4_algo_config=rtn_last",
)  # fmt: skip


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    for family in draws("genai").sample(FAMILIES, COUNT):
        rng = draws(f"genai/{family}")
        precision, options = rng.choice(PRECISIONS), rng.sample(OPTIONS, rng.choice((0, 1, 1, 2)))
        yield f"{family.lower()}-{precision}", lambda path, row=(family, precision, options): _built(path, *row)


def _built(path: Path, family: str, precision: str, options: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "checkpoint", Path(folder) / "made"
        config = _checkpoint(source, family)
        command = [
            sys.executable,
            "-c",
            BUILDER,
            "-i",
            str(source),
            "-o",
            str(made),
            "-p",
            precision,
            "-e",
            "cpu",
            "-c",
            str(Path(folder) / "cache"),
        ]
        command += ["--extra_options", "hf_token=false", *options]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, "PYTHONPATH": TESTS}
        )
        if done.returncode:
            raise ValueError(done.stderr.strip().splitlines()[-1])
        model = onnx.load(made / "model.onnx")
    onnx.save(model, path, save_as_external_data=True, location=f"{path.stem}.data", size_threshold=1024)
    return _feeds(model, config)


def _checkpoint(folder: Path, family: str) -> Any:
    import torch
    import transformers
    from tokenizers import Tokenizer, models

    rng = random.Random(family)
    options = {
        name: value for name, value in DECODERS.get(family, {}).items() if name not in ("pad_token_id", "head_dim")
    }
    sized = {"head_dim": SIZE} if family not in ("Phi", "Olmo", "Lfm2") else {}
    config = getattr(transformers, f"{family}Config")(**{
        "vocab_size": 96, "hidden_size": WIDE, "num_hidden_layers": 2, "num_attention_heads": HEADS, "num_key_value_heads": rng.choice((2, 4)), "intermediate_size": 96, "max_position_embeddings": 128,
        "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, **sized, **options,
    })  # fmt: skip
    torch.manual_seed(1)
    getattr(transformers, f"{family}ForCausalLM")(config).save_pretrained(folder)
    words = Tokenizer(models.WordLevel({f"w{k}": k for k in range(96)}, unk_token="w0"))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="w0", pad_token="w0", bos_token="w1", eos_token="w2"
    ).save_pretrained(folder)
    return config


def _feeds(model: onnx.ModelProto, config: Any) -> dict[str, Any]:
    """A prompt of four words: no past."""
    feeds: dict[str, Any] = {}
    sizes = {
        "batch_size": 1,
        "sequence_length": 4,
        "total_sequence_length": 4,
        "past_sequence_length": 0,
        "kv_cache_dim": SIZE,
    }
    for value in model.graph.input:
        type_ = value.type.tensor_type
        shape = [sizes.get(dim.dim_param, 4) if dim.dim_param else dim.dim_value for dim in type_.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(type_.elem_type)
        feeds[value.name] = np.ones(shape, dtype) if dtype.kind == "i" else np.full(shape, 0.1, dtype)
    return feeds
