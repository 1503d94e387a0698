"""Planted contradictions in folders of Hugging Face models."""

from __future__ import annotations

import re

from companions import encoders, genai, towers
from companions.planted import Planted
from companions.ultralytics import net

CLASSIFIER = """{
  "architectures": ["ViTForImageClassification"],
  "id2label": {"0": "cat", "1": "dog", "2": "bird"},
  "label2id": {"cat": 0, "dog": 1, "bird": 2},
  "model_type": "vit",
  "problem_type": "single_label_classification"
}
"""
IMAGES = """{
  "do_resize": true,
  "image_processor_type": "ViTImageProcessor",
  "resample": 3,
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
TOKENS = """{"bos_token_id": 1, "cache_implementation": "static", "eos_token_id": [2, 3], "transformers_version": "4.50.0"}\n"""
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


def stateful(heads: int, size: int) -> str:
    """A model for OpenVINO with a cache of keys as a state."""
    port = f'precision="FP32"><dim>-1</dim><dim>{heads}</dim><dim>-1</dim><dim>{size}</dim></port>'
    shape, name = f"?,{heads},?,{size}", "past_key_values.0.keypresent.0.key"
    rows = [
        ("Parameter", "opset1", f'shape="{shape}" element_type="f32"', (), 1),
        ("ReadValue", "opset6", f'variable_id="{name}" variable_type="f32" variable_shape="{shape}"', (0,), 1),
        ("Concat", "opset1", 'axis="2"', (1, 0), 1),
        ("Assign", "opset6", f'variable_id="{name}"', (2,), 1),
        ("Result", "opset1", "", (2,), 0),
    ]
    layers = edges = ""
    for k, (kind, version, data, sources, outputs) in enumerate(rows):
        ports = "".join(f'<port id="{n}" {port}' for n in range(len(sources)))
        layers += f'<layer id="{k}" name="n{k}" type="{kind}" version="{version}">' + (
            f"<data {data}/>" if data else ""
        )
        layers += f"<input>{ports}</input>" if ports else ""
        layers += f'<output><port id="{len(sources)}" {port}</output>' if outputs else ""
        layers += "</layer>"
        for n, source in enumerate(sources):
            edges += f'<edge from-layer="{source}" from-port="{len(rows[source][3])}" to-layer="{k}" to-port="{n}"/>'
    return f'<net name="net" version="11"><layers>{layers}</layers><edges>{edges}</edges></net>'


CACHED = LLAMA.replace("2,", '1,\n  "num_key_value_heads": 2,\n  "head_dim": 16,')
STATEFUL = {"llm/config.json": CACHED, "llm/openvino_model.xml": stateful(2, 16)}
CACHES = {"llm/config.json": CACHED.replace("1,", "2,"), "llm/model.onnx": GROUPED["llm/onnx/model.onnx"]}
LATENT = {  # the caches have other sizes than `head_dim`
    **CACHES,
    "vit/config.json": CACHES["llm/config.json"].replace('"head_dim": 16', '"head_dim": 4, "kv_lora_rank": 8'),
    "vit/model.onnx": CACHES["llm/model.onnx"],
}


def renamed(*names: str, config: str = "llm/config.json") -> dict[str, str]:
    """A folder whose model has other names."""
    return {
        config: CACHES["llm/config.json"],
        **{f"{config.split('/')[0]}/{name}": CACHES["llm/model.onnx"] for name in names},
    }


def layers(*names: str) -> Planted:
    """More layers than the models with these names have."""
    return Planted(renamed(*names), "llm/config.json", 'layers": 2', 'layers": 4', "F008", "4", "unsafe")


def unrelated(*names: str) -> dict[str, str]:
    """A configuration that fits none of several models, of which it says nothing."""
    found = renamed(*names, config="vit/config.json")
    return {**found, "vit/config.json": found["vit/config.json"].replace('layers": 2', 'layers": 4')}


BPE = """{
  "added_tokens": [{"id": 37, "content": "<s>"}],
  "model": {
    "type": "BPE", "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "ab": 2, "c": 3},
    "merges": [
      ["a", "##b"],
      "#version: 0.2",
      "a ##b"
    ]
  }
}
"""
SPECIAL = """{"bos_token": {"content": "<s>"}, "eos_token": "c", "model_max_length": 1000000000000000019884624838656, "tokenizer_class": "X"}\n"""
MERGED = {
    **SMALL, "llm/config.json": LLAMA, "llm/tokenizer.json": BPE,
    "llm/tokenizer_config.json": SPECIAL.replace('"c"', '"</s>"'),  # there is room for one more
}  # fmt: skip
FULL = {
    "llm/config.json": LLAMA.replace("38", "5"), "llm/model.onnx": genai.NET.replace("38", "5"), "llm/tokenizer_config.json": SPECIAL,
    "llm/tokenizer.json": BPE.replace("37", "4"),
}  # fmt: skip
MERGED_SPEECH = {  # one decoder for both
    **{name: text for name, text in WHISPER.items() if "with_past" not in name and "decoder" not in name},
    "asr/onnx/decoder_model_merged_quantized.onnx": FIRST, "asr/onnx/encoder_model_quantized.onnx": ENCODER,
}  # fmt: skip

EMBEDDER = {  # as sentence-transformers has it
    "net/config.json": '{"hidden_size": 8, "max_position_embeddings": 32, "model_type": "bert"}\n',
    "net/1_Pooling/config.json": '{"word_embedding_dimension": 8, "pooling_mode_mean_tokens": true}\n',
    "net/sentence_bert_config.json": '{"max_seq_length": 32}\n',
    "net/onnx/model.onnx": part("int64[B,S] input_ids", "float[B,S,8] last_hidden_state"),
}
DIFFUSER = {
    "unet/config.json": '{"_diffusers_version": "0.30.0", "cross_attention_dim": 8, "in_channels": 4, "out_channels": 4}\n',
    "unet/model.onnx": part("float[B,4,H,W] sample, float[B,S,8] encoder_hidden_states", "float[B,4,H,W] out_sample"),
}


def embedder(at: str, old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(EMBEDDER, f"net/{at}", old, new, code, token, fixed)


PLANTED = [
    vit(', "2": "bird"', "", "F005", '"id2label"'),
    vit('"2": "bird"', '"2": "bird", "3": "cow"', "F005", '"id2label"'),
    vit('"2": "bird"', '"3": "bird"', "T006", '"id2label"'),
    vit("1,3] logits", "1,4] logits", "F005", '"id2label"', edited="model.onnx"),
    vit('"height": 160', '"height": 224', "F004", "224", "unsafe", at="preprocessor_config.json"),
    vit("1,3,160,160", "1,3,160,384", "F004", "160", "unsafe", "model.onnx", "preprocessor_config.json"),
    vit('"resample": 3', '"resample": 9', "T006", "9", at="preprocessor_config.json"),
    vit("single_label_class", "single_lable_class", "T006", '"single_lable_classification"', "unsafe"),
    llm('"static"', '"statc"', "T006", '"statc"', "unsafe", at="generation_config.json"),
    llm('"vocab_size": 38', '"vocab_size": 40', "F008", "40", "unsafe"),
    llm("38] logits", "48] logits", "F008", "38", "unsafe", "onnx/model.onnx"),
    llm("[2, 3]", "[2, 99]", "F008", "99", at="generation_config.json"),
    llm('"bos_token_id": 1', '"num_beams": 0, "bos_token_id": 1', "T006", "0", at="generation_config.json"),
    llm('"bos_token_id": 1', '"bos_token_id": 38', "F008", "38", at="generation_config.json"),
    asr('"d_model": 8', '"d_model": 16', "F008", "16", "unsafe"),
    asr('"d_model": 8', '"decoder_attention_heads": 8, "d_model": 8', "F008", "8", "unsafe"),
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
    Planted(ALONE, "llm/config.json", "LlamaModel", "LlamaForCausalLM", "F006", "["),
    Planted(GROUPED, "llm/config.json", 'heads": 2', 'heads": 4', "F008", "4", "unsafe"),
    Planted(GROUPED, "llm/config.json", 'layers": 2', 'layers": 3', "F008", "3", "unsafe"),
    Planted(WIDE, "vit/config.json", 'size": 8', 'size": 16', "F008", "16", "unsafe"),
    Planted(WIDE, "vit/config.json", 'channels": 3', 'channels": 1', "F008", "1", "unsafe"),
    Planted(CUT, "vit/preprocessor_config.json", "160}", "224}", "F004", "224", "unsafe"),
    Planted(CROPPED, "vit/preprocessor_config.json", "160", "192", "F004", "192", "unsafe"),
    Planted(PIXELS, "seg/config.json", ', "2": "bird"', "", "F005", '"id2label"'),
]
PLANTED += [
    Planted(STATEFUL, "llm/config.json", 'layers": 1', 'layers": 3', "F008", "3", "unsafe"),
    Planted(STATEFUL, "llm/config.json", 'heads": 2', 'heads": 4', "F008", "4", "unsafe"),
    Planted(STATEFUL, "llm/config.json", 'dim": 16', 'dim": 32', "F008", "32", "unsafe"),
    Planted(CACHES, "llm/config.json", 'dim": 16', 'dim": 32', "F008", "32", "unsafe"),
    layers("onnx/model_q4f16.onnx"),
    layers("onnx/model_bnb4.onnx", "onnx/model_int8.onnx", "onnx/model_uint8.onnx", "onnx/model.onnx"),
    layers("model_qint8_avx512_vnni.onnx"),
    layers("model_O4.onnx"),
    layers("decoder_model_merged_fp16.onnx"),
    layers("decoder.onnx"),
    layers("phi-int4.onnx", "phi.onnx"),
    Planted(MERGED_SPEECH, "asr/config.json", "float[N,F,8] enc", "float[N,F,16] enc", "F004", "8", "",
            "asr/onnx/decoder_model_merged_quantized.onnx"),
    Planted(MERGED, "llm/tokenizer.json", '["a", "##b"]', '["a", "##c"]', "F001", '"##c"'),
    Planted(MERGED, "llm/tokenizer.json", '"a ##b"', '"a ##c"', "F001", '"a ##c"'),
    Planted(MERGED, "llm/tokenizer.json", '"ab"', '"a##b"', "F001", "["),
    Planted(FULL, "llm/tokenizer_config.json", '"eos_token": "c"', '"eos_token": "</s>"', "F008", '"</s>"'),
    Planted(FULL, "llm/tokenizer_config.json", '"<s>"', '"<bos>"', "F008", '"<bos>"'),
    Planted(FULL, "llm/tokenizer_config.json", '"tok', '"additional_special_tokens": ["<s>", "<q>"], "tok', "F008", '"<q>"'),
]  # fmt: skip
PLANTED += [
    embedder(
        "1_Pooling/config.json",
        '"word_embedding_dimension": 8',
        '"word_embedding_dimension": 16',
        "F008",
        "16",
        "unsafe",
    ),
    embedder("sentence_bert_config.json", '"max_seq_length": 32', '"max_seq_length": 64', "F008", "64"),
    Planted(DIFFUSER, "unet/config.json", '"in_channels": 4', '"in_channels": 9', "F008", "9", "unsafe"),
    Planted(
        DIFFUSER, "unet/config.json", '"cross_attention_dim": 8', '"cross_attention_dim": 16', "F008", "16", "unsafe"
    ),
]
PLANTED += [*encoders.PLANTED, *towers.PLANTED]
SILENT = [NESTED, SHARED, HYBRID, LATENT, encoders.STAGES]
UNRELATED = [
    unrelated("draft.onnx", "phi.onnx"), unrelated("encoder.onnx", "onnx/decoder.onnx"), unrelated("model_vision.onnx", "model_text.onnx"),
]  # fmt: skip
