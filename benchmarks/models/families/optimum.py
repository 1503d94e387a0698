"""Stateful exports of optimum-intel: decoders with their KV cache as variables, encoder-decoders in parts, embeddings."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openvino as ov
import transformers as hf
from cases import Built, Case

from families.decoders import GPT, GROUPED
from families.transformers import SEQ2SEQ, TEXT

MODELS: dict[str, tuple[str, dict[str, Any], str]] = {
    "llama": ("llama", GROUPED, "text-generation-with-past"),
    "qwen2": ("qwen2", GROUPED, "text-generation-with-past"),
    "qwen3": ("qwen3", {**GROUPED, "head_dim": 32}, "text-generation-with-past"),
    "gpt2": ("gpt2", GPT, "text-generation-with-past"),
    "mistral": ("mistral", GROUPED, "text-generation-with-past"),
    "phi3": ("phi3", GROUPED, "text-generation-with-past"),
    "gemma2": ("gemma2", {**GROUPED, "head_dim": 32}, "text-generation-with-past"),
    "opt": ("opt", {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 256, "vocab_size": 500,
                    "word_embed_proj_dim": 128}, "text-generation-with-past"),
    "bloom": ("bloom", {"hidden_size": 128, "n_layer": 2, "n_head": 4, "vocab_size": 500}, "text-generation-with-past"),
    "falcon": ("falcon", TEXT, "text-generation-with-past"),
    "mamba": ("mamba", {"hidden_size": 128, "num_hidden_layers": 2, "state_size": 8, "vocab_size": 500},
              "text-generation-with-past"),
    "mixtral": ("mixtral", {**GROUPED, "num_local_experts": 4}, "text-generation-with-past"),
    "qwen3_moe": (
        "qwen3_moe",
        {**GROUPED, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 64, "head_dim": 32},
        "text-generation-with-past",
    ),
    "bert": ("bert", TEXT, "feature-extraction"),
    "roberta": ("roberta", TEXT, "text-classification"),
    "bart": ("bart", SEQ2SEQ, "text2text-generation-with-past"),
    "marian": ("marian", {**SEQ2SEQ, "pad_token_id": 0, "decoder_start_token_id": 0}, "text2text-generation-with-past"),
    "whisper": ("whisper", {**SEQ2SEQ, "max_source_positions": 1500, "pad_token_id": 0, "decoder_start_token_id": 1,
                            "bos_token_id": 1, "eos_token_id": 2, "begin_suppress_tokens": None, "num_mel_bins": 80},
                "automatic-speech-recognition-with-past"),
}  # fmt: skip
CLASSES = {
    "text-generation": hf.AutoModelForCausalLM,
    "feature-extraction": hf.AutoModel,
    "text-classification": hf.AutoModelForSequenceClassification,
    "text2text-generation": hf.AutoModelForSeq2SeqLM,
    "automatic-speech-recognition": hf.AutoModelForSpeechSeq2Seq,
}
SHAPES = {
    "input_ids": (1, 12), "attention_mask": (1, 12), "position_ids": (1, 12), "beam_idx": (1,), "token_type_ids": (1, 12),
    "decoder_input_ids": (1, 4), "encoder_hidden_states": (1, 12, 96), "encoder_attention_mask": (1, 12),
    "input_features": (1, 80, 3000), "cache_position": (4,),
}  # fmt: skip


def cases() -> Iterator[Case]:
    for name, (kind, options, task) in MODELS.items():
        yield Case(name, lambda kind=kind, options=options, task=task: exported(kind, options, task))
    yield Case("llama_stateless", lambda: exported("llama", GROUPED, "text-generation-with-past", stateful=False))


def exported(kind: str, options: dict[str, Any], task: str, stateful: bool = True) -> dict[str, Built]:
    """Return the models that the exporter writes for a configuration, by what their files' names add."""
    from optimum.exporters.openvino import export_from_model

    config = hf.AutoConfig.for_model(kind, **options)
    module = CLASSES[task.removesuffix("-with-past")].from_config(config).eval()
    with tempfile.TemporaryDirectory() as folder:
        export_from_model(module, output=folder, task=task, stateful=stateful, model_kwargs={})
        found = {}
        for path in sorted(Path(folder).glob("*.xml")):
            model = ov.Core().read_model(path)  # its weights stay mapped when the folder is removed
            found[path.stem.removeprefix("openvino_")] = Built(model, shapes(model))
        return found


def shapes(model: Any) -> dict[str, tuple[int, ...]]:
    """Return shapes of the inputs that belong together: a cache that is an input holds 4 tokens."""
    names = [min(port.get_names(), default=port.get_node().get_friendly_name()) for port in model.inputs]
    known = {**SHAPES, "attention_mask": (1, 16)} if any("past" in name for name in names) else SHAPES
    found = {}
    for name, port in zip(names, model.inputs, strict=True):
        lengths = [d.get_length() if d.is_static else 0 for d in port.partial_shape]
        found[name] = known.get(name) or tuple(n or (1 if k == 0 else 4) for k, n in enumerate(lengths))
    return found
