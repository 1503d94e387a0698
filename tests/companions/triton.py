"""Planted contradictions in repositories of Triton. The real server, or its source, refuses each."""

from __future__ import annotations

from companions.planted import Planted

NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3,8,8] image, int64[N,1] size) => (float[N,3] scores) {
   [pool] pooled = GlobalAveragePool (image)
   [flat] flat = Flatten (pooled)
   [cast] number = Cast <to: int = 1> (size)
   [add] scores = Add (flat, number)
}
"""
CONFIG = """name: "net"
backend: "onnxruntime"
max_batch_size: 4
input [
  { name: "image" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, 8, 8 ] },
  { name: "size" data_type: TYPE_INT64 dims: [ 1, 1 ] reshape: { shape: [ 1 ] } }
]
output [ { name: "scores" data_type: TYPE_FP32 dims: [ 3 ] label_filename: "labels.txt" } ]
version_policy: { specific: { versions: [ 1 ] } }
instance_group [ { count: 1 kind: KIND_CPU } ]
dynamic_batching { preferred_batch_size: [ 2, 4 ] priority_levels: 2 default_priority_level: 1 }
model_warmup [ {
  name: "w"
  batch_size: 1
  inputs { key: "image" value: { data_type: TYPE_FP32 dims: [ 3, 8, 8 ] zero_data: true } }
  inputs { key: "size" value: { data_type: TYPE_INT64 dims: [ 1, 1 ] random_data: true } }
} ]
"""
ONNX = {"net/config.pbtxt": CONFIG, "net/1/model.onnx": NET, "net/labels.txt": "a\nb\nc\n"}
RENAMED = {
    "net/config.pbtxt": CONFIG.replace('"onnxruntime"', '"onnxruntime"\ndefault_model_filename: "net.onnx"'),
    "net/1/net.onnx": NET, "net/labels.txt": "a\nb\nc\n",
}  # fmt: skip
PLAIN = {
    "net/config.pbtxt": """backend: "onnxruntime"
max_batch_size: 8
input { name: "x" data_type: TYPE_FP32 dims: 3 }
output { name: "y" data_type: TYPE_FP32 dims: 3 }
parameters { key: "intra_op_thread_count" value: { string_value: "2" } }
parameters { key: "execution_mode" value: { string_value: "1" } }
optimization { execution_accelerators { cpu_execution_accelerator: [ { name: "openvino" } ] } }
instance_group { count: 2 }
""",
    "net/1/model.onnx": """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3] x) => (float[N,3] y) { y = Relu (x) }
""",
}
OVERRIDDEN = {  # onnxruntime takes initializers that are inputs, too, with each request
    "net/config.pbtxt": PLAIN["net/config.pbtxt"]
    .replace("output", 'input { name: "w" data_type: TYPE_FP32 dims: 3 }\noutput', 1)
    .replace("8", "0")
    .replace("dims: 3", "dims: [ -1, 3 ]"),
    "net/1/model.onnx": """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3] x, float[1,3] w) => (float[N,3] y) <float[1,3] w = {1, 2, 3}> { y = Add (x, w) }
""",
}
LOOSE = 'backend: "python"\nmax_batch_size: 4\n'

OPEN_NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,A] x, float s) => (float[N,A] y, float z) {
   [a] y = Mul (x, s)
   [b] z = ReduceMean <keepdims: int = 0> (x)
}
"""
OPEN_CONFIG = """backend: "onnxruntime"
input [ { name: "x" data_type: TYPE_FP32 dims: [ -1, 3 ] }, { name: "s" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "y" data_type: TYPE_FP32 dims: [ -1, -1 ] }, { name: "z" data_type: TYPE_FP32 dims: [ 1, 1 ] } ]
"""
OPEN = {"net/config.pbtxt": OPEN_CONFIG, "net/1/model.onnx": OPEN_NET}
BARE = {
    "net/config.pbtxt": 'backend: "onnxruntime"\nmax_batch_size: 0\n',
    "net/1/model.onnx": OPEN_NET.replace("[N,", "[1,"),
}

IR = """<?xml version="1.0"?>
<net name="net" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,3" element_type="f32"/>
      <output><port id="0" precision="FP32" names="x"><dim>-1</dim><dim>3</dim></port></output></layer>
    <layer id="1" name="y" type="ReLU" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim></port></input>
      <output><port id="1" precision="FP32" names="y"><dim>-1</dim><dim>3</dim></port></output></layer>
    <layer id="2" name="y/sink" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim></port></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
  </edges>
</net>
"""
IR_CONFIG = """backend: "openvino"
max_batch_size: 8
input { name: "x" data_type: TYPE_FP32 dims: 3 }
output { name: "y" data_type: TYPE_FP32 dims: 3 }
"""
OPENVINO = {"net/config.pbtxt": IR_CONFIG, "net/1/model.xml": IR, "net/1/model.bin": ""}
OPENVINO_PARAMETERS = {
    **OPENVINO,
    "net/config.pbtxt": IR_CONFIG
    + 'parameters { key: "NUM_STREAMS" value { string_value: "AUTO" } }\n'
    + 'parameters { key: "INFERENCE_NUM_THREADS" value { string_value: "4" } }\n',
}
CONVERTED = {**OPENVINO, "net/config.pbtxt": IR_CONFIG.replace("FP32", "FP16")}
FREE = {**OPENVINO, "net/config.pbtxt": IR_CONFIG.replace("dims: 3", "dims: -1", 1)}
RESHAPED = {
    **OPENVINO,
    "net/config.pbtxt": IR_CONFIG.replace("dims: 3", "dims: 5")
    + 'parameters { key: "RESHAPE_IO_LAYERS" value: { string_value: "yes" } }\n',
}

PYTHON = 'backend: "python"\nmax_batch_size: 8\n'
PRE = (
    PYTHON
    + 'input { name: "raw" data_type: TYPE_UINT8 dims: -1 }\noutput { name: "ready" data_type: TYPE_FP32 dims: [ 3, 8, 8 ] }\n'
)
POST = (
    PYTHON
    + 'input { name: "in" data_type: TYPE_FP32 dims: [ 3, 8, 8 ] }\noutput { name: "text" data_type: TYPE_STRING dims: 1 }\n'
)
ALL = """platform: "ensemble"
max_batch_size: 8
input { name: "bytes" data_type: TYPE_UINT8 dims: -1 }
output { name: "answer" data_type: TYPE_STRING dims: 1 }
ensemble_scheduling {
  step { model_name: "pre" model_version: -1
    input_map { key: "raw" value: "bytes" }
    output_map { key: "ready" value: "pixels" } }
  step { model_name: "post" model_version: 1
    input_map { key: "in" value: "pixels" }
    output_map { key: "text" value: "answer" } }
}
"""
PY = "class TritonPythonModel: ...\n"
ENSEMBLE = {
    "all/config.pbtxt": ALL, "all/1/.keep": "",
    "pre/config.pbtxt": PRE, "pre/1/model.py": PY, "post/config.pbtxt": POST, "post/1/model.py": PY,
}  # fmt: skip
SEQUENCE = {
    "seq/config.pbtxt": """backend: "python"
max_batch_size: 4
input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }
output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }
batch_input { kind: BATCH_ELEMENT_COUNT target_name: "n" data_type: TYPE_FP32 source_input: "x" }
batch_output { target_name: "y" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "x" }
sequence_batching {
  control_input { name: "start" control { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } }
  control_input { name: "id" control { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } }
  oldest { max_candidate_sequences: 4 preferred_batch_size: [ 4 ] }
}
""",
    "seq/1/model.py": PY,
}

STATES_NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[N,3] x, float[N,1] start, int64[N,1] id, float[N,4] s_in, float[B] sizes) => (float[N,3] y, float[N,4] s_out) {
   [a] t = Add (x, start)
   [b] i = Cast <to: int = 1> (id)
   [c] u = Add (t, i)
   [d] m = ReduceMean <keepdims: int = 0> (sizes)
   [e] y = Add (u, m)
   [f] s_out = Relu (s_in)
}
"""
STATES = {
    "q/config.pbtxt": """backend: "onnxruntime"
max_batch_size: 4
input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }
output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }
batch_input { kind: BATCH_ELEMENT_COUNT target_name: "sizes" data_type: TYPE_FP32 source_input: "x" }
sequence_batching {
  control_input { name: "start" control { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } }
  control_input { name: "id" control { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_INT64 } }
  state { input_name: "s_in" output_name: "s_out" data_type: TYPE_FP32 dims: [ 4 ]
    initial_state { name: "first" data_type: TYPE_FP32 dims: [ 4 ] data_file: "zeros" } }
}
cc_model_filenames { key: "7.5" value: "model.onnx" }
""",
    "q/1/model.onnx": STATES_NET, "q/initial_state/zeros": "0",
}  # fmt: skip
GROWING = {key.replace("q/", "net/"): text.replace("dims: [ 4 ]\n", "dims: [ -1 ]\n") for key, text in STATES.items()}
WHOLE = """platform: "ensemble"
max_batch_size: 4
input { name: "bytes" data_type: TYPE_FP32 dims: [ 3, 8, 8 ] }
input { name: "n" data_type: TYPE_INT64 dims: [ 1 ] }
output { name: "answer" data_type: TYPE_FP32 dims: 3 }
ensemble_scheduling {
  step { model_name: "net" model_version: -1
    input_map { key: "image" value: "bytes" }
    input_map { key: "size" value: "n" }
    output_map { key: "scores" value: "answer" } }
}
"""
COMPLETED = {
    "all/config.pbtxt": WHOLE, "all/1/.keep": "", "net/1/model.onnx": NET,
    "net/config.pbtxt": 'backend: "onnxruntime"\nmax_batch_size: 4\n',
}  # fmt: skip
UNNAMED = {key: text for key, text in COMPLETED.items() if key != "net/config.pbtxt"}
WARM = {
    "net/config.pbtxt": """backend: "onnxruntime"
max_batch_size: 4
model_warmup { name: "w" batch_size: 1
  inputs { key: "image" value: { data_type: TYPE_FP32 dims: [ 3, 8, 8 ] zero_data: true } }
  inputs { key: "size" value: { data_type: TYPE_INT64 dims: [ 1 ] zero_data: true } } }
""",
    "net/1/model.onnx": NET,
}


def onnx(old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "") -> Planted:
    return Planted(ONNX, "net/config.pbtxt", old, new, code, token, fixed, edited and f"net/{edited}")


def ensemble(old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "") -> Planted:
    return Planted(ENSEMBLE, "all/config.pbtxt", old, new, code, token, fixed, edited)


def sequence(old: str, new: str, code: str, token: str) -> Planted:
    return Planted(SEQUENCE, "seq/config.pbtxt", old, new, code, token)


def states(old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(STATES, "q/config.pbtxt", old, new, code, token, fixed)


def completed(old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(COMPLETED, "all/config.pbtxt", old, new, code, token, fixed)


def warm(old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(WARM, "net/config.pbtxt", old, new, code, token, fixed)


# Folders without a version that has the model: the configuration, and the token at which it is found
WITHOUT_VERSION = [
    ({"net/config.pbtxt": CONFIG, "net/v1/model.onnx": NET, "net/labels.txt": "a"}, "net", '"onnxruntime"'),
    (
        {"net/config.pbtxt": CONFIG, "net/1/.keep": "", "net/model.onnx": NET, "net/labels.txt": "a"},
        "net",
        '"onnxruntime"',
    ),
    ({name: text for name, text in ENSEMBLE.items() if name != "all/1/.keep"}, "all", '"ensemble"'),
]


PLANTED = [
    # the file by itself
    onnx('"onnxruntime"', '"onnxruntime_onnx"', "T006", '"onnxruntime_onnx"', "unsafe"),
    onnx('"onnxruntime"', '"onnx"', "T006", '"onnx"', "unsafe"),
    onnx('"onnxruntime"', '"onnxruntme"', "T006", '"onnxruntme"', "unsafe"),
    onnx('"onnxruntime"', '"pytorch"', "F006", '"pytorch"', "unsafe"),
    onnx("max_batch_size: 4", "max_batch_size: -1", "T006", "-1"),
    onnx("max_batch_size", "max_batchsize", "T003", "max_batchsize", "unsafe"),
    onnx("TYPE_INT64 dims", "TYPE_INT46 dims", "T001", "TYPE_INT46", "unsafe"),
    onnx("TYPE_FP32 format", "FP32 format", "T001", "FP32", "unsafe"),
    onnx('backend: "onnxruntime"', 'platform: "onnxruntime_onx"', "T006", '"onnxruntime_onx"'),
    onnx('backend: "onnxruntime"', 'backend: "onnxruntime"\nplatform: "tensorrt_plan"', "F007", '"onnxruntime"'),
    onnx('name: "size" data', "data", "T002", "{"),
    onnx('name: "size" data', 'name: "image" data', "R005", '"image"'),
    onnx("FORMAT_NCHW", "FORMAT_NHWC", "F007", "FORMAT_NHWC"),
    onnx("[ 3, 8, 8 ] }", "[ 3, 0, 8 ] }", "T006", "0"),
    onnx("FORMAT_NCHW dims: [ 3, 8, 8 ]", "FORMAT_NCHW dims: [ 3, 64 ]", "F004", "["),
    onnx("shape: [ 1 ]", "shape: [ 2 ]", "F004", "2"),
    onnx("kind: KIND_CPU", "kind: KIND_CPU gpus: [ 0 ]", "F007", "["),
    onnx("[ 2, 4 ]", "[ 2, 8 ]", "F007", "8"),
    onnx("default_priority_level: 1", "default_priority_level: 3", "T006", "2"),
    onnx("dynamic_batching {", "sequence_batching { }\ndynamic_batching {", "S002", "dynamic_batching"),
    onnx("batch_size: 1", "batch_size: 8", "F007", "8"),
    onnx('key: "size"', 'key: "sizes"', "F001", '"sizes"', "unsafe"),
    onnx("value: { data_type: TYPE_FP32", "value: { data_type: TYPE_FP16", "F003", "TYPE_FP16"),
    onnx("zero_data: true", "", "T002", "value"),
    onnx("dims: [ 3, 8, 8 ] zero_data", "dims: [ 3, 8 ] zero_data", "F004", "["),
    onnx('  inputs { key: "size" value: { data_type: TYPE_INT64 dims: [ 1, 1 ] random_data: true } }\n', "", "F002", "{"),
    # the repository
    onnx('name: "net"', 'name: "nets"', "F007", '"nets"', "unsafe"),
    onnx("labels.txt", "names.txt", "F006", '"names.txt"'),
    onnx("versions: [ 1 ]", "versions: [ 2 ]", "F006", "2"),
    onnx("a\nb\nc\n", "a\nb\n", "F005", '"labels.txt"', edited="labels.txt"),
    Planted(RENAMED, "net/config.pbtxt", 'backend: "onnxruntime"\ndefault_model_filename: "net.onnx"', 'backend: "onnxruntime"', "F006", '"onnxruntime"'),
    Planted(ONNX | {"loose/config.pbtxt": LOOSE, "loose/model.onnx": NET}, "loose/config.pbtxt", "python", "onnxruntime", "F006", '"onnxruntime"'),
    onnx("versions: [ 1 ]", "", "T006", "specific"),
    # the model
    onnx('"image" data', '"images" data', "F001", '"images"', "unsafe"),
    onnx('"scores"', '"score"', "F001", '"score"', "unsafe"),
    onnx("TYPE_FP32 format", "TYPE_UINT8 format", "F003", "TYPE_UINT8", "safe"),
    onnx("TYPE_FP32 dims", "TYPE_FP16 dims", "F003", "TYPE_FP16", "safe"),
    onnx("[ 3, 8, 8 ] }", "[ 3, 8, 9 ] }", "F004", "9", "safe"),
    onnx("[ 3, 8, 8 ] }", "[ 1, 3, 8, 8 ] }", "F004", "["),
    onnx("[ 3, 8, 8 ] }", "[ 3, -1, -1 ] }", "F004", "-1", "safe"),
    onnx("dims: [ 3 ]", "dims: [ 4 ]", "F004", "4", "safe"),
    onnx("float[N,3,8,8]", "float[1,3,8,8]", "F007", "4", edited="1/model.onnx"),
    onnx("float[N,3,8,8] image", "float[N,3,8,8] picture", "F001", '"image"', edited="1/model.onnx"),
    onnx("int64[N,1] size", "int64[N,1] size, float[N] scale", "F002", "[", edited="1/model.onnx"),
    onnx("float[N,3] scores", "float16[N,3] scores", "F003", "TYPE_FP32", "safe", edited="1/model.onnx"),
    onnx("dims: [ 1, 1 ] reshape", "dims: [ 1, 1 ] optional: true reshape", "F007", "true"),
    Planted(OPEN, "net/config.pbtxt", "dims: [ -1, -1 ]", "dims: [ -1, 3 ]", "F004", "3", "safe"),
    Planted(OPEN, "net/config.pbtxt", "dims: [ 1 ]", "dims: [ 2 ]", "F004", "2"),
    Planted(OPEN, "net/config.pbtxt", "dims: [ 1, 1 ]", "dims: [ 1, 2 ]", "F004", "2"),
    Planted(BARE, "net/config.pbtxt", "max_batch_size: 0", "max_batch_size: 8", "F007", "8"),
    Planted(OPENVINO, "net/config.pbtxt", '"y" data_type: TYPE_FP32 dims: 3', '"y" data_type: TYPE_FP32 dims: -1', "F004", "-1", "safe"),
    Planted(OPENVINO, "net/config.pbtxt", '"x"', '"z"', "F001", '"z"'),
    Planted(OPENVINO, "net/config.pbtxt", "dims: 3 }\noutput", "dims: 4 }\noutput", "F004", "4", "safe"),
    Planted(OPENVINO, "net/config.pbtxt", "TYPE_FP32 dims", "TYPE_STRING dims", "F003", "TYPE_STRING", "safe"),
    # ensembles
    ensemble('"raw"', '"row"', "F001", '"row"', "unsafe"),
    ensemble('"text"', '"texts"', "F001", '"texts"', "unsafe"),
    ensemble('key: "in" value: "pixels"', 'key: "in" value: "pixel"', "F001", '"pixel"', "unsafe"),
    ensemble('value: "answer"', 'value: "pixels"', "R005", '"pixels"'),
    ensemble('model_name: "post"', 'model_name: "all"', "F007", '"all"'),
    ensemble("TYPE_UINT8 dims", "TYPE_STRING dims", "F003", "TYPE_STRING"),
    ensemble("TYPE_FP32 dims", "TYPE_FP16 dims", "F003", '"pixels"', edited="post/config.pbtxt"),
    ensemble("3, 8, 8", "3, 8, 9", "F004", '"pixels"', edited="post/config.pbtxt"),
    ensemble("max_batch_size: 8", "max_batch_size: 2", "F007", "8", edited="pre/config.pbtxt"),
    ensemble("model_version: 1", "model_version: 3", "F006", "3"),
    ensemble('model_name: "post" ', "", "T002", "step"),
    ensemble("ensemble_scheduling", 'instance_group { count: 1 }\nensemble_scheduling', "F007", "instance_group"),
    ensemble('input { name: "in"', 'input { name: "more" data_type: TYPE_FP32 dims: 1 }\ninput { name: "in"', "F002", '"post"', edited="post/config.pbtxt"),
    # sequences and batches
    sequence("[ 0, 1 ]", "[ 0 ]", "T004", "["),
    sequence("fp32_false_true: [ 0, 1 ]", "", "F007", "control"),
    sequence("[ 0, 1 ]", "[ 0, 1 ] int32_false_true: [ 0, 1 ]", "F007", "control"),
    sequence("TYPE_UINT64", "TYPE_FP32", "T006", "control"),
    sequence("CORRID data_type: TYPE_UINT64", "START fp32_false_true: [ 0, 1 ]", "R005", "control"),
    sequence('name: "start" ', "", "T002", "control_input"),
    sequence("preferred_batch_size: [ 4 ]", "preferred_batch_size: [ 8 ]", "F007", "8"),
    sequence('source_input: "x" }\nbatch_output', 'source_input: "z" }\nbatch_output', "F001", '"z"'),
    sequence('target_name: "y"', 'target_name: "z"', "F001", '"z"'),
    sequence('target_name: "n" data_type: TYPE_FP32', 'target_name: "n" data_type: TYPE_INT8', "T006", "batch_input"),
    sequence("dims: [ 3 ] }\noutput", "}\noutput", "T002", "input"),
    sequence("sequence_batching {", "response_cache { enable: true }\nsequence_batching {", "F007", "true"),
    onnx("version_policy: { specific: { versions: [ 1 ] } }", "version_policy: { latest { } }", "T006", "latest"),
    # tensors that the server makes
    states('name: "start"', 'name: "starts"', "F001", '"starts"', "unsafe"),
    states("fp32_false_true", "int32_false_true", "F003", "int32_false_true"),
    states("TYPE_INT64", "TYPE_UINT64", "F003", "TYPE_UINT64", "safe"),
    states('"s_in"', '"s_im"', "F001", '"s_im"', "unsafe"),
    states('"s_out"', '"s_oat"', "F001", '"s_oat"', "unsafe"),
    states('"s_out" data_type: TYPE_FP32', '"s_out" data_type: TYPE_FP16', "F003", "TYPE_FP16", "safe"),
    states("dims: [ 4 ]\n", "dims: [ 5 ]\n", "F004", "5", "safe"),
    states("dims: [ 4 ] data", "dims: [ 5 ] data", "F004", "initial_state"),
    states("TYPE_FP32 dims: [ 4 ] data", "TYPE_FP16 dims: [ 4 ] data", "F007", "initial_state"),
    states(' data_file: "zeros"', "", "T002", "initial_state"),
    states('"zeros"', '"zero"', "F006", '"zero"'),
    states('value: "model.onnx"', 'value: "model_75.onnx"', "F006", '"model_75.onnx"'),
    states('target_name: "sizes"', 'target_name: "size"', "F001", '"size"', "unsafe"),
    states('"sizes" data_type: TYPE_FP32', '"sizes" data_type: TYPE_INT32', "F003", "TYPE_INT32", "safe"),
    states('  control_input { name: "start" control { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } }\n', "", "F002", "input"),
    # tensors that only the model declares
    completed('"image"', '"images"', "F001", '"images"', "unsafe"),
    completed('"scores"', '"score"', "F001", '"score"', "unsafe"),
    completed("TYPE_FP32 dims: [", "TYPE_UINT8 dims: [", "F003", "TYPE_UINT8"),
    completed("3, 8, 8", "3, 8, 9", "F004", "9"),
    completed('    input_map { key: "size" value: "n" }\n', "", "F002", '"net"'),
    Planted(UNNAMED, "all/config.pbtxt", '"image"', '"images"', "F001", '"images"', "unsafe"),
    warm('"size"', '"sizes"', "F001", '"sizes"', "unsafe"),
    warm("TYPE_INT64", "TYPE_INT32", "F003", "TYPE_INT32"),
    warm("3, 8, 8", "3, 8", "F004", "["),
]  # fmt: skip
PLANTED += [
    Planted(PLAIN, "net/config.pbtxt", "batch_size: 8", "batch_size: 0", "F007", "0"),
    Planted(PLAIN, "net/config.pbtxt", '"2"', '"two"', "T006", '"two"'),
    Planted(PLAIN, "net/config.pbtxt", '"1"', '"2"', "T006", '"2"'),
    Planted(PLAIN, "net/config.pbtxt", '"openvino"', '"openvno"', "T006", '"openvno"', "unsafe"),
    Planted(PLAIN, "net/config.pbtxt", "count: 2", 'profile: [ "1" ]', "F007", "["),
    Planted(OPENVINO_PARAMETERS, "net/config.pbtxt", '"AUTO"', '"many"', "T006", '"many"'),
    Planted(OPENVINO_PARAMETERS, "net/config.pbtxt", '"4"', '"all"', "T006", '"all"'),
    ensemble('"raw" value: "bytes"', '"raw" value: "answer"', "R004", '"answer"'),
]
SILENT = [CONVERTED, RESHAPED, FREE, GROWING, OVERRIDDEN]
