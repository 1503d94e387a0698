"""Planted contradictions in a folder of ONNX Runtime GenAI, as the runtime 0.18 refuses them."""

from __future__ import annotations

from companions.genai_parts import HYBRID, IMAGES, NAMED, STAGES, TOKENS
from companions.planted import Planted, zeros

NET = """<ir_version: 8, opset_import: ["" : 17]>
net (int64[B,S] input_ids, int64[B,T] attention_mask, float[B,2,P,16] past_0_key, float[B,2,P,16] past_0_value,
     float[B,2,P,16] past_1_key, float[B,2,P,16] past_1_value)
    => (float[B,S,38] logits, float[B,2,P,16] present_0_key, float[B,2,P,16] present_0_value, float[B,2,P,16] present_1_key,
     float[B,2,P,16] present_1_value) {
   [a] shape = Shape (input_ids)
   [b] words = Constant <value: tensor = int64[1] {38}> ()
   [c] size = Concat <axis: int = 0> (shape, words)
   [d] mean = Cast <to: int = 1> (attention_mask)
   [e] one = ReduceMean <keepdims: int = 0> (mean)
   [f] logits = Expand (one, size)
   [g] present_0_key = Identity (past_0_key)
   [h] present_0_value = Identity (past_0_value)
   [i] present_1_key = Identity (past_1_key)
   [j] present_1_value = Identity (past_1_value)
}
"""
CONFIG = """{
  "model": {
    "bos_token_id": 1,
    "context_length": 256,
    "decoder": {
      "filename": "model.onnx",
      "head_size": 16,
      "hidden_size": 64,
      "inputs": {
        "input_ids": "input_ids",
        "attention_mask": "attention_mask",
        "position_ids": "position_ids",
        "past_key_names": "past_%d_key",
        "past_value_names": "past_%d_value"
      },
      "outputs": {
        "logits": "logits",
        "present_key_names": "present_%d_key",
        "present_value_names": "present_%d_value"
      },
      "num_attention_heads": 4,
      "num_hidden_layers": 2,
      "num_key_value_heads": 2
    },
    "eos_token_id": 2,
    "type": "llama",
    "vocab_size": 38
  },
  "search": {"max_length": 256, "num_beams": 1, "top_k": 50}
}
"""
TOKENIZER = """{"model": {"type": "BPE", "vocab": {"a": 0, "b": 36}}, "added_tokens": [{"id": 37, "content": "<s>"}]}"""
FILES = {"llm/genai_config.json": CONFIG, "llm/model.onnx": NET, "llm/tokenizer.json": TOKENIZER}
STOPPED = {**FILES, "llm/generation_config.json": '{"eos_token_id": [2, 7], "transformers_version": "4.50.0"}\n'}
EMBEDDED = {
    **FILES,
    "llm/model.onnx": NET.replace(
        "{", f"<{zeros('embed', 38, 64)}> {{\n   [z] wide = Gather (embed, input_ids)", 1
    ).replace(
        "[a] shape = Shape (input_ids)", "[a] all = Shape (wide)\n   [y] shape = Shape <start = 0, end = 2> (input_ids)"
    ),
}


TURNED = {
    "llm/genai_config.json": CONFIG,
    "llm/model.onnx": NET.replace(
        "float[B,2,P,16] present_1_value) {\n",
        f"float[B,2,P,16] present_1_value) <{zeros('cos_cache', 256, 1)}> {{\n   [k] turned = Gather (cos_cache, attention_mask)\n",
    ),
}


def planted(old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "") -> Planted:
    return Planted(FILES, "llm/genai_config.json", old, new, code, token, fixed, edited and f"llm/{edited}")


def stage(old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(STAGES, "llm/genai_config.json", old, new, code, token, fixed)


def images(old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "") -> Planted:
    return Planted(IMAGES, "llm/genai_config.json", old, new, code, token, fixed, edited and f"llm/{edited}")


def hybrid(old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(HYBRID, "llm/genai_config.json", old, new, code, token, fixed)


PLANTED = [
    planted('"past_%d_value"', '"past_%d_key"', "F007", '"past_%d_key"'),
    planted('"type": "llama"', '"type": "llama3"', "T006", '"llama3"', "unsafe"),
    planted('"type": "llama"', '"type": "lama"', "T006", '"lama"', "unsafe"),
    planted('"head_size"', '"session_options": {"provider_options": [{"gpu": {}}]}, "head_size"', "T006", '"gpu"'),
    planted('"head_size"', '"session_options": {"provider_options": [{"cudaa": {}}]}, "head_size"', "T003", '"cudaa"', "unsafe"),
    Planted(EMBEDDED, "llm/genai_config.json", '"hidden_size": 64', '"hidden_size": 48', "F008", "48"),
    planted('"vocab_size": 38', '"vocab_size": 40', "F008", "40", "unsafe"),
    planted("38] logits", "48] logits", "F008", "38", "unsafe", "model.onnx"),
    planted('"num_hidden_layers": 2', '"num_hidden_layers": 3', "F008", "3", "safe"),
    planted('"num_key_value_heads": 2', '"num_key_value_heads": 4', "F008", "4", "safe"),
    planted('"filename": "model.onnx"', '"filename": "net.onnx"', "F006", '"net.onnx"'),
    planted('"head_size": 16', '"head_size": 32', "F008", "32", "safe"),
    planted('"head_size": 16', '"head_size": "16"', "T001", '"16"'),
    planted('"eos_token_id": 2', '"eos_token_id": 200', "T006", "200"),
    planted('"eos_token_id": 2', '"eos_token_id": [2, 200]', "T006", "200"),
    planted('"input_ids": "input_ids"', '"input_ids": "ids"', "F001", '"ids"'),
    planted('"attention_mask": "attention_mask"', '"attention_mask": "mask"', "F001", '"mask"', "unsafe"),
    planted('"logits": "logits"', '"logits": "logit"', "F001", '"logit"', "unsafe"),
    planted('"past_%d_key"', '"last_%d_key"', "F001", '"last_%d_key"'),
    planted('"present_%d_key"', '"presents_%d_key"', "F001", '"presents_%d_key"', "unsafe"),
    planted('"present_%d_key"', '"present_key"', "T006", '"present_key"'),
    planted("input_ids,", "tokens,", "F001", '"input_ids"', edited="model.onnx"),
    planted(',\n    "vocab_size": 38', "", "T002", '"model"' ),
    planted('    "context_length": 256,\n', "", "T002", '"model"' ),
    planted('"num_beams": 1', '"num_beams": 0', "T006", "0"),
    planted('"num_beams": 1', '"num_beams": 2, "num_return_sequences": 3', "F007", "3"),
    planted('"num_beams": 1', '"do_sample": true, "top_p": 1.5', "T006", "1.5"),
    planted('"top_k": 50', '"do_sample": true, "top_k": 50', "T006", "50"),
    planted('"head_size"', '"head_sizes"', "T003", '"head_sizes"', "unsafe"),
    planted('"attention_mask": "att', '"attention_masks": "att', "T003", '"attention_masks"', "unsafe"),
    planted('"logits": "l', '"logit": "l', "T003", '"logit"', "unsafe"),
    Planted(STOPPED, "llm/genai_config.json", '"eos_token_id": 2', '"eos_token_id": 5', "F008", "5"),
    planted('"top_k"', '"topk"', "T003", '"topk"', "unsafe"),
    planted('"type": "llama"', '"typ": "llama"', "T003", '"typ"', "unsafe"),
    planted('"max_length": 256', '"max_length": 512', "F007", "512"),
    planted('"bos_token_id": 1', '"bos_token_id": 99', "T006", "99"),
    stage('["h0", "att', '["hidden", "att', "F001", '"hidden"'),
    stage('"outputs": ["h0"]', '"outputs": ["h9"]', "F001", '"h9"', "unsafe"),
    stage('"t.onnx"', '"tr.onnx"', "F006", '"tr.onnx"'),
    stage('{"h1": "h2"}', '{"hh": "h2"}', "F001", '"hh"'),
    stage('{"h1": "h2"}', '{"h1": "h3"}', "F001", '"h2"'),
    stage(', "past_key_values.0.value"], "out', '], "out', "F002", "["),
    stage('"num_hidden_layers": 1', '"num_hidden_layers": 4', "F008", "4", "safe"),
    stage('"head_size": 4', '"head_size": 8', "F008", "8", "safe"),
    stage('"past_key_values.%d.key"', '"past.%d.key"', "F001", '"past.%d.key"'),
    stage('"vocab_size": 16', '"vocab_size": 17', "F008", "17", "unsafe"),
    stage('"logits": "logits"', '"logits": "logit"', "F001", '"logit"', "unsafe"),
    Planted(NAMED, "llm/genai_config.json", '["h0", "att', '["hidden", "att', "F001", '"hidden"'),
    images('"image_features": "image_features"}, "outputs": {"emb', '"image_features": "features"}, "outputs": {"emb', "F001", '"features"', "unsafe"),
    images('"embeddings": "inputs_embeds"}', '"embeddings": "embeds"}', "F001", '"embeds"', "unsafe"),
    images('"pixel_values": "pixel_values"', '"pixel_values": "pixels"', "F001", '"pixels"', "unsafe"),
    images('"outputs": {"image_features": "image_features"}', '"outputs": {"image_features": "image_feature"}', "F001", '"image_feature"', "unsafe"),
    images('"v.onnx"', '"vis.onnx"', "F006", '"vis.onnx"'),
    images('"processor_config.json"', '"processor.json"', "F006", '"processor.json"'),
    images('"hidden_size": 8', '"hidden_size": 16', "F008", "16", "safe"),
    images("[M,8] image_features) => (float[B", "[M,16] image_features) => (float[B", "F004", '"image_features"', edited="e.onnx"),
    hybrid('"num_hidden_layers": 2', '"num_hidden_layers": 3', "F008", "3", "safe"),
    hybrid('["conv", "full_attention"]', '["conv"]', "T004", "["),
    hybrid('"past_conv.%d"', '"pastconv.%d"', "F001", '"pastconv.%d"', "unsafe"),
    hybrid('"present_conv.%d"', '"presentconv.%d"', "F001", '"presentconv.%d"', "unsafe"),
]  # fmt: skip
PLANTED += [
    planted('"bos_token_id": 1', '"bos_token_id": "1"', "T001", '"1"'),
    Planted(TURNED, "llm/genai_config.json", '"context_length": 256', '"context_length": 512', "F008", "512"),
]
SILENT = [NAMED, TOKENS]
