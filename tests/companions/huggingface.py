"""Planted contradictions in folders of Hugging Face models."""

from __future__ import annotations

from companions import genai
from companions.planted import Planted
from companions.ultralytics import net

CLASSIFIER = """{
  "architectures": ["ViTForImageClassification"],
  "id2label": {"0": "cat", "1": "dog", "2": "bird"},
  "label2id": {"cat": 0, "dog": 1, "bird": 2},
  "model_type": "vit"
}
"""
IMAGES = """{
  "do_resize": true,
  "image_processor_type": "ViTImageProcessor",
  "size": {"height": 160, "width": 160}
}
"""
LLAMA = """{
  "architectures": ["LlamaForCausalLM"],
  "model_type": "llama",
  "num_hidden_layers": 2,
  "vocab_size": 38
}
"""
TOKENS = """{"bos_token_id": 1, "eos_token_id": [2, 3], "transformers_version": "4.50.0"}\n"""
LLM = genai.NET.replace("past_0_", "past_key_values.0.").replace("past_1_", "past_key_values.1.")
VIT = {
    "vit/config.json": CLASSIFIER,
    "vit/preprocessor_config.json": IMAGES,
    "vit/model.onnx": net("1,3").replace("images", "pixel_values").replace("output0", "logits"),
}
SMALL = {"llm/config.json": LLAMA, "llm/generation_config.json": TOKENS, "llm/onnx/model.onnx": genai.NET}
NESTED = {**VIT, "vit/onnx/model_quantized.onnx": VIT["vit/model.onnx"]}


def vit(
    old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "", at: str = "config.json"
) -> Planted:
    return Planted(VIT, f"vit/{at}", old, new, code, token, fixed, edited and f"vit/{edited}")


def llm(
    old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "", at: str = "config.json"
) -> Planted:
    return Planted(SMALL, f"llm/{at}", old, new, code, token, fixed, edited and f"llm/{edited}")


PLANTED = [
    vit(', "2": "bird"', "", "F005", '"id2label"'),
    vit('"2": "bird"', '"2": "bird", "3": "cow"', "F005", '"id2label"'),
    vit('"2": "bird"', '"3": "bird"', "T006", '"id2label"'),
    vit("1,3] logits", "1,4] logits", "F005", '"id2label"', edited="model.onnx"),
    vit('"height": 160', '"height": 224', "F004", "224", "safe", at="preprocessor_config.json"),
    vit("1,3,160,160", "1,3,160,384", "F004", "160", "safe", "model.onnx", "preprocessor_config.json"),
    llm('"vocab_size": 38', '"vocab_size": 40', "F008", "40", "safe"),
    llm("38] logits", "48] logits", "F008", "38", "safe", "onnx/model.onnx"),
    llm("[2, 3]", "[2, 99]", "F008", "99", at="generation_config.json"),
    llm('"bos_token_id": 1', '"bos_token_id": 38', "F008", "38", at="generation_config.json"),
]
SILENT = [NESTED]
