"""Planted contradictions in folders of Hugging Face models."""

from __future__ import annotations

import re

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


SPEECH = """{
  "architectures": ["WhisperForConditionalGeneration"],
  "d_model": 8,
  "decoder_layers": 1,
  "model_type": "whisper",
  "num_mel_bins": 4,
  "vocab_size": 16
}
"""
HEARD = """{"feature_extractor_type": "WhisperFeatureExtractor", "feature_size": 4}\n"""


def part(inputs: str, outputs: str) -> str:
    """A model whose outputs are constant."""
    values, order = "", ", ".join(outputs.split("; "))
    for k, output in enumerate(outputs.split("; ")):
        kind, _, name = output.rpartition(" ")
        sizes = ",".join(size if size.isdecimal() else "1" for size in kind[len("float[") : -1].split(","))
        values += f"   [s{k}] s{k} = Constant <value: tensor = int64[{sizes.count(',') + 1}] {{{sizes}}}> ()\n"
        values += f"   [o{k}] {name} = ConstantOfShape (s{k})\n"
    text = f'<ir_version: 8, opset_import: ["" : 17]>\nnet ({inputs}) => ({order}) {{\n{values}}}\n'
    return re.sub(r"[a-z_]+\.[a-z0-9_.]+", lambda match: f'"{match[0]}"', text)


ENCODER = part("float[N,4,F] input_features", "float[N,F,8] last_hidden_state")
FIRST = part(
    "int64[N,S] input_ids, float[N,F,8] encoder_hidden_states",
    "float[N,S,16] logits; float[N,2,S,4] present.0.decoder.key; float[N,2,F,4] present.0.encoder.key",
)
NEXT = part(
    "int64[N,1] input_ids, float[N,2,P,4] past_key_values.0.decoder.key, float[N,2,F,4] past_key_values.0.encoder.key",
    "float[N,1,16] logits; float[N,2,P,4] present.0.decoder.key",
)
WHISPER = {
    "asr/config.json": SPEECH, "asr/preprocessor_config.json": HEARD, "asr/onnx/encoder_model.onnx": ENCODER,
    "asr/onnx/decoder_model.onnx": FIRST, "asr/onnx/decoder_with_past_model.onnx": NEXT,
}  # fmt: skip
DETOKENIZER = """<?xml version="1.0"?>
<net name="detokenizer" version="11">
  <layers>
    <layer id="0" name="ids" type="Parameter" version="opset1"><data shape="?,?" element_type="i64"/>
      <output><port id="0" precision="I64" names="ids"><dim>-1</dim><dim>-1</dim></port></output></layer>
    <layer id="1" name="begins" type="Const" version="opset1"><data element_type="i32" shape="38" offset="0" size="152"/>
      <output><port id="0" precision="I32"><dim>38</dim></port></output></layer>
    <layer id="2" name="decoder" type="VocabDecoder" version="extension"><data skip_tokens=""/>
      <input><port id="0" precision="I64"><dim>-1</dim><dim>-1</dim></port><port id="1" precision="I32"><dim>38</dim></port></input>
      <output><port id="2" precision="I32"><dim>-1</dim></port></output></layer>
    <layer id="3" name="text" type="Result" version="opset1"><input><port id="0" precision="I32"><dim>-1</dim></port></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
"""
TOKENIZERS = {**SMALL, "llm/openvino_tokenizer.xml": "<net/>", "llm/openvino_detokenizer.xml": DETOKENIZER}
NAMED = {**SMALL, "llm/tokenizer.json": genai.TOKENIZER}
SERVED = {name.replace("model.onnx", "phi.onnx"): text for name, text in genai.FILES.items()}
ALONE = {
    name: text.replace("LlamaForCausalLM", "LlamaModel") for name, text in TOKENIZERS.items() if "_detok" not in name
}


def vit(
    old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "", at: str = "config.json"
) -> Planted:
    return Planted(VIT, f"vit/{at}", old, new, code, token, fixed, edited and f"vit/{edited}")


def llm(
    old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "", at: str = "config.json"
) -> Planted:
    return Planted(SMALL, f"llm/{at}", old, new, code, token, fixed, edited and f"llm/{edited}")


def asr(
    old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "", at: str = "config.json"
) -> Planted:
    return Planted(WHISPER, f"asr/{at}", old, new, code, token, fixed, edited and f"asr/onnx/{edited}")


GROUPED = {
    "llm/config.json": LLAMA.replace("2,", '2,\n  "num_key_value_heads": 2,'),
    "llm/onnx/model.onnx": re.sub(r"past_key_values\.\w+\.\w+", lambda match: f'"{match[0]}"', LLM),
}
SHARED = {
    "vit/config.json": LLAMA.replace('layers": 2,', 'layers": 4,\n  "num_kv_shared_layers": 2,'),
    "vit/onnx/model.onnx": GROUPED["llm/onnx/model.onnx"],
}
HYBRID = {
    "vit/config.json": LLAMA.replace('layers": 2,', 'layers": 4,'),
    "vit/onnx/model.onnx": GROUPED["llm/onnx/model.onnx"].replace("past_key_values.1.", "past_key_values.3."),
}
PIXELS = {
    "seg/config.json": CLASSIFIER.replace("ImageClassification", "SemanticSegmentation"),
    "seg/model.onnx": part("float[N,3,H,W] pixel_values", "float[N,3,H,W] logits"),
}
CUT = {
    "vit/config.json": CLASSIFIER, "vit/onnx/model.onnx": part("float[N,3,160,160] pixel_values", "float[N,3] logits"),
    "vit/preprocessor_config.json": """{
  "image_processor_type": "ConvNextImageProcessor", "crop_pct": 0.875, "do_resize": true, "size": {"shortest_edge": 160}
}
""",
}  # fmt: skip
CROPPED = {
    **CUT,
    "vit/preprocessor_config.json": """{
  "feature_extractor_type": "CLIPFeatureExtractor", "do_center_crop": true, "crop_size": 160, "size": 224
}
""",
}
WIDE = {
    "vit/config.json": CLASSIFIER.replace("{", '{\n  "hidden_size": 8,\n  "num_channels": 3,', 1),
    "vit/onnx/model.onnx": part("float[N,3,160,160] pixel_values", "float[N,5,8] last_hidden_state"),
}

PLANTED = [
    vit(', "2": "bird"', "", "F005", '"id2label"'),
    vit('"2": "bird"', '"2": "bird", "3": "cow"', "F005", '"id2label"'),
    vit('"2": "bird"', '"3": "bird"', "T006", '"id2label"'),
    vit("1,3] logits", "1,4] logits", "F005", '"id2label"', edited="model.onnx"),
    vit('"height": 160', '"height": 224', "F004", "224", "unsafe", at="preprocessor_config.json"),
    vit("1,3,160,160", "1,3,160,384", "F004", "160", "unsafe", "model.onnx", "preprocessor_config.json"),
    llm('"vocab_size": 38', '"vocab_size": 40', "F008", "40", "unsafe"),
    llm("38] logits", "48] logits", "F008", "38", "unsafe", "onnx/model.onnx"),
    llm("[2, 3]", "[2, 99]", "F008", "99", at="generation_config.json"),
    llm('"bos_token_id": 1', '"bos_token_id": 38', "F008", "38", at="generation_config.json"),
    asr('"d_model": 8', '"d_model": 16', "F008", "16", "unsafe"),
    asr('"decoder_layers": 1', '"decoder_layers": 2', "F008", "2", "unsafe"),
    asr('"num_mel_bins": 4', '"num_mel_bins": 5', "F008", "5", "unsafe"),
    asr('"vocab_size": 16', '"vocab_size": 17', "F008", "17", "unsafe"),
    asr('"feature_size": 4', '"feature_size": 5', "F008", "5", "unsafe", at="preprocessor_config.json"),
    asr("float[N,F,8] last", "float[N,F,16] last", "F008", "8", "", "encoder_model.onnx"),
    asr("float[N,F,8] enc", "float[N,F,16] enc", "F004", "8", "", "decoder_model.onnx"),
    asr("float[N,2,S,4]", "float[N,4,S,4]", "F004", "1", "", "decoder_model.onnx"),
    asr('float[N,2,F,4] "present', 'float[N,2,F,2] "present', "F004", "1", "", "decoder_model.onnx"),
    asr(
        'float[N,2,P,4] "past_key_values.0',
        'float[N,2,P,4] "past_key_values.1',
        "F004",
        "1",
        "",
        "decoder_with_past_model.onnx",
    ),
    asr('float[N,2,F,4] "past', 'float16[N,2,F,4] "past', "F004", "1", "", "decoder_with_past_model.onnx"),
    Planted(TOKENIZERS, "llm/config.json", '"vocab_size": 38', '"vocab_size": 40', "F008", "40", "unsafe"),
    Planted(TOKENIZERS, "llm/config.json", "<dim>38", "<dim>64", "F008", "38", edited="llm/openvino_detokenizer.xml"),
    Planted(NAMED, "llm/tokenizer.json", '"id": 37', '"id": 99', "F008", "99"),
    Planted(NAMED, "llm/tokenizer.json", '"b": 36', '"b": 38', "F008", "38"),
    Planted(SERVED, "llm/tokenizer.json", '"id": 37', '"id": 99', "F008", "99"),
    Planted(
        SERVED,
        "llm/tokenizer.json",
        '"vocab_size": 38',
        '"vocab_size": 37',
        "F008",
        "37",
        edited="llm/genai_config.json",
    ),
    Planted(ALONE, "llm/config.json", "LlamaModel", "LlamaForCausalLM", "F006", '"architectures"'),
    Planted(GROUPED, "llm/config.json", 'heads": 2', 'heads": 4', "F008", "4", "unsafe"),
    Planted(GROUPED, "llm/config.json", 'layers": 2', 'layers": 3', "F008", "3", "unsafe"),
    Planted(WIDE, "vit/config.json", 'size": 8', 'size": 16', "F008", "16", "unsafe"),
    Planted(WIDE, "vit/config.json", 'channels": 3', 'channels": 1', "F008", "1", "unsafe"),
    Planted(CUT, "vit/preprocessor_config.json", "160}", "224}", "F004", "224", "unsafe"),
    Planted(CROPPED, "vit/preprocessor_config.json", "160", "192", "F004", "192", "unsafe"),
    Planted(PIXELS, "seg/config.json", ', "2": "bird"', "", "F005", '"id2label"'),
]
SILENT = [NESTED, SHARED, HYBRID]
