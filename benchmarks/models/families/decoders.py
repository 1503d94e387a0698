"""Causal language models of transformers without a cache: all tokens in, logits out.

Mixtures of experts are among those of optimum, which patches them: a trace follows only the experts that its example has hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import transformers as hf
from cases import Built, Case, converted

from families.transformers import TEXT, Wrapped, ones, tokens

GROUPED = {**TEXT, "num_key_value_heads": 2, "max_position_embeddings": 128, "pad_token_id": 0}
EXPERTS = {**GROUPED, "num_local_experts": 4, "num_experts_per_tok": 2}
GPT = {"n_embd": 128, "n_layer": 2, "n_head": 4, "n_positions": 128, "vocab_size": 500}
MODELS: dict[str, dict[str, Any]] = {
    "gpt2": GPT, "gptj": {**GPT, "rotary_dim": 16}, "gpt_neox": {**TEXT, "max_position_embeddings": 128},
    "gpt_neo": {"hidden_size": 128, "num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]],
                "vocab_size": 500},
    "gpt_bigcode": GPT, "codegen": {**GPT, "rotary_dim": 16}, "llama": GROUPED, "mistral": {**GROUPED, "sliding_window": 16},
    "qwen2": GROUPED, "qwen3": {**GROUPED, "head_dim": 32}, "phi": GROUPED, "phi3": GROUPED,
    "gemma": {**GROUPED, "head_dim": 32}, "gemma2": {**GROUPED, "head_dim": 32, "sliding_window": 16},
    "gemma3_text": {**GROUPED, "head_dim": 32, "sliding_window": 16}, "starcoder2": GROUPED, "stablelm": GROUPED,
    "falcon": TEXT, "bloom": {"hidden_size": 128, "n_layer": 2, "n_head": 4, "vocab_size": 500},
    "opt": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 256, "vocab_size": 500,
            "word_embed_proj_dim": 128},
    "olmo": GROUPED, "olmo2": GROUPED, "cohere": GROUPED, "granite": GROUPED, "glm": {**GROUPED, "head_dim": 32},
    "mpt": {"d_model": 128, "n_layers": 2, "n_heads": 4, "vocab_size": 500, "max_seq_len": 128}, "persimmon": GROUPED,
    "mamba": {"hidden_size": 128, "num_hidden_layers": 2, "state_size": 8, "vocab_size": 500, "use_mambapy": False},
    "mamba2": {"hidden_size": 128, "num_hidden_layers": 2, "state_size": 16, "vocab_size": 500, "num_heads": 8, "head_dim": 32,
               "n_groups": 1},
    "deepseek_v3": {**GROUPED, "num_key_value_heads": 4, "n_routed_experts": 4, "n_group": 1, "topk_group": 1,
                    "num_experts_per_tok": 2, "moe_intermediate_size": 64, "first_k_dense_replace": 1, "kv_lora_rank": 32,
                    "q_lora_rank": 32, "qk_rope_head_dim": 16, "qk_nope_head_dim": 16, "v_head_dim": 32},
    "gpt_oss": {**EXPERTS, "head_dim": 32, "sliding_window": 16},
}  # fmt: skip
LARGER = {"hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 4,
          "intermediate_size": 1536, "vocab_size": 4000, "max_position_embeddings": 256}  # fmt: skip


def cases() -> Iterator[Case]:
    for name in MODELS:
        yield Case(name, lambda name=name: decoder(name))
    for name in ("llama", "gpt2", "qwen2"):
        yield Case(f"{name}_open", lambda name=name: decoder(name, fixed=False))
    for name in ("qwen2", "gemma2", "phi", "mamba"):
        yield Case(f"{name}_30m", lambda name=name: converted(causal(name, LARGER), tokens(64), ones(64)))
    yield Case("llama_30m", lambda: converted(causal("llama", LARGER), tokens(64), ones(64)))
    yield Case("llama_30m_f32", lambda: converted(causal("llama", LARGER), tokens(64), ones(64), half=False))
    yield Case(
        "gpt2_small", lambda: converted(causal("gpt2", {"n_layer": 4, "vocab_size": 2000}), tokens(64), ones(64))
    )


def causal(name: str, options: dict[str, Any]) -> torch.nn.Module:
    torch.manual_seed(0)
    config = hf.AutoConfig.for_model(name, **{**options, "use_cache": False, "attn_implementation": "eager"})
    config._attn_implementation = "sdpa" if name in ("llama", "qwen2", "gpt2", "mistral") else "eager"
    return Wrapped(hf.AutoModelForCausalLM.from_config(config).eval(), "input_ids", "attention_mask")


def decoder(name: str, fixed: bool = True) -> Built:
    return converted(causal(name, MODELS[name]), tokens(24), ones(24), fixed=fixed)
