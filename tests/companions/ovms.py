"""Planted contradictions in configurations of OpenVINO Model Server, as the server's source refuses or ignores them."""

from __future__ import annotations

from companions.mediapipe import GRAPH
from companions.planted import Planted, zeros
from companions.triton import NET
from companions.ultralytics import net

CONFIG = """{
  "model_config_list": [
    {"config": {
      "name": "net", "base_path": "net", "shape": {"image": "(4,3,8,8)", "size": "auto"},
      "layout": {"image": "NHWC:NCHW"}, "nireq": 4,
      "model_version_policy": {"specific": {"versions": [1]}}
    }},
    {"config": {"name": "cats", "base_path": "cats", "shape": "(1,3,160,160)", "plugin_config": {"NUM_STREAMS": 1}}}
  ],
  "mediapipe_config_list": [{"name": "llm", "base_path": "llm", "graph_path": "graph.pbtxt"}],
  "pipeline_config_list": [{
    "name": "both",
    "inputs": ["picture"],
    "nodes": [
      {"name": "first", "model_name": "cats", "type": "DL model",
       "inputs": [{"images": {"node_name": "request", "data_item": "picture"}}],
       "outputs": [{"data_item": "output0", "alias": "scores"}]}
    ],
    "outputs": [{"all": {"node_name": "first", "data_item": "scores"}}]
  }]
}
"""
FILES = {
    "served/config.json": CONFIG,
    "served/net/1/model.onnx": NET,
    "served/cats/1/cats.onnx": net("1,5"),
    "served/llm/graph.pbtxt": GRAPH,
}
EMPTY = {"served/config.json": '{"model_config_list": []}\n'}
FILE = {**FILES, "served/config.json": CONFIG.replace('"base_path": "cats"', '"base_path": "cats/1/cats.onnx"')}
FOLDED = {
    **FILES,
    "served/cats/1/cats.onnx": f"""<ir_version: 8, opset_import: ["" : 17]>
net (float[1,3,160,160] images) => (float[1,4,80,80] output0) <{zeros("w", 4, 3, 2, 2)}> {{
   [a] output0 = Conv <strides = [2, 2]> (images, w)
}}
""",
}


def planted(
    old: str, new: str, code: str, token: str, fixed: str = "", files: dict[str, str] = FILES, edited: str = ""
) -> Planted:
    return Planted(files, "served/config.json", old, new, code, token, fixed, edited and f"served/{edited}")


PLANTED = [
    planted('"name": "first", "model_name"', '"name": "first"}, {"name": "first", "model_name"', "R005", '"first"'),
    Planted(FOLDED, "served/config.json", '"(1,3,160,160)"', '"(1,160,160,3)"', "F004", '"(1,160,160,3)"'),
    planted('"name": "net", ', "", "T002", "{"),
    planted('"base_path": "net"', '"base_pth": "net"', "T003", '"base_pth"', "unsafe"),
    planted('"nireq": 4', '"nireq": 4, "port": 9000', "T003", '"port"'),
    planted('"pipeline_config_list"', '"pipeline_config_lst"', "T003", '"pipeline_config_lst"', "unsafe"),
    planted('"nireq": 4', '"nireq": "4"', "T001", '"4"'),
    planted('"specific"', '"specfic"', "T003", '"specfic"', "unsafe"),
    planted("[1]", "[0]", "T006", "0"),
    planted("[1]", "[2]", "F006", "2"),
    planted('"model_config_list"', '"model_configs"', "T002", '"model_configs"'),
    planted('"base_path": "cats"', '"base_path": "cat"', "F006", '"cat"'),
    planted('"name": "cats"', '"name": "net"', "R005", '"net"'),
    planted('"(4,3,8,8)"', '"4,3,8,8"', "T006", '"4,3,8,8"'),
    planted('"image": "(4', '"images": "(4', "F001", '"images"', "unsafe"),
    planted('"size": "auto"', '"sizes": "auto"', "F001", '"sizes"', "unsafe"),
    planted("(4,3,8,8)", "(4,3,8)", "F004", '"(4,3,8)"'),
    planted('{"image": "(4,3,8,8)", "size": "auto"}', '"(4,3,8,8)"', "T006", '"(4,3,8,8)"'),
    planted("(1,3,160,160)", "(3,160,160)", "F004", '"(3,160,160)"'),
    planted("NHWC:NCHW", "NHWC:NC", "F004", '"NHWC:NC"'),
    planted('{"image": "NHWC', '{"input": "NHWC', "F001", '"input"'),
    planted("float[N,3,8,8] image", "float[N,3,8,8] picture", "F001", '"image"', edited="net/1/model.onnx"),
    planted('"graph_path": "graph.pbtxt"', '"graph_path": "graphs.pbtxt"', "F006", '"graphs.pbtxt"'),
    planted('"model_name": "cats"', '"model_name": "cat"', "F001", '"cat"', "unsafe"),
    planted('"node_name": "first"', '"node_name": "frist"', "F001", '"frist"', "unsafe"),
    planted('"data_item": "scores"', '"data_item": "score"', "F001", '"score"', "unsafe"),
    planted('"data_item": "picture"', '"data_item": "image"', "F001", '"image"', "unsafe"),
    planted('"images": {"node', '"image": {"node', "F001", '"image"', "unsafe"),
    planted('"data_item": "output0"', '"data_item": "output1"', "F001", '"output1"', "unsafe"),
    planted('"type": "DL model"', '"type": "model"', "T006", '"model"'),
    planted('"model_name": "cats", ', "", "T002", "{"),
    planted("(1,3,160,160)", "(3,160,160)", "F004", '"(3,160,160)"', files=FILE),
]  # fmt: skip
SILENT = [EMPTY]
