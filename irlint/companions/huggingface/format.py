"""Recognizes the configurations of Hugging Face folders that have a model which irlint reads, and compares them with it."""

from __future__ import annotations

import os
import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import classes
from irlint.companions.base import Companion
from irlint.companions.claims import LAYERS, claim_caches, claim_layers, claim_size, is_hybrid
from irlint.companions.demands import each
from irlint.companions.embeddings import check_tables, check_width
from irlint.companions.huggingface.parts import Parts, check_parts, check_sizes
from irlint.companions.models import models_in, variants
from irlint.companions.ports import PortList, Ports, ServedPort, find
from irlint.companions.report import Report
from irlint.companions.tokenizer import check_merges, check_numbers, check_unknown
from irlint.companions.vocabulary import check_special, check_vocabulary
from irlint.dryrun.dims import show
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions
from irlint.text.numbers import decimal
from irlint.text.words import count
from irlint.tools.names import slip

_MODELS = variants(r"(?:(?:decoder|language)_)?(?:with_past_)?model")
_MOST = 8  # models of a folder
_HOMES = ("", "onnx", "openvino")
_KEYS = {
    "config.json": re.compile(
        r'"(?:transformers_version|model_type|_diffusers_version)"\s*:\s*"|"architectures"\s*:\s*\[\s*"[A-Z]\w+"'
    ),
    "sentence_bert_config.json": re.compile(r'"max_seq_length"\s*:'),
    "modules.json": re.compile(r'"type"\s*:\s*"sentence_transformers\.'),
    "generation_config.json": re.compile(
        r'"(?:transformers_version|_from_model_config|(?:bos|eos|pad|decoder_start)_token_id)"\s*:'
    ),
    "preprocessor_config.json": re.compile(
        r'"(?:image_processor_type|feature_extractor_type|image_mean|do_resize)"\s*:'
    ),
    "tokenizer.json": re.compile(r'"(?:added_tokens|pre_tokenizer|post_processor)"\s*:'),
    "tokenizer_config.json": re.compile(r'"(?:tokenizer_class|added_tokens_decoder|model_max_length)"\s*:'),
    "special_tokens_map.json": re.compile(r'"(?:bos|eos|unk|sep|pad|cls|mask)_token"\s*:'),
}
_POOLED = re.compile(r'"word_embedding_dimension"\s*:')  # of sentence-transformers, below the folder of the model
_TOKENIZERS = {"tokenizer.json": check_vocabulary, **dict.fromkeys([*_KEYS][-2:], check_special)}
_PYTHON = JsonOptions(tolerated={R.number_out_of_range: None})  # `model_max_length` is often 1e30, written out
_SEVERAL = frozenset({"text_config", "vision_config", "audio_config"})  # of models that are several networks
_SERVED = "genai_config.json"  # its models may have any names
_CLASSIFIERS = re.compile(r"For(Sequence|Image|Token|Audio|Semantic)(?:Classification|Segmentation)$")
# Dimensions of scores, if not those of a batch and the classes; of pixels, classes are the second
_RANKS = {"Token": 3, "Semantic": 4}
_GENERATORS = re.compile(r"(?:For(?:Causal|Masked)LM|ForCTC|LMHeadModel)$")
_SQUARE = re.compile(r"(?:ViT|DeiT|Beit)(?:ImageProcessor|FeatureExtractor)")  # one number is height and width
_CUT = re.compile(r"ConvNe?xt")
_CACHE = {"num_key_value_heads": 1, "head_dim": 3}  # sizes of the caches of keys: [B, H, S, D]
_LATENT = "kv_lora_rank"  # `head_dim` is then that of a part of a key
# Inputs, and states of OpenVINO, whose names are those of an input and an output
_LAYER = re.compile(r"(?:past_key_values|key_cache|past)\.(\d+)\.(?:decoder\.)?key(?:present\..+)?")


def models_of(folder: FilePath) -> list[str]:
    """Return the usual models of a folder, or the only one there is, whatever its name."""
    names = (os.path.join(home, name) for home in _HOMES for name in sorted(file_source().names(folder / home)))
    usual = [name for name in names if _MODELS.fullmatch(os.path.basename(name))]
    return (usual or models_in(folder, _HOMES, (".onnx", ".xml")))[:_MOST]


class HuggingFace(Companion):
    name, title, why = (
        "huggingface",
        "Hugging Face configuration",
        "it is a Hugging Face configuration or tokenizer next to a model",
    )
    rows, functions = "huggingface", {"slip": slip}

    def recognize(self, head: Head) -> Recognition | None:
        path = FilePath(head.name)
        home, keys = path.parent, _KEYS.get(path.name)
        if home.name.endswith("_Pooling") and path.name == "config.json":
            home, keys = home.parent, _POOLED
        if keys is None or not keys.search(head.text):
            return None
        is_served = path.name in _TOKENIZERS and _SERVED in file_source().names(path.parent)
        return Recognition(CERTAIN, self.why) if is_served or models_of(home) else None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name, options=_PYTHON)

    def alone(self, tree: Any, report: Report) -> None:
        check_merges(tree, report)
        check_numbers(tree, report)
        check_unknown(tree, report)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        if not isinstance(tree, dict):
            return
        if path.name in _TOKENIZERS:
            _TOKENIZERS[path.name](tree, model, path.parent, models_of(path.parent), report)
            return
        if path.name == "generation_config.json":
            return
        files = models_of(path.parent)
        parts = Parts(model, path.parent, _HOMES, () if tree.keys() & _SEVERAL else files)
        check_sizes(tree, self.table["sizes"], parts, report)
        if path.name == "config.json":
            check_parts(tree, parts, report)
        for file in files:
            found = parts.get(file)
            if found is not None:
                check = _image if path.name == "preprocessor_config.json" else _model
                check(tree, found, file, report)


def _model(tree: dict[str, Any], model: Ports, file: str, report: Report) -> None:
    kinds = tree.get("architectures")
    kind = str(kinds[0]) if isinstance(kinds, list) and kinds else ""
    if (logits := find(model.outputs, "logits")) is not None:
        _logits(tree, kind, logits, file, report)
    elif _CLASSIFIERS.search(kind) and (spans := find(model.outputs, "start_logits")) is not None:
        words, here = f"{file} answers questions, unlike a {kind}", ("declared here", spans.at)
        report.say(R.contradictory_settings, ("architectures", 0), words, other=here, severity=Severity.WARNING)
    if _GENERATORS.search(kind):
        _layers(tree, model, file, report)
        check_width(("hidden_size",), tree, model, "input_ids", file, report)
    else:
        check_tables(tree, model, file, report)


def _logits(tree: dict[str, Any], kind: str, logits: ServedPort, file: str, report: Report) -> None:
    """Compare the scores of a model with the kind of network, its labels and its vocabulary."""
    labels, shape = tree.get("id2label"), logits.type.shape
    classifier = _CLASSIFIERS.search(kind)
    rank = _RANKS.get(classifier[1], 2) if classifier else None
    real = shape[1 if rank == _RANKS["Semantic"] else -1] if shape and len(shape) > 1 else None
    if shape and rank not in (None, len(shape)):
        words = f"output 'logits' of {file} is {show(shape)}; expected {rank} dimensions of a {kind}"
        report.say(
            R.other_shape, ("architectures", 0), words, other=("declared here", logits.at), severity=Severity.WARNING
        )
    elif isinstance(real, int):
        if classifier and isinstance(labels, dict):
            classes.check(len(labels), real, logits, ("id2label",), "`id2label`", file, report)
        elif _GENERATORS.search(kind) and isinstance(said := tree.get("vocab_size"), int):
            of, here = f"the vocabulary of {file}", ("declared here", logits.at)
            report.claim(R.other_value, ("vocab_size",), of, said, real, str(real), here, Severity.WARNING)


def _layers(tree: dict[str, Any], model: Ports, file: str, report: Report) -> None:
    """Compare the number of layers and the sizes of their caches, unless these differ."""
    layers = {
        number: port
        for port in (*model.inputs, *model.states)
        if (match := _LAYER.fullmatch(port.name)) and (number := decimal(match[1], 6)) is not None
    }
    if not layers:
        return
    caches = PortList(layers[number] for number in sorted(layers))
    key = next((key for key in LAYERS[2:] if isinstance(tree.get(key), int)), None)
    if key is not None and not (tree.get("num_kv_shared_layers") or is_hybrid(model, layers)):
        claim_layers((key,), tree[key], caches, file, report)
    if _LATENT not in tree:
        is_plain = all(len(cache.type.shape or ()) == len("BHSD") for cache in caches)
        claim_caches((), tree, _CACHE if is_plain else {}, caches, file, report)


def _image(tree: dict[str, Any], model: Ports, file: str, report: Report) -> None:
    """Compare the size of images: that to which they are cut, or else scaled."""
    pixels = find(model.inputs, "pixel_values")
    key = _read_size(tree)
    if pixels is None or len(shape := pixels.type.shape or ()) != len("BCHW"):
        return
    _channels(tree, pixels, file, report)
    if key is None:
        return
    kind = str(tree.get("image_processor_type") or tree.get("feature_extractor_type"))
    both: tuple[int, ...] = (2,) if shape[2] == shape[3] else (2, 3)
    rows: dict[str, tuple[int, ...]] = {f"{key}/height": (2,), f"{key}/width": (3,)}
    if key == "crop_size" or _SQUARE.match(kind):
        rows[key] = both
    if _CUT.match(kind):  # cut to this size, of which images are `crop_pct` before, whatever else is said
        rows = {"size": both, "size/shortest_edge": both}
    for pattern, axes in rows.items():
        for at in each(tree, pattern):
            for axis in axes:
                claim_size(at.path, f"input 'pixel_values' of {file}", at.value, pixels, axis, report)


def _read_size(tree: dict[str, Any]) -> str | None:
    """Return the key of the size that images have in the end; None if they keep their own."""
    if tree.get("do_center_crop") and "crop_size" in tree:
        return "crop_size"
    return "size" if tree.get("do_resize", True) else None


def _channels(tree: dict[str, Any], pixels: ServedPort, file: str, report: Report) -> None:
    channels = (pixels.type.shape or (None, None))[1]
    for at in each(tree, "image_mean|image_std") if tree.get("do_normalize", True) else ():
        if isinstance(at.value, list) and isinstance(channels, int) and len(at.value) not in (0, channels):
            words = f"expected {count(channels, 'value')}, one for each channel of {pixels.name!r} of {file}; got {len(at.value)}"
            report.say(R.wrong_length, at.path, words, other=("declared here", pixels.at))


KIND = HuggingFace()
