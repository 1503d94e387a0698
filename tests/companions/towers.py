"""Planted contradictions in folders of models that are not one network with scores: two networks, letters of speech, answers, modules."""

from __future__ import annotations

from companions.planted import Planted

CLIP = {
    "clip/config.json": """{
  "architectures": ["CLIPModel"], "model_type": "clip", "projection_dim": 6,
  "vision_config": {"image_size": 16, "num_channels": 3}
}
""",
    "clip/model.onnx": """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3,16,16] pixel_values) => (float[N,6] image_embeds, float[N,6] text_embeds) {
   [a] few = GlobalAveragePool (pixel_values)
   [b] flat = Flatten (few)
   [c] image_embeds = Concat <axis: int = 1> (flat, flat)
   [d] text_embeds = Neg (image_embeds)
}
""",
}
LETTERS = {
    "ctc/config.json": '{"architectures": ["Wav2Vec2ForCTC"], "model_type": "wav2vec2", "vocab_size": 32}\n',
    "ctc/model.onnx": """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,T,32] input_values) => (float[N,T,32] logits) { logits = Relu (input_values) }
""",
}
ANSWERS = {
    "qa/config.json": '{"architectures": ["BertForQuestionAnswering"], "model_type": "bert"}\n',
    "qa/model.onnx": """<ir_version: 8, opset_import: ["" : 17]>
net (int64[N,T] input_ids) => (float[N,T] start_logits, float[N,T] end_logits) {
   [a] start_logits = Cast <to: int = 1> (input_ids)
   [b] end_logits = Neg (start_logits)
}
""",
}
MODULES = {
    "st/modules.json": """[
  {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
  {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
  {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}
]
""",
    "st/1_Pooling/config.json": "{}\n", "st/onnx/model.onnx": ANSWERS["qa/model.onnx"],
}  # fmt: skip
BARE = {  # as written by hand
    "ctc/generation_config.json": '{"eos_token_id": 2}\n', "ctc/config.json": LETTERS["ctc/config.json"],
    "ctc/model.onnx": LETTERS["ctc/model.onnx"],
}  # fmt: skip

PLANTED = [
    Planted(CLIP, "clip/config.json", '"image_size": 16', '"image_size": 224', "F008", "224", "unsafe"),
    Planted(CLIP, "clip/config.json", '"projection_dim": 6', '"projection_dim": 512', "F008", "512", "unsafe"),
    Planted(LETTERS, "ctc/config.json", '_size": 32', '_size": 30', "F008", "30", "unsafe"),
    Planted(
        ANSWERS,
        "qa/config.json",
        "ForQuestionAnswering",
        "ForSequenceClassification",
        "F007",
        '"BertForSequenceClassification"',
    ),
    Planted(MODULES, "st/modules.json", '"1_Pooling"', '"1_Poolling"', "F006", '"1_Poolling"'),
    Planted(BARE, "ctc/generation_config.json", "2", "32", "F008", "32"),
]
