"""How LightNet's operators map to the dry run; which tensors a run is given, and which it gives."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from irlint.dryrun.entries import Entry, Of, Spec, Values, own, plain
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.infer import Inference, NodeShapeError, OwnTypes
from irlint.dryrun.mapping import Call, Feed
from irlint.dryrun.tensor import Tensor
from irlint.formats.lightnet.reading.c_values import RANGES, numpy_dtype
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.shapes.base import UNKNOWN, KnownTensor, PreparedOperator
from irlint.formats.lightnet.shapes.infer import FoundFailure, LightNetInference, Types
from irlint.formats.lightnet.shapes.windows import SAME, SlidingWindow
from irlint.graph import NOWHERE, Graph, Node, Source, Type
from irlint.rules.base import Model

# What the table below says of attributes; the values of a node are its parameters, `taken` and `made` (the shapes of its first input
# and output), `count` (of outputs), and what a `create` has besides

_DTYPE: dict[str, Spec] = {"dtype": Of("dtype", numpy_dtype)}


def _known(dims: Any) -> Any:
    if dims is None:
        raise Undecided
    return dims


def _transposed_padding(v: Values) -> Sequence[int]:
    if v["autopad"] in SAME:
        raise Undecided
    return (0, 0, 0, 0) if v["autopad"] == "VALID" else v["padding"]


def _pool_padding(v: Values) -> Sequence[int]:
    window = SlidingWindow(v["size"], v["stride"], (1, 1), v["padding"], v["autopad"])
    return window.padded(_known(v["taken"])[:2]).padding


def _pads(padding: Callable[[Values], Sequence[int]]) -> dict[str, Spec]:
    return {"pads_begin": lambda v: tuple(padding(v)[:2]), "pads_end": lambda v: tuple(padding(v)[2:])}


_ELEMENTWISE = {
    "TL_MUL": "Multiply", "TL_DIV": "Divide", "TL_SUM": "Add", "TL_SUB": "Subtract", "TL_MAX": "Maximum",
    "TL_MIN": "Minimum", "TL_POW": "Power",
}  # fmt: skip
_AUTO = {"SAME_UPPER": "same_upper", "SAME_LOWER": "same_lower", "VALID": "valid"}
_FILTER: dict[str, Spec] = {
    "strides": Of("stride", tuple), "dilations": Of("dilation", tuple), "kernel": Of("size", tuple), "groups": "group",
}  # fmt: skip
_POOL: dict[str, Spec] = {
    "strides": Of("stride", tuple), "kernel": Of("size", tuple), **_pads(_pool_padding),
}  # fmt: skip
_POOLED = {"auto_pad": "explicit", "rounding_type": "floor"}


def _vectors(kernel: str, *labels: str, **fixed: Any) -> Entry:
    """Return an operator of kernels/vectors.py, with attributes by their own names."""
    return plain("shared/signed.ByKernel", *labels, kernel=f"vectors.{kernel}", **fixed)


_RESIZE = _vectors("nearest_resize").having(
    {"lengths": Of("made", lambda dims: tuple(_known(dims))), "linear": Of("mode", lambda word: word != "TL_NEAREST")}
)
_BOX = ("width", "height", "img_width", "img_height", "x_shift", "y_shift")
_LITERAL = _vectors("literal").having({"dims": Of("dims", tuple), **_DTYPE})
_ASCENDING = Of("dir", lambda word: word == "TL_SORT_DIR_ASCENDING")

CALLS = {
    "slice": Entry(
        "mxnet/cropping.SliceAxis", {"axis": "axis", "begin": "start", "end": lambda v: v["start"] + v["len"]}
    ),
    "reshape": Entry("mxnet/layout.ReshapeCodes", {"shape": Of("dims", tuple)}),
    "transpose": Entry("mxnet/layout.Permute", {"axes": Of("axes", tuple)}),
    "maxreduce": Entry("shared/reduction.ReduceAxes", {"axis": ("axis",)}, fixed={"keepdims": True, "fold": "max"}),
    "maxreduce_arg": _vectors("max_with_argmax", "axis"),
    "elew": Entry(
        lambda v: f"shared/elementwise.{_ELEMENTWISE[v['elew_op']]}",
        fixed={"auto_broadcast": "none", "as_number": True, "m_pythondiv": False},
    ),
    "zeros": _LITERAL,
    "create": _LITERAL.having({**own("data", "seed", "array"), "bounds": "ran"}),
    "arange": plain("moving/creation.Arange", "start", "stop", "step").having(_DTYPE),
    "rearange": _vectors("renumbered", "start", "stop", "step"),
    "conv2d": Entry(
        "mxnet/biased.ConvolutionBias",
        {**_FILTER, **_pads(lambda v: v["padding"]), "auto_pad": Of("autopad", lambda way: _AUTO.get(way, "explicit"))},
    ),
    "deconv2d": Entry(
        "mxnet/biased.DeconvolutionBias",
        {**_FILTER, **_pads(_transposed_padding), "output_padding": Of("output_padding", tuple)},
    ),
    "maxpool2d": Entry("shared/pooling.MaxPool", _POOL, fixed=_POOLED),
    "avgpool2d": Entry("shared/pooling.AvgPool", _POOL, fixed={**_POOLED, "exclude_pad": True}),
    "relu": plain("shared/unary.Formula", function="relu"),
    "sigmoid": plain("shared/unary.Formula", function="sigmoid"),
    "lrelu": _vectors("leaky_relu").having({"slope": "negslope"}),
    "softmax": plain("shared/reduction.SoftmaxWithin", "axis"),
    "concat": plain("moving/joining.Concat", "axis"),
    "batchnorm": Entry("mxnet/channel_norm.BatchNormAxis", {"eps": "epsilon"}, fixed={"axis": 1}),
    "upsample": _RESIZE,
    "resize": _RESIZE,
    "sort1d": Entry("mxnet/indexing.Sort", {"is_ascend": _ASCENDING}, fixed={"axis": 0}),
    "sort1d_by_key": _vectors("sort_by_key").having({"ascending": _ASCENDING}),
    "pick1d": _vectors("pick_blocks").having({"count": "len", "stride": "stride"}),
    "dot_product": _vectors("inner_product"),
    "transform_bboxSQD": _vectors("boxes_from_deltas", *_BOX),
    "detect_yolov3": _vectors("yolo_boxes", "img_width", "img_height"),
    "gather": plain("moving/joining.Stack", axis=0),
    "scatter": Entry("moving/splitting.SplitEqual", {"num_outputs": "count"}, fixed={"axis": 0, "squeeze_axis": True}),
    "submean": _vectors("subtract_mean", "mean").having(_DTYPE),
    "forward": plain("shared/unary.Identity"),
    "svmr": plain("shared/unary.Identity"),
    "ldmr": _vectors("pad_rows", of=8),
    "print": _vectors("nothing"),
    "fprint": _vectors("nothing"),
}


def _name(ready: PreparedOperator) -> str:
    """Return the word of source files."""
    return ready.signature.operator.name.removesuffix(f"_{ready.signature.architecture}")


def _mistake(graph: Graph, found: FoundFailure) -> NodeShapeError:
    fault = found.fault
    return NodeShapeError(graph, found.node, ShapeError(fault.rule, fault.message, fault.part), fault.part, ())


class LightNetMapping(OwnTypes):
    """Operators as LightNet's own inference prepared them, and the types that it infers. `path` is that of a weight file."""

    blind = True  # LightNet's own inference has judged the shapes

    def __init__(self, prepared: Sequence[PreparedOperator], path: Path | None = None) -> None:
        self._listed = prepared
        self.path = path
        self._own: Types = []

    def inferred(self, graph: Graph, given: dict[int, Tensor]) -> Inference:
        words = {numpy_dtype(word): word for word in RANGES}
        given_types = {index: KnownTensor(words.get(tensor.dtype), tensor.shape) for index, tensor in given.items()}
        overrides = {("output", index, 0): tensor for index, tensor in given_types.items()}
        own = LightNetInference(graph, self._listed, overrides)
        self._own = own.types
        found = Inference(graph)
        found.types[id(graph)] = [tuple([Tensor(*made[k].type) for k in range(len(made))]) for made in own.types[:-1]]
        found.mistakes[id(graph)] = [_mistake(graph, failed) for failed in own.failures]
        for node in graph.nodes:
            ready = self.prepared.get(node.index)
            if ready is None or _name(ready) not in CALLS:
                found.unknown[node.op] = found.unknown.get(node.op, 0) + 1
        return found

    def _types(self, graph: Graph) -> Types:
        """Return the types as LightNet calls them."""
        if not self._own:
            self.inferred(graph, {})
        return self._own

    @cached_property
    def prepared(self) -> dict[int, PreparedOperator]:
        """By the index of the node."""
        return {ready.node.index: ready for ready in self._listed}

    @cached_property
    def _creates(self) -> dict[int, PreparedOperator]:
        return {index: ready for index, ready in self.prepared.items() if _name(ready) == "create"}

    @cached_property
    def weights(self) -> dict[str, Any]:
        """Tensors that come from a file, in the shape of the `create` that makes them."""
        if self.path is None:
            return {}
        from irlint.dryrun.running.feeds import BadInput
        from irlint.files.read import Unreadable, read
        from irlint.formats.lightnet.reading.weight_file import tensors

        shapes = {
            ready.node.outputs[0].name or "": (numpy_dtype(ready.values[0]), tuple(ready.values[1]))
            for ready in self._creates.values()
            if None not in ready.values[:2]
        }
        try:
            return tensors(read(str(self.path)), shapes)
        except (Unreadable, ValueError) as error:
            raise BadInput(f"{self.path}: {error}") from error

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        return (Tensor(),)

    def array(self, node: Node) -> Any:
        """Return what a `create` is given, from the model itself or from its file of weights."""
        if node.index not in self._creates:
            raise LookupError(node.name)
        dtype, dims, bounds, data, from_file = self._creates[node.index].values
        if from_file:
            return self.weights[node.outputs[0].name or ""]
        if not dims or any(bounds or ()) or dtype is None or len(data or ()) != math.prod(dims):
            raise LookupError(node.name)  # broken, zeros, or drawn at random in every run
        from irlint.dryrun.kernels.vectors import literal

        return literal(dims=tuple(dims), dtype=str(numpy_dtype(dtype)), data=data)

    def contextual(self, node: Node) -> bool:
        return True  # names of arguments and of tensors matter

    def call(self, graph: Graph, node: Node) -> Call | None:
        ready = self.prepared.get(node.index)
        entry = None if ready is None else CALLS.get(_name(ready))
        if ready is None or entry is None:
            return None
        call = entry.call(self._values(graph, ready))
        call.inputs = None if ready.inputs is None else [k if k >= 0 else None for k in ready.inputs]
        if ready.outputs is not None and sorted(ready.outputs) == list(range(len(node.outputs))):
            call.pick = [ready.outputs.index(k) for k in range(len(node.outputs))]
        return call

    def _values(self, graph: Graph, ready: PreparedOperator) -> Values:
        """Return what the table of entries speaks of."""
        node, types = ready.node, self._types(graph)
        values = {attribute.name: value for attribute, value in zip(ready.signature.params, ready.values, strict=False)}
        if None in values.values():
            raise Undecided
        source = Source(*node.inputs[ready.position(0)]) if node.inputs else NOWHERE
        values |= {"taken": types[source.node][source.output].dims, "count": len(ready.outputs or ())}
        values |= {"made": next(iter(types[node.index]), UNKNOWN).dims}
        if node.index in self._creates:
            array = self.weights.get(node.outputs[0].name or "") if values["from_file"] else None
            values |= {"array": array, "seed": zlib.crc32(node.name.encode("utf-8", "replace"))}
        return values

    def feeds(self, graph: Graph) -> list[Feed]:
        """Tensors that a file brings: those that it does not are drawn, and may be given."""
        return [feed for feed, is_lacking in self._created() if is_lacking]

    def replaceable(self, graph: Graph) -> list[Feed]:
        return [feed for feed, is_lacking in self._created() if not is_lacking]

    def _created(self) -> Iterator[tuple[Feed, bool]]:
        """Yield what each `create` makes, and whether its values are in a file that is not there."""
        for index, ready in self._creates.items():
            dtype, dims, _, _, from_file = ready.values
            name = ready.node.outputs[0].name if ready.node.outputs else None
            if dims is not None and name is not None:
                feed = Feed(index, (name, ready.node.name), Type(numpy_dtype(dtype), tuple(dims)), False, True)
                yield feed, from_file and name not in self.weights

    def outputs(self, graph: Graph) -> list[Source]:
        """What is printed, then what nobody reads."""
        read = {source for node in graph.nodes for source in node.inputs}
        printed = [Source(*source) for node in graph.nodes if not node.outputs for source in node.inputs]
        made = [Source(node.index, k) for node in graph.nodes for k in range(len(node.outputs))]
        found = dict.fromkeys((*printed, *(source for source in made if source not in read)))
        found.pop(NOWHERE, None)
        return list(found)

    def output_names(self, graph: Graph) -> list[str]:
        return [graph.nodes[index].outputs[k].name or f"output{k}" for index, k in self.outputs(graph)]


def mapping_of(model: Model) -> LightNetMapping:
    """The mapping of a model that has been read and checked."""
    return LightNetMapping(state_of(model).prepared, model.weights)
