"""Operations of an IR with what OpenVINO 2026.4.1 (CPU) computes: python -m tests.dryrun.openvino_goldens, in a Python with openvino, writes openvino_goldens.json."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tests.formats.openvino import tiny

GOLDENS = Path(__file__).with_name("openvino_goldens.json")
KINDS = {"f32": "float32", "i64": "int64", "i32": "int32", "u8": "uint8", "f16": "float16", "boolean": "bool"}
DETECTIONS = 'background_label_id="0" code_type="caffe.PriorBoxParameter.CORNER" share_location="true" nms_threshold="0.4" confidence_threshold="0.2"'
NMS = 'output_type="i64" nms_top_k="5" keep_top_k="6" score_threshold="0.1" background_class="-1"'
PROPOSALS = 'base_size="8" pre_nms_topn="20" post_nms_topn="6" nms_thresh="0.7" feat_stride="8" min_size="2" ratio="0.5,1" scale="1,2"'
PROMOTED = 'pytorch_scalar_promotion="true" u64_integer_promotion_target="f32"'
# The operation, its attributes | its inputs | how many outputs. An input is `name:dims`, or `name:dims/kind`, fed with numbers drawn from its name and
# shape, `kind=numbers`, a constant list, or `kind==number`, a constant scalar.
CASES = [
    # Detection
    f'opset8.DetectionOutput {DETECTIONS} top_k="4" keep_top_k="5" normalized="true" variance_encoded_in_target="true" | logits:2,16 shares:2,12 boxes:1,1,16 | 1',
    f'opset8.DetectionOutput {DETECTIONS} top_k="4" keep_top_k="5" normalized="true" clip_before_nms="true" decrease_label_id="true" | logits:2,16 shares:2,12 boxes:1,2,16 | 1',
    f'opset8.DetectionOutput {DETECTIONS} top_k="-1" keep_top_k="-1" normalized="true" clip_after_nms="true" objectness_score="0.4" | logits:1,16 shares:1,12 boxes:1,2,16 sure:1,8 moves:1,16 | 1',
    f'opset8.DetectionOutput {DETECTIONS} top_k="4" keep_top_k="5" normalized="false" input_height="10" input_width="10" | logits:1,16 shares:1,12 boxes5:1,2,20 | 1',
    *(
        f'opset9.NonMaxSuppression box_encoding="corner" sort_result_descending="{down}" output_type="i64" | boxes:1,6,4 shares:1,2,6 i64==3 f32==0.5 f32==0.1 f32=={sigma} | 3'
        for down in ("true", "false")
        for sigma in (0, 0.5)
    ),
    'opset13.NMSRotated clockwise="true" output_type="i64" | turned:1,6,5 shares:1,2,6 i64==3 f32==0.3 f32==0.1 | 3',
    *(
        f'opset9.MulticlassNms {NMS} iou_threshold="{iou}" nms_eta="{eta}" normalized="true" sort_result_type="{by}" sort_result_across_batch="{across}" | boxes:2,6,4 shares:2,3,6 | 3'
        for iou, eta, by, across in (
            (0.7, 0.8, "score", "true"),
            (0.4, 1, "classid", "true"),
            (0.4, 1, "classid", "false"),
            (0.4, 1, "none", "false"),
        )
    ),
    *(
        f'opset8.MatrixNms {NMS} decay_function="{decay}" normalized="true" sort_result_type="{by}" sort_result_across_batch="true" | boxes:2,6,4 shares:2,3,6 | 3'
        for decay, by in (("linear", "score"), ("gaussian", "classid"))
    ),
    f'opset8.MatrixNms {NMS.replace("0.1", "0.99")} decay_function="linear" | boxes:2,6,4 shares:2,3,6 | 3',
    'opset8.PriorBox min_size="16" max_size="32" aspect_ratio="2,2" flip="true" clip="true" step="0" offset="0.5" variance="0.1,0.1,0.2,0.2" scale_all_sizes="true" | i64=2,3 i64=40,60 | 1',
    'opset8.PriorBox fixed_size="16,24" fixed_ratio="1,2" density="1,2" clip="false" step="8" offset="0.5" variance="0.1" scale_all_sizes="true" | i64=2,2 i64=40,60 | 1',
    'opset1.PriorBoxClustered step="16" width="20,13" height="12,10" clip="true" offset="0.5" variance="0.1,0.1,0.2,0.2" | i64=2,3 i64=64,64 | 1',
    f'opset4.Proposal {PROPOSALS} clip_before_nms="true" framework="" | shares:1,8,3,3 logits:1,16,3,3 image | 2',
    f'opset4.Proposal {PROPOSALS} clip_before_nms="false" clip_after_nms="true" normalize="true" framework="tensorflow" | shares:1,8,3,3 logits:1,16,3,3 image | 2',
    'opset1.PSROIPooling output_dim="2" group_size="2" spatial_scale="1" mode="average" | x:1,8,5,5 rois:2,5 | 1',
    'opset1.PSROIPooling output_dim="2" group_size="2" spatial_scale="1" mode="bilinear" spatial_bins_x="2" spatial_bins_y="2" | x:1,8,5,5 rois:2,5 | 1',
    *(
        f'opset2.ROIPooling output_size="2,2" pooled_h="2" pooled_w="2" spatial_scale="{scale}" method="{way}" | x:1,2,5,5 {rois}:2,5 | 1'
        for way, scale, rois in (("max", 1, "rois"), ("bilinear", 1, "parts"))
    ),
    'opset15.ROIAlignRotated pooled_h="2" pooled_w="2" sampling_ratio="2" spatial_scale="1" clockwise_mode="true" | x:1,2,5,5 turned:2,5 i32=0,0 | 1',
    'opset15.ROIAlignRotated pooled_h="2" pooled_w="2" sampling_ratio="0" spatial_scale="1" clockwise_mode="false" | x:1,2,5,5 flat:1,5 i32=0 | 1',
    'opset1.RegionYolo anchors="1,2,3,4" axis="1" end_axis="3" coords="4" classes="2" num="2" do_softmax="false" mask="0,1" | x:1,14,2,2 | 1',
    'opset1.RegionYolo anchors="1,2,3,4" axis="1" end_axis="3" coords="4" classes="2" num="2" do_softmax="true" | x:1,14,2,2 | 1',
    'opset6.ExperimentalDetectronPriorGridGenerator flatten="true" h="0" w="0" stride_x="4" stride_y="4" | x:3,4 feature:1,4,2,2 picture:1,3,8,8 | 1',
    'opset6.ExperimentalDetectronTopKROIs max_rois="3" | boxes:6,4 shares:6 | 1',
    # Embeddings
    "opset3.EmbeddingBagOffsetsSum | x:5,2 i32=1,0,4,2 i32=0,2,2 | 1",
    "opset3.EmbeddingBagOffsetsSum | x:5,2 i32=1,0,4,2 i32=0,2,2 i32==3 | 1",
    'opset15.EmbeddingBagOffsets reduction="mean" | x:5,2 i32=1,0,4,2 i32=0,2,2 | 1',
    'opset15.EmbeddingBagPacked reduction="mean" | x:5,2 i32=1,0,4,2@2,2 | 1',
    "opset3.EmbeddingSegmentsSum | x:5,2 i32=1,0,4,2 i32=0,0,2,2 i32==4 i32==3 | 1",
    "opset3.EmbeddingSegmentsSum | x:5,2 i32=1,0,4,2 i32=0,0,2,2 i32==4 | 1",
    *(f'opset16.SegmentMax fill_mode="{fill}" | x:4,3 i64=0,0,2,2 i64==4 | 1' for fill in ("zero", "lowest")),
    "opset16.SparseFillEmptyRows | x:3 i64=4,4 i64=0,1,2,0,2,3@3,2 f32==9 | 3",
    # Windows, resizing
    *(
        f'opset4.Interpolate mode="{mode}" shape_calculation_mode="sizes" coordinate_transformation_mode="{way}" nearest_mode="{near}" | x:1,2,3,4 i64=5,3 f32=1,1 i64=2,3 | 1'
        for mode, way, near in (
            ("nearest", "tf_half_pixel_for_nn", "floor"),
            ("nearest", "asymmetric", "simple"),
            ("linear_onnx", "pytorch_half_pixel", "ceil"),
            ("cubic", "align_corners", "ceil"),
            ("linear", "half_pixel", "ceil"),
        )
    ),
    'opset1.Interpolate mode="linear" axes="2,3" align_corners="true" | x:1,2,3,4 i64=5,6 | 1',
    'opset8.DeformableConvolution strides="1,1" dilations="1,1" pads_begin="0,0" pads_end="0,0" group="1" deformable_group="1" bilinear_interpolation_pad="true" | x:1,2,4,4 o:1,18,2,2 w:3,2,3,3 shares:1,9,2,2 | 1',
    'opset1.ConvolutionBackpropData strides="2,2" dilations="1,1" pads_begin="1,1" pads_end="0,0" output_padding="1,1" | x:1,2,3,3 w:2,3,3,3 | 1',
    "opset2.BatchToSpace | x:4,1,2,2 i64=1,1,2,2 i64=0,0,0,1 i64=0,0,1,0 | 1",
    "opset2.SpaceToBatch | x:1,1,3,3 i64=1,1,2,2 i64=0,0,0,1 i64=0,0,1,0 | 1",
    'opset3.ExtractImagePatches sizes="2,2" strides="2,2" rates="1,1" auto_pad="same_upper" | x:1,2,5,5 | 1',
    # Layers
    *(
        f'opset5.LSTMSequence hidden_size="2" direction="{way}" activations="sigmoid,tanh,relu" clip="0.5" | x:2,3,4 h:2,{n},2 c:2,{n},2 i32=3,2 w:{n},8,4 r:{n},8,2 b:{n},8 | 3'
        for way, n in (("reverse", 1), ("bidirectional", 2))
    ),
    'opset5.RNNSequence hidden_size="2" direction="reverse" activations="tanh" | x:2,3,4 h:2,1,2 i32=3,2 w:1,2,4 r:1,2,2 b:1,2 | 2',
    'opset3.GRUCell hidden_size="2" linear_before_reset="true" | x:2,4 h:2,2 w:6,4 r:6,2 b:8 | 1',
    # Numbers
    *(f'opset5.Round mode="{mode}" | halves:6 | 1' for mode in ("half_to_even", "half_away_from_zero")),
    *(
        f'opset12.ScatterElementsUpdate reduction="{fold}" use_init_val="{own}" | x:4,3 i32=0,1,1,1,1,1@2,3 z:2,3 i64==0 | 1'
        for fold in ("sum", "prod", "min", "max", "mean")
        for own in ("true", "false")
    ),
    'opset15.ScatterNDUpdate reduction="sum" | x:4,3 i32=1,1@2,1 z:2,3 | 1',
    'opset15.SearchSorted right_mode="true" output_type="i32" | sorted:5 x:2,3 | 1',
    *(
        f'opset14.ConvertPromoteTypes promote_unsafe="{unsafe}" {PROMOTED} | x:2,3/{one} z:{shape}/{other} | 2'
        for unsafe, one, other, shape in (
            ("true", "f32", "i32", "2,3"),
            ("false", "i32", "u8", "2,3"),
            ("true", "f16", "f32", "2,3"),
            ("true", "i32", "f32", ""),
        )
    ),
    'opset13.FakeConvert destination_type="f8e4m3" | x:2,3 f32=2 f32=0.1 | 1',
    'opset8.Softmax axis="-1" | x:2,3 | 1',
    "opset1.Tile | x:2,3 i64=2,1 | 1",
    'opset10.IsInf detect_negative="true" detect_positive="false" | gaps:4 | 1',
    'opset15.Col2Im strides="1,1" dilations="1,1" pads_begin="0,0" pads_end="0,0" | x:1,8,4 i64=3,3 i64=2,2 | 1',
    'opset1.Broadcast mode="none" | x:3 i64=3,2 i64=0 | 1',
    'opset1.Add auto_broadcast="pdpd" | x:2,3,4 z:2,3 | 1',
    # Signals
    *(f"opset9.{name} | x:{dims} i64=1 i64=6 | 1" for name, dims in (("RDFT", "2,8"), ("IRDFT", "2,5,2"))),
    "opset7.DFT | x:2,4,2 i64=0,1 | 1",
    "opset7.IDFT | x:2,4,2 i64=-1 i64=-1 | 1",
    'opset15.STFT transpose_frames="true" | x:1,16 w:4 i64==8 i64==3 | 1',
    'opset15.STFT transpose_frames="false" | x:1,16 w:8 i64==8 i64==4 | 1',
    'opset16.ISTFT center="true" normalized="false" | x:1,5,4,2 shares:8 i64==8 i64==4 | 1',
    'opset16.ISTFT center="false" normalized="true" | x:1,5,4,2 shares:8 i64==8 i64==4 i64==16 | 1',
    # Pictures
    "opset8.NV12toRGB | x:1,6,4,1/u8 | 1",
    "opset8.NV12toBGR | x:1,4,4,1/u8 z:1,2,2,2/u8 | 1",
    "opset8.I420toRGB | x:1,6,4,1/u8 | 1",
    "opset8.I420toBGR | x:1,4,4,1/u8 z:1,2,2,1/u8 w:1,2,2,1/u8 | 1",
    # Products
    'opset7.Einsum equation="bij,bjk->bik" | x:2,3,4 z:2,4,2 | 1',
    'opset7.Einsum equation="...ii->...i" | x:2,3,3 | 1',
    'opset14.Inverse adjoint="true" | x:2,2,2 | 1',
]
VALUES = {
    "halves": [0.5, 1.5, -0.5, -1.5, 2.4, -2.6], "gaps": [np.inf, -np.inf, 1, np.nan], "image": [24, 24, 1], "rois": [[0, 0, 0, 3, 3], [0, 1, 1, 4, 4]],
    "parts": [[0, 0, 0, 0.6, 0.6], [0, 0.2, 0.1, 1, 0.9]], "flat": [[2, 2, 0.5, 0.4, 0.3]], "sorted": [-0.8, -0.3, 0.1, 0.4, 0.9],
}  # fmt: skip


def drawn(name: str, shape: list[int], kind: str) -> Any:
    if name in VALUES:
        return np.array(VALUES[name], KINDS[kind])
    count = int(np.prod(shape))
    wave: Any = np.asarray(np.sin(np.arange(1, count + 1) * 1.7 + sum(map(ord, name)))).reshape(shape)
    if name in ("shares", "sure"):
        wave = np.abs(wave)
    if name.startswith("boxes"):  # corners behind each other, in rows of 4, or of 5 with a number before them
        wide = 5 if name == "boxes5" else 4
        rows = np.abs(wave).reshape(-1, wide)
        start = rows[:, wide - 4 : wide - 2] / 2
        rows = np.concatenate([rows[:, : wide - 4], start, start + 0.1 + rows[:, wide - 2 :] / 3], 1)
        wave = (rows * (10 if wide == 5 else 1)).reshape(shape)
    if name == "turned":  # centre, size, angle
        wave = np.concatenate([2 + wave[..., :2], 2 + wave[..., 2:4], wave[..., 4:]], -1)
    if name == "signs":
        wave = np.where(wave > 0, 1.0, 0.0)
    return wave.round(3).astype(KINDS[kind]) if kind.startswith("f") else (wave * 20 + 40).astype(KINDS[kind])


def model(case: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """The model of a case, and its inputs."""
    head, given, count = case.split(" | ")
    key, _, attrs = head.partition(" ")
    layers, feeds = [], {}
    for k, word in enumerate(given.split()):
        name = f"in{k}"
        kind, constant, numbers = word.partition("=")
        if constant:
            numbers, _, shape = numbers.partition("@")
            is_scalar = numbers.startswith("=")
            listed = [float(n) if kind.startswith("f") else int(n) for n in numbers.lstrip("=").split(",")]
            layers.append(tiny.const(name, *listed, shape="" if is_scalar else shape or None, kind=kind))
            continue
        word, _, kind = word.partition("/")
        label, _, dims = word.partition(":")
        array = drawn(label, [int(n) for n in dims.split(",") if n], kind or "f32")
        layers.append(tiny.parameter(name, ",".join(map(str, array.shape)), kind or "f32"))
        feeds[name] = array
    version, _, name = key.partition(".")
    names = [layer.name for layer in layers]
    layers.append(tiny.Layer("y", name, version, dict(re.findall(r'(\w+)="([^"]*)"', attrs)), names, None, int(count)))
    return tiny.write(folder / "model.xml", *layers), feeds


def shown(array: Any) -> list[Any]:
    flat = array.ravel().tolist()
    return [float(f"{number:.6g}") for number in flat] if array.dtype.kind == "f" else flat


def computed(case: str) -> list[list[Any]] | str:
    """What the runtime makes of a case, in a process of its own: some end it."""
    reader, writer = os.pipe()
    if not os.fork():
        import openvino as ov

        said: Any = "the process ended"
        try:
            with tempfile.TemporaryDirectory() as folder:
                path, feeds = model(case, Path(folder))
                core = ov.Core()
                config = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
                compiled = core.compile_model(core.read_model(path), "CPU", config)
                results = compiled({port: feeds[port.get_node().get_friendly_name()] for port in compiled.inputs})
                arrays = [np.array(results[port]) for port in compiled.outputs]
                said = [[array.dtype.name, list(array.shape), shown(array)] for array in arrays]
        except Exception as error:
            said = str(error)[:400]
        os.write(writer, json.dumps(said).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        found: list[list[Any]] | str = json.loads(stream.read() or '"the process ended"')
    return found


def main() -> None:
    found = {case: computed(case) for case in CASES}
    for case, said in found.items():
        if isinstance(said, str):
            print(case, said, sep="\n    ")
    found = {case: said for case, said in found.items() if not isinstance(said, str)}
    rows = (f"{json.dumps(case)}: {json.dumps(results)}" for case, results in found.items())
    GOLDENS.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
