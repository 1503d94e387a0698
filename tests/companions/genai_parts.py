"""Folders of ONNX Runtime GenAI with several models: pipelines, images, and layers without caches."""

from __future__ import annotations

EMBED = """<ir_version: 8, opset_import: ["" : 17]>
e (int64[B,S] input_ids) => (float[B,S,8] h0) {
   [a] x = Cast <to: int = 1> (input_ids)
   [b] ax = Constant <value: tensor = int64[1] {2}> ()
   [c] u = Unsqueeze (x, ax)
   [d] sh = Constant <value: tensor = int64[3] {1,1,8}> ()
   [e] h0 = Expand (u, sh)
}
"""
LAYER = """<ir_version: 8, opset_import: ["" : 17]>
t (float[B,S,8] h0, int64[B,T] attention_mask, float[B,2,P,4] "past_key_values.0.key", float[B,2,P,4] "past_key_values.0.value") => (float[B,S,8] h1, float[B,2,P,4] "present.0.key", float[B,2,P,4] "present.0.value") {
   [a] m = Cast <to: int = 1> (attention_mask)
   [b] r = ReduceMean <keepdims: int = 0> (m)
   [c] h1 = Add (h0, r)
   [d] "present.0.key" = Identity ("past_key_values.0.key")
   [e] "present.0.value" = Identity ("past_key_values.0.value")
}
"""
HEAD = """<ir_version: 8, opset_import: ["" : 17]>
h (float[B,S,8] h2) => (float[B,S,16] logits) {
   [a] logits = Concat <axis: int = 2> (h2, h2)
}
"""
PIPELINE = """{
 "model": {"type": "decoder-pipeline", "vocab_size": 16, "context_length": 64, "bos_token_id": 1, "pad_token_id": 0, "eos_token_id": 2,
  "decoder": {
   "head_size": 4, "num_attention_heads": 2, "num_hidden_layers": 1, "num_key_value_heads": 2,
   "inputs": {"input_ids": "input_ids", "attention_mask": "attention_mask", "past_key_names": "past_key_values.%d.key", "past_value_names": "past_key_values.%d.value"},
   "outputs": {"logits": "logits", "present_key_names": "present.%d.key", "present_value_names": "present.%d.value"},
   "pipeline": [{
     "emb": {"filename": "e.onnx", "inputs": ["input_ids"], "outputs": ["h0"]},
     "tr": {"filename": "t.onnx", "inputs": ["h0", "attention_mask", "past_key_values.0.key", "past_key_values.0.value"], "outputs": ["h1", "present.0.key", "present.0.value"], "output_names_forwarder": {"h1": "h2"}},
     "head": {"filename": "h.onnx", "inputs": ["h2"], "outputs": ["logits"]}
   }]
  }
 },
 "search": {"max_length": 64, "min_length": 0}
}
"""
STAGES = {"llm/genai_config.json": PIPELINE, "llm/e.onnx": EMBED, "llm/t.onnx": LAYER, "llm/h.onnx": HEAD}
NAMED = {
    **STAGES,
    "llm/genai_config.json": PIPELINE.replace('"pipeline": [{', '"pipeline": {').replace("   }]\n", "   }\n"),
}

VISION = """<ir_version: 8, opset_import: ["" : 17]>
v (float[N,3,8,8] pixel_values) => (float[M,8] image_features) {
   [a] f = Flatten (pixel_values)
   [b] w = Constant <value: tensor = int64[2] {1,8}> ()
   [c] m = ReduceMean <keepdims: int = 1> (f)
   [d] image_features = Expand (m, w)
}
"""
MIX = """<ir_version: 8, opset_import: ["" : 17]>
e (int64[B,S] input_ids, float[M,8] image_features) => (float[B,S,8] inputs_embeds) {
   [a] x = Cast <to: int = 1> (input_ids)
   [b] ax = Constant <value: tensor = int64[1] {2}> ()
   [c] u = Unsqueeze (x, ax)
   [d] sh = Constant <value: tensor = int64[3] {1,1,8}> ()
   [e] v = Expand (u, sh)
   [f] m = ReduceMean <keepdims: int = 0> (image_features)
   [g] inputs_embeds = Add (v, m)
}
"""
DECODER = """<ir_version: 8, opset_import: ["" : 17]>
d (float[B,S,8] inputs_embeds, int64[B,T] attention_mask, float[B,2,P,4] "past_key_values.0.key", float[B,2,P,4] "past_key_values.0.value") => (float[B,S,16] logits, float[B,2,P,4] "present.0.key", float[B,2,P,4] "present.0.value") {
   [a] m = Cast <to: int = 1> (attention_mask)
   [b] r = ReduceMean <keepdims: int = 0> (m)
   [c] h1 = Add (inputs_embeds, r)
   [x] logits = Concat <axis: int = 2> (h1, h1)
   [d] "present.0.key" = Identity ("past_key_values.0.key")
   [e] "present.0.value" = Identity ("past_key_values.0.value")
}
"""
IMAGES = {
    "llm/genai_config.json": """{
 "model": {"type": "phi3v", "vocab_size": 16, "context_length": 64, "bos_token_id": 1, "pad_token_id": 0, "eos_token_id": 2,
  "embedding": {"filename": "e.onnx", "inputs": {"input_ids": "input_ids", "image_features": "image_features"}, "outputs": {"embeddings": "inputs_embeds"}},
  "vision": {"filename": "v.onnx", "config_filename": "processor_config.json", "inputs": {"pixel_values": "pixel_values"}, "outputs": {"image_features": "image_features"}},
  "decoder": { "filename": "d.onnx", "hidden_size": 8,
   "head_size": 4, "num_attention_heads": 2, "num_hidden_layers": 1, "num_key_value_heads": 2,
   "inputs": {"embeddings": "inputs_embeds", "past_key_names": "past_key_values.%d.key", "past_value_names": "past_key_values.%d.value"},
   "outputs": {"logits": "logits", "present_key_names": "present.%d.key", "present_value_names": "present.%d.value"}
  }
 }
}
""",
    "llm/e.onnx": MIX, "llm/v.onnx": VISION, "llm/d.onnx": DECODER, "llm/processor_config.json": "{}",
}  # fmt: skip
TOKENS = {  # the decoder takes vectors, although its tokens have a name
    **IMAGES,
    "llm/genai_config.json": IMAGES["llm/genai_config.json"].replace(
        '"inputs": {"embeddings": "inputs_embeds", ',
        '"inputs": {"input_ids": "input_ids", "position_ids": "position_ids", ',
    ),
}
CONVOLVED = (
    DECODER.replace("int64[B,T] attention_mask,", 'int64[B,T] attention_mask, float[B,8,3] "past_conv.0",')
    .replace(".0.key", ".1.key").replace(".0.value", ".1.value")
    .replace("logits, ", 'logits, float[B,8,3] "present_conv.0", ', 1)
    .replace("   [d]", '   [z] "present_conv.0" = Identity ("past_conv.0")\n   [d]')
)  # fmt: skip
HYBRID = {
    "llm/genai_config.json": """{"model": {"type": "lfm2", "vocab_size": 16, "context_length": 64, "eos_token_id": 2,
  "decoder": { "filename": "d.onnx", "hidden_size": 8, "layer_types": ["conv", "full_attention"],
   "head_size": 4, "num_attention_heads": 2, "num_hidden_layers": 2, "num_key_value_heads": 2,
   "inputs": {"embeddings": "inputs_embeds", "past_key_names": "past_key_values.%d.key", "past_value_names": "past_key_values.%d.value", "past_conv_names": "past_conv.%d"},
   "outputs": {"logits": "logits", "present_key_names": "present.%d.key", "present_value_names": "present.%d.value", "present_conv_names": "present_conv.%d"}
  }}}
""",
    "llm/d.onnx": CONVOLVED,
}
