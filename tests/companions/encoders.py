"""Planted contradictions in the folder of an encoder: its tokenizer, its tables of embeddings, and the rank of its scores."""

from __future__ import annotations

from companions.planted import Planted, zeros

CONFIG = """{
  "architectures": ["BertForSequenceClassification"],
  "hidden_size": 4,
  "id2label": {"0": "no", "1": "yes", "2": "both"},
  "label2id": {"no": 0, "yes": 1, "both": 2},
  "max_position_embeddings": 16,
  "model_type": "bert",
  "num_attention_heads": 2,
  "type_vocab_size": 2,
  "vocab_size": 8
}
"""
TOKENIZER = """{
  "added_tokens": [{"id": 0, "content": "[PAD]"}, {"id": 1, "content": "[UNK]"}, {"id": 3, "content": "[SEP]"}],
  "padding": {"pad_id": 0, "pad_token": "[PAD]"},
  "truncation": {"max_length": 16},
  "post_processor": {
    "type": "TemplateProcessing",
    "special_tokens": {"[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}
  },
  "model": {
    "type": "WordPiece", "unk_token": "[UNK]",
    "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 4, "b": 5, "c": 6, "d": 7}
  }
}
"""
OPTIONS = """{"model_max_length": 16, "pad_token": "[PAD]", "tokenizer_class": "BertTokenizer"}\n"""
SPECIAL = """{"pad_token": "[PAD]", "sep_token": "[SEP]"}\n"""
MODEL = f"""<ir_version: 8, opset_import: ["" : 17]>
net (int64[N,S] input_ids, int64[N,S] token_type_ids, int64[N,S] position_ids) => (float[N,3] logits)
<
   {zeros('"bert.embeddings.word_embeddings.weight"', 8, 4)},
   {zeros('"bert.embeddings.token_type_embeddings.weight"', 2, 4)},
   {zeros('"bert.embeddings.position_embeddings.weight"', 16, 4)}, {zeros("w", 4, 3)}
> {{
   [a] words = Gather ("bert.embeddings.word_embeddings.weight", input_ids)
   [b] kinds = Gather ("bert.embeddings.token_type_embeddings.weight", token_type_ids)
   [c] places = Gather ("bert.embeddings.position_embeddings.weight", position_ids)
   [d] both = Add (words, kinds)
   [e] all = Add (both, places)
   [f] pooled = ReduceMean <axes = [1], keepdims = 0> (all)
   [g] logits = MatMul (pooled, w)
}}
"""
IMAGES = """{"do_normalize": true, "image_processor_type": "ViTImageProcessor", "image_std": [0.5, 0.5, 0.5]}\n"""
SIZED = """{"architectures": ["ViTForImageClassification"], "image_size": 16, "model_type": "vit"}\n"""
PIXELS = """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3,16,16] pixel_values) => (float[N,3] logits) {
   [a] logits = ReduceMean <axes = [2, 3], keepdims = 0> (pixel_values)
}
"""
BERT = {
    "bert/config.json": CONFIG, "bert/tokenizer.json": TOKENIZER, "bert/tokenizer_config.json": OPTIONS,
    "bert/special_tokens_map.json": SPECIAL, "bert/model.onnx": MODEL,
}  # fmt: skip
ROBERTA = {
    **BERT,
    "bert/tokenizer.json": TOKENIZER.replace(
        '"type": "TemplateProcessing",\n    "special_tokens": {"[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}',
        '"type": "Sequence", "processors": [{"type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}]',
    ),
}
PLACES = '"bert.embeddings.position_embeddings.weight"'
PADDED = {**BERT, "bert/model.onnx": MODEL.replace(zeros(PLACES, 16, 4), zeros(PLACES, 18, 4))}
STAGES = {
    "vit/config.json": SIZED.replace("{", '{"depths": [1, 1], ', 1).replace('"image_size": 16', '"image_size": 384'),
    "vit/model.onnx": PIXELS,
}
SEEN = {"vit/config.json": SIZED, "vit/preprocessor_config.json": IMAGES, "vit/model.onnx": PIXELS}


def bert(old: str, new: str, code: str, token: str, at: str = "config.json", fixed: str = "") -> Planted:
    return Planted(BERT, f"bert/{at}", old, new, code, token, fixed)


PLANTED = [
    bert('"both": 2', '"all": 2', "F007", "2"),
    bert('"b": 5', '"b": 4', "R005", "4", "tokenizer.json"),
    bert('"pad_id": 0', '"pad_id": 1', "F008", "1", "tokenizer.json"),
    bert('"max_length": 16', '"max_length": 512', "F008", "512", "tokenizer.json"),
    bert('"hidden_size": 4', '"hidden_size": 6', "F008", "6"),
    bert('embeddings": 16', 'embeddings": 512', "F008", "512"),
    bert('"type_vocab_size": 2', '"type_vocab_size": 1', "F008", "1"),
    bert('"vocab_size": 8', '"vocab_size": 9', "F008", "9"),
    bert("ForSequence", "ForToken", "F004", '"BertForTokenClassification"'),
    bert('"id": 3, "content"', '"id": 9, "content"', "F008", "9", "tokenizer.json"),
    bert('"ids": [3]', '"ids": [102]', "F008", "102", "tokenizer.json"),
    bert('"unk_token": "[UNK]"', '"unk_token": "<unk>"', "F001", '"<unk>"', "tokenizer.json"),
    bert('length": 16', 'length": 512', "F008", "512", "tokenizer_config.json"),
    bert('"[PAD]"', '"<pad>"', "F008", '"<pad>"', "special_tokens_map.json"),
    Planted(ROBERTA, "bert/tokenizer.json", '"[SEP]", 3]', '"[SEP]", 2]', "F008", "2"),
    Planted(PADDED, "bert/config.json", 'embeddings": 16', 'embeddings": 64', "F008", "64"),
    Planted(SEEN, "vit/config.json", '"image_size": 16', '"image_size": 384', "F008", "384", "unsafe"),
    Planted(SEEN, "vit/preprocessor_config.json", "[0.5, 0.5, 0.5]", "[0.5, 0.0, 0.5]", "T006", "0.0"),
]
