"""Cases of rules about companions: a configuration of Triton with the repository around it."""

from __future__ import annotations

from companions.genai import CONFIG as GENAI
from companions.genai import NET as LLM
from companions.huggingface import VIT
from companions.ultralytics import METADATA, net

from rule_cases.base import Case, Cases

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3,8,8] image, int64[N,1] size) => (float[N,3] scores) {
   [pool] pooled = GlobalAveragePool (image)
   [flat] flat = Flatten (pooled)
   [cast] number = Cast <to: int = 1> (size)
   [add] scores = Add (flat, number)
}
"""
CONFIG = """backend: "onnxruntime"
max_batch_size: 4
input [ { name: "image" data_type: TYPE_FP32 dims: [ 3, 8, 8 ] }, { name: "size" data_type: TYPE_INT64 dims: [ 1 ] } ]
output [ { name: "scores" data_type: TYPE_FP32 dims: [ 3 ] label_filename: "labels.txt" } ]
"""
BESIDE = {"1/model.onnx": MODEL.encode(), "labels.txt": b"a\nb\nc\n"}


IMAGES = Case(
    VIT["vit/preprocessor_config.json"].replace("160", "224", 1),
    "huggingface",
    "224",
    VIT["vit/preprocessor_config.json"],
    {"model.onnx": VIT["vit/model.onnx"].encode()},
    name="preprocessor_config.json",
)


def config(old: str = "", new: str = "", token: str | None = None, fixed: bool = False) -> Case:
    """A configuration with one change; `fixed`: the fix takes it back."""
    text = CONFIG.replace(old, new, 1)
    return Case(text, "triton", token, CONFIG if fixed else None, BESIDE, name="net/config.pbtxt")


def genai(key: str, said: int, token: int) -> Case:
    """A configuration of ONNX Runtime GenAI with a value that is not that of the model; the fix takes it back."""
    text = GENAI.replace(f'"{key}": {said}', f'"{key}": {token}')
    return Case(text, "genai", str(token), GENAI, {"model.onnx": LLM.encode()}, name="genai_config.json")


class UnknownTensor(Cases):
    valid = (config(),)
    invalid = (
        config('"image"', '"images"', '"images"', fixed=True),
        config('"scores"', '"score"', '"score"', fixed=True),
    )


class TensorLeftOut(Cases):
    valid = (config(', { name: "size" data_type: TYPE_INT64 dims: [ 1 ] }', ', { name: "size" }'),)
    invalid = (config(', { name: "size" data_type: TYPE_INT64 dims: [ 1 ] }', "", "["),)


class OtherDtype(Cases):
    valid = (config("data_type: TYPE_FP32"),)
    invalid = (config("TYPE_FP32", "TYPE_FP16", "TYPE_FP16", fixed=True),)


class OtherShape(Cases):
    valid = (config("dims: [ 3, 8, 8 ]"),)
    invalid = (config("8, 8", "8, 9", "9", fixed=True), config("[ 3, 8, 8 ]", "[ 3, 8 ]", "["), IMAGES)


class MissingFile(Cases):
    valid = (config('label_filename: "labels.txt"'),)
    invalid = (
        config("labels.txt", "names.txt", '"names.txt"'),
        config("max_", 'default_model_filename: "net.onnx" max_', '"net.onnx"'),
    )


class ContradictorySettings(Cases):
    valid = (config("max_", 'name: "net" max_'),)
    invalid = (
        Case(
            f'name: "other"\n{CONFIG}', "triton", '"other"', f'name: "net"\n{CONFIG}', BESIDE, name="net/config.pbtxt"
        ),
        config("max_", "dynamic_batching { preferred_batch_size: [ 4, 8 ] } max_", "8"),
    )


class OtherClassCount(Cases):
    valid = (Case(METADATA, "ultralytics", side_files={"yolo.onnx": net("1,7,525").encode()}, name="metadata.yaml"),)
    invalid = (
        Case(METADATA, "ultralytics", "names", side_files={"yolo.onnx": net("1,8,525").encode()}, name="metadata.yaml"),
    )


class OtherValue(Cases):
    valid = (Case(GENAI, "genai", side_files={"model.onnx": LLM.encode()}, name="genai_config.json"),)
    invalid = (genai("vocab_size", 38, 40), genai("num_hidden_layers", 2, 3))
