"""What tools make of models of the other groups: onnxslim, onnxsim, onnxoptimizer, float16 converters, onnxruntime's quantizers, fusions and helpers, onnx's own tools."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from oracle.onnx_bases import DRAWN, Builder, draws, exported
from oracle.onnx_bases_runtime import _newer, _optimised

LARGEST = 12_000_000  # bytes of a model that a tool is given
TRIES = 4  # models that a tool may fail with
Way = Callable[[Path, Path, random.Random], None]


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    logging.disable(logging.WARNING)
    groups = [group for group in (*DRAWN, "sklearn") if group != "derived"]
    files = [
        path for path in exported(root, groups) if path.stat().st_size < LARGEST and path.with_suffix(".npz").exists()
    ]
    for name, (count, way) in WAYS.items():
        for number in range(count):
            yield (
                f"{name}-{number}",
                lambda path, way=way, key=f"{name}-{number}": _made(way, files, path, draws(f"derived/{key}")),
            )


def _made(way: Way, files: list[Path], path: Path, rng: random.Random) -> dict[str, Any]:
    last: Exception | None = None
    for base in rng.sample(files, min(TRIES, len(files))):
        try:
            with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing), _elsewhere():
                way(base, path, rng)
        except TimeoutError:
            raise
        except Exception as error:
            last = error
            path.unlink(missing_ok=True)
            continue
        with np.load(base.with_suffix(".npz")) as feeds:
            return dict(feeds)
    raise last or FileNotFoundError("no models to start from")


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """Tools leave files of their own in the current folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _slim(base: Path, path: Path, rng: random.Random) -> None:
    import onnxslim

    way = rng.choice(
        ({}, {}, {"size_threshold": 64}, {"no_shape_infer": True}, {"skip_fusion_patterns": ["FusionGelu"]})
    )
    onnx.save(onnxslim.slim(onnx.load(base), **way), path)


def _sim(base: Path, path: Path, rng: random.Random) -> None:
    import onnxsim

    made, _ = onnxsim.simplify(onnx.load(base), perform_optimization=rng.random() < 0.7, check_n=0)
    onnx.save(made, path)


def _optimizer(base: Path, path: Path, rng: random.Random) -> None:
    import onnxoptimizer

    made = onnxoptimizer.optimize(
        onnx.load(base), onnxoptimizer.get_fuse_and_elimination_passes(), fixed_point=rng.random() < 0.5
    )
    onnx.save(made, path)


def _surgeon(base: Path, path: Path, rng: random.Random) -> None:
    import onnx_graphsurgeon

    graph = onnx_graphsurgeon.import_onnx(onnx.load(base)).cleanup().toposort()
    onnx.save(onnx_graphsurgeon.export_onnx(graph.fold_constants() if rng.random() < 0.5 else graph), path)


def _rewritten(base: Path, path: Path, rng: random.Random) -> None:
    from onnxscript import optimizer, version_converter

    model = onnx.load(base)
    made = (
        optimizer.optimize(model)
        if rng.random() < 0.6
        else version_converter.convert_version(model, rng.choice((20, 21, 22, 23)), fallback=False)
    )
    onnx.save(made, path)


def _half_common(base: Path, path: Path, rng: random.Random) -> None:
    from onnxconverter_common import float16

    blocked = rng.choice((None, None, ["Softmax", "LayerNormalization", *float16.DEFAULT_OP_BLOCK_LIST]))
    onnx.save(
        float16.convert_float_to_float16(onnx.load(base), keep_io_types=rng.random() < 0.6, op_block_list=blocked), path
    )


def _half_runtime(base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.transformers import float16

    onnx.save(
        float16.convert_float_to_float16(
            onnx.load(base), keep_io_types=rng.random() < 0.6, force_fp16_initializers=rng.random() < 0.3
        ),
        path,
    )


def _dynamic(base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        base,
        path,
        per_channel=rng.random() < 0.5,
        reduce_range=rng.random() < 0.3,
        weight_type=rng.choice((QuantType.QInt8, QuantType.QUInt8)),
    )


class Reader:
    """Calibration with the inputs of the base."""

    def __init__(self, base: Path) -> None:
        with np.load(base.with_suffix(".npz")) as feeds:
            self.left = [dict(feeds)]

    def get_next(self) -> Any:
        return self.left.pop() if self.left else None

    def set_range(self, start_index: int, end_index: int) -> None: ...


def _static(form: str, base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    file = base
    if rng.random() < 0.5:
        file = path.with_suffix(".before")
        quant_pre_process(str(base), str(file), skip_symbolic_shape=rng.random() < 0.5)
    kinds = (
        (QuantType.QInt8, QuantType.QUInt8)
        if form == "QOperator"
        else (QuantType.QInt8, QuantType.QUInt8, QuantType.QInt16, QuantType.QUInt16)
    )
    extra = {
        "ActivationSymmetric": rng.random() < 0.4,
        "WeightSymmetric": rng.random() < 0.7,
        "DedicatedQDQPair": rng.random() < 0.3,
        "QuantizeBias": rng.random() < 0.8,
    }
    try:
        quantize_static(
            file, path, Reader(base), quant_format=QuantFormat[form], per_channel=rng.random() < 0.6, activation_type=rng.choice(kinds), weight_type=rng.choice((QuantType.QInt8, QuantType.QInt8, QuantType.QUInt8)),
            extra_options=extra,
        )  # fmt: skip
    finally:
        path.with_suffix(".before").unlink(missing_ok=True)


def _narrow(base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.quantization import QuantFormat
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    config = DefaultWeightOnlyQuantConfig(
        block_size=rng.choice((16, 32, 64)), is_symmetric=rng.random() < 0.5, accuracy_level=rng.choice((None, 4)), quant_format=rng.choice((QuantFormat.QOperator, QuantFormat.QDQ)), bits=rng.choice((4, 4, 8)),
        op_types_to_quantize=rng.choice((("MatMul",), ("MatMul", "Gather"))),
    )  # fmt: skip
    quantizer = MatMulNBitsQuantizer(onnx.load(base), algo_config=config)
    quantizer.process()
    before, after = (
        Counter(node.op_type for node in one.graph.node) for one in (onnx.load(base), quantizer.model.model)
    )
    if before == after:
        raise ValueError("nothing to quantise")
    quantizer.model.save_model_to_file(str(path), use_external_data_format=rng.random() < 0.1)


def _fused(base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.transformers import optimizer

    kind = rng.choice(("bert", "gpt2", "vit", "clip", "unet", "vae", "bart", "t5", "phi", "conformer", "mmdit", "swin"))
    made = optimizer.optimize_model(
        str(base),
        model_type=kind,
        num_heads=rng.choice((0, 4)),
        hidden_size=0,
        opt_level=rng.choice((0, 0, 1)),
        use_gpu=False,
    )
    if rng.random() < 0.3:
        made.convert_float_to_float16(keep_io_types=True)
    made.save_model_to_file(str(path))


def _inferred(base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    onnx.save(SymbolicShapeInference.infer_shapes(onnx.load(base), auto_merge=True), path)


def _fixed(base: Path, path: Path, rng: random.Random) -> None:
    from onnxruntime.tools.onnx_model_utils import fix_output_shapes, make_dim_param_fixed

    model = onnx.load(base)
    names = {dim.dim_param for value in model.graph.input for dim in value.type.tensor_type.shape.dim if dim.dim_param}
    if not names:
        raise ValueError("no open dimension")
    with np.load(base.with_suffix(".npz")) as feeds:
        sizes = dict(feeds)
    for value in model.graph.input:
        for place, dim in enumerate(value.type.tensor_type.shape.dim):
            if dim.dim_param in names and value.name in sizes:
                make_dim_param_fixed(model.graph, dim.dim_param, sizes[value.name].shape[place])
    fix_output_shapes(model)
    onnx.save(model, path)


def _outside(base: Path, path: Path, rng: random.Random) -> None:
    onnx.save(
        onnx.load(base),
        path,
        save_as_external_data=True,
        all_tensors_to_one_file=rng.random() < 0.8,
        location=f"{path.stem}.data",
        size_threshold=rng.choice((0, 1024)),
        convert_attribute=rng.random() < 0.3,
    )


def _annotated(base: Path, path: Path, rng: random.Random) -> None:
    onnx.save(onnx.shape_inference.infer_shapes(onnx.load(base), data_prop=rng.random() < 0.5), path)


def _inlined(base: Path, path: Path, rng: random.Random) -> None:
    model = onnx.load(base)
    onnx.save(
        onnx.inliner.inline_local_functions(model) if rng.random() < 0.3 else onnx.compose.add_prefix(model, "first/"),
        path,
    )


def _merged(base: Path, path: Path, rng: random.Random) -> None:
    """An image's bytes scaled in front of the network, as deployments do."""
    model = onnx.load(base)
    first = next(
        value
        for value in model.graph.input
        if len(value.type.tensor_type.shape.dim) == 4 and value.type.tensor_type.elem_type == 1
    )
    text = f"""<ir_version: {model.ir_version}, opset_import: ["" : {model.opset_import[0].version}]>
        scaling (float[A,B,C,D] raw) => (float[A,B,C,D] scaled) <float by = {{0.5}}> {{ scaled = Mul (raw, by) }}"""
    before = onnx.parser.parse_model(text)
    onnx.save(onnx.compose.merge_models(before, model, [("scaled", first.name)]), path)


WAYS: dict[str, tuple[int, Way]] = {
    "slim": (16, _slim), "sim": (12, _sim), "optimizer": (8, _optimizer), "rewritten": (8, _rewritten), "half-common": (10, _half_common), "half-runtime": (10, _half_runtime), "dynamic": (12, _dynamic),
    "qdq": (16, functools.partial(_static, "QDQ")), "qoperator": (8, functools.partial(_static, "QOperator")), "narrow": (12, _narrow), "fused": (16, _fused), "inferred": (6, _inferred), "fixed": (6, _fixed), "outside": (4, _outside),
    "annotated": (5, _annotated), "inlined": (4, _inlined), "merged": (4, _merged), "newer": (6, lambda base, path, rng: _newer(base, path)), "basic": (6, lambda base, path, rng: _optimised("BASIC", base, path)),
    "extended": (8, lambda base, path, rng: _optimised("EXTENDED", base, path)), "layout": (5, lambda base, path, rng: _optimised("ALL", base, path)),
}  # fmt: skip
