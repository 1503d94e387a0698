"""Planted mistakes in graphs, as MediaPipe 0.10.14 and OpenVINO Model Server refuse them."""

from __future__ import annotations

from companions.planted import Planted
from companions.triton import NET

GRAPH = """input_stream: "HTTP_REQUEST_PAYLOAD:input"
output_stream: "HTTP_RESPONSE_PAYLOAD:output"
node: {
  name: "LLMExecutor"
  calculator: "HttpLLMCalculator"
  input_stream: "LOOPBACK:loopback"
  input_stream: "HTTP_REQUEST_PAYLOAD:input"
  input_side_packet: "LLM_NODE_RESOURCES:llm"
  output_stream: "LOOPBACK:loopback"
  output_stream: "HTTP_RESPONSE_PAYLOAD:output"
  input_stream_info: { tag_index: 'LOOPBACK:0', back_edge: true }
  node_options: { [type.googleapis.com / mediapipe.LLMCalculatorOptions]: { models_path: "./", cache_size: 0 } }
  input_stream_handler {
    input_stream_handler: "SyncSetInputStreamHandler",
    options { [mediapipe.SyncSetInputStreamHandlerOptions.ext] { sync_set { tag_index: "LOOPBACK:0" } } }
  }
}
node { calculator: "MergeCalculator" input_stream: "IN:0:loopback" input_stream: "IN:1:input" output_stream: "merged" }
"""
FILES = {"llm/graph.pbtxt": GRAPH}


def planted(old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(FILES, "llm/graph.pbtxt", old, new, code, token, fixed)


PLANTED = [
    planted('LOOPBACK:loopback"\n  input', 'LOOPBACK:loopbck"\n  input', "F001", '"LOOPBACK:loopbck"', "unsafe"),
    planted('PAYLOAD:input"\noutput', 'PAYLOAD:inputs"\noutput', "F001", '"HTTP_REQUEST_PAYLOAD:input"', "unsafe"),
    planted('PAYLOAD:output"\nnode', 'PAYLOAD:result"\nnode', "F002", '"HTTP_RESPONSE_PAYLOAD:result"'),
    planted("back_edge: true", "back_edge: false", "R004", '"LOOPBACK:loopback"'),
    planted("tag_index: 'LOOPBACK:0'", "tag_index: 'LOOPBCK:0'", "F001", "'LOOPBCK:0'", "unsafe"),
    planted('sync_set { tag_index: "LOOPBACK:0" }', 'sync_set { tag_index: "LOOP:0" }', "F001", '"LOOP:0"', "unsafe"),
    planted('"merged"', '"loopback"', "R005", '"loopback"'),
    planted('"merged"', '"Merged"', "T006", '"Merged"'),
    planted("IN:1:", "IN:0:", "R005", '"IN:0:input"'),
    planted("IN:1:", "IN:2:", "T006", '"IN:2:input"'),
    planted('calculator: "MergeCalculator" ', "", "T002", "node"),
    planted('  name: "LLMExecutor"\n', "", "T002", "node"),
    planted("back_edge: true", "backedge: true", "T003", "backedge", "unsafe"),
    planted("input_side_packet", "input_sidepacket", "T003", "input_sidepacket", "unsafe"),
    planted("back_edge: true", "back_edge: yes", "T001", "yes"),
    planted("sync_set { tag", "sync_set tag", "S001", "tag_index"),
    planted("models_path:", "model_path:", "T003", "model_path", "unsafe"),
    planted('models_path: "./", ', "", "T002", "{"),
    planted("cache_size: 0", "cache_size: 0.5", "T001", "0.5"),
    planted('tag_index: "LOOPBACK:0"', 'tagindex: "LOOPBACK:0"', "T003", "tagindex", "unsafe"),
]

SERVED = """input_stream: "in1"
input_stream: "in2"
output_stream: "out"
node {
  calculator: "OpenVINOModelServerSessionCalculator"
  output_side_packet: "SESSION:net"
  node_options: {
    [type.googleapis.com / mediapipe.OpenVINOModelServerSessionCalculatorOptions]: { servable_name: "net" servable_version: "1" }
  }
}
node {
  calculator: "OpenVINOInferenceCalculator"
  input_side_packet: "SESSION:net"
  input_stream: "IMAGE:in1"
  input_stream: "SIZE:in2"
  output_stream: "SCORES:out"
  node_options: {
    [type.googleapis.com / mediapipe.OpenVINOInferenceCalculatorOptions]: {
      tag_to_input_tensor_names { key: "IMAGE" value: "image" }
      tag_to_input_tensor_names { key: "SIZE" value: "size" }
      tag_to_output_tensor_names { key: "SCORES" value: "scores" }
    }
  }
}
"""
SERVER = """{"model_config_list": [{"config": {"name": "net", "base_path": "net"}}]}\n"""
BOTH = {"one/graph.pbtxt": SERVED, "one/subconfig.json": SERVER, "one/net/1/model.onnx": NET}
ABOVE = {"all/one/graph.pbtxt": SERVED, "all/config.json": SERVER, "all/net/1/model.onnx": NET}
APART = {"one/graph.pbtxt": GRAPH.replace('"./"', '"./llm"'), "one/llm/notes.txt": ""}
LLM = {"llm/graph.pbtxt": GRAPH, "llm/openvino_model.xml": "<net/>", "llm/openvino_tokenizer.xml": "<net/>"}


def served(old: str, new: str, code: str, token: str, fixed: str = "", edited: str = "graph.pbtxt") -> Planted:
    return Planted(BOTH, "one/graph.pbtxt", old, new, code, token, fixed, f"one/{edited}")


PLANTED += [
    served('value: "image"', 'value: "images"', "F001", '"images"', "unsafe"),
    served('value: "scores"', 'value: "score"', "F001", '"score"', "unsafe"),
    served("image, int64[N,1] size", "picture, int64[N,1] size", "F001", '"image"', "", "net/1/model.onnx"),
    served('servable_name: "net"', 'servable_name: "nets"', "F001", '"nets"', "unsafe"),
    served('key: "SCORES"', 'key: "SCORE"', "F001", '"SCORE"', "unsafe"),
    served('key: "SIZE"', 'key: "SIZES"', "F001", '"SIZES"', "unsafe"),
    served('servable_version: "1"', 'servable_version: "2"', "F006", '"2"'),
    served('  input_stream: "SIZE:in2"\n', "", "F002", "input_stream"),
    Planted(ABOVE, "all/one/graph.pbtxt", 'value: "size"', 'value: "sizes"', "F001", '"sizes"', "unsafe"),
    Planted(APART, "one/graph.pbtxt", '"./llm"', '"./llms"', "F006", '"./llms"'),
    Planted(LLM, "llm/graph.pbtxt", '"./"', '"model"', "F006", '"model"', "unsafe"),
]
SILENT = [{**BOTH, "llm/graph.pbtxt": SERVED.replace('name: "net"', 'name: "elsewhere"')}]
