"""How LightNet's operators map to the dry run; which tensors a run is given, and which it gives."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.infer import Inference, NodeShapeError, OwnTypes
from irlint.dryrun.mapping import Call, Feed
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.lightnet.reading.c_values import RANGES
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.shapes.base import KnownTensor as LightNetTensor
from irlint.formats.lightnet.shapes.infer import FoundFailure, LightNetInference, PreparedOperator, Types
from irlint.formats.lightnet.shapes.windows import Window
from irlint.graph import NOWHERE, Graph, Node, Source, Type
from irlint.rules.base import Model

Values = dict[str, Any]
Make = Callable[[Values], Call]


def _dtype(word: str | None) -> str | None:
    if word is None:
        raise Undecided
    return {"TL_DOUBLE": "float64", "TL_FLOAT": "float32", "TL_BOOL": "bool"}.get(word, word[3:].lower())


def _plain(word: str, *names: str, **fixed: Any) -> Make:
    """An operator of the dry run with these parameters by their own names."""
    return lambda values: Call(operator(word), {**{name: values[name] for name in names}, **fixed})


def _elementwise(values: Values) -> Call:
    words = {
        "TL_MUL": "Multiply", "TL_DIV": "Divide", "TL_SUM": "Add", "TL_SUB": "Subtract", "TL_MAX": "Maximum",
        "TL_MIN": "Minimum", "TL_POW": "Power",
    }  # fmt: skip
    word = words[values["elew_op"]]
    given: Values = {"auto_broadcast": "none", "as_number": True}
    return Call(operator(f"elementwise.{word}"), given | ({"m_pythondiv": False} if word == "Divide" else {}))


def _convolution(values: Values) -> Call:
    top, left, bottom, right = values["padding"]
    given = {
        "strides": tuple(values["stride"]), "dilations": tuple(values["dilation"]), "pads_begin": (top, left),
        "pads_end": (bottom, right), "groups": values["group"], "auto_pad": _AUTO.get(values["autopad"], "explicit"),
    }  # fmt: skip
    return Call(operator("biased.ConvolutionBias"), {**given, "kernel": tuple(values["size"])})


_AUTO = {"SAME_UPPER": "same_upper", "SAME_LOWER": "same_lower", "VALID": "valid"}


def _deconvolution(values: Values) -> Call:
    if values["autopad"] in ("SAME_UPPER", "SAME_LOWER"):
        raise Undecided
    top, left, bottom, right = values["padding"] if values["autopad"] != "VALID" else (0, 0, 0, 0)
    given = {
        "strides": tuple(values["stride"]), "dilations": tuple(values["dilation"]), "pads_begin": (top, left),
        "pads_end": (bottom, right), "output_padding": tuple(values["output_padding"]), "groups": values["group"],
        "kernel": tuple(values["size"]),
    }  # fmt: skip
    return Call(operator("biased.DeconvolutionBias"), given)


def _pooling(word: str) -> Make:
    def make(values: Values) -> Call:
        size, stride, padding, autopad = (values[name] for name in ("size", "stride", "padding", "autopad"))
        window = Window(size, stride, (1, 1), padding, autopad).padded(values["taken"][:2])
        top, left, bottom, right = window.padding
        given = {
            "kernel": tuple(size), "strides": tuple(stride), "pads_begin": (top, left), "pads_end": (bottom, right),
            "auto_pad": "explicit", "rounding_type": "floor",
        }  # fmt: skip
        return Call(operator(f"pooling.{word}"), given | ({"exclude_pad": True} if word == "AvgPool" else {}))

    return make


def _slice(values: Values) -> Call:
    given = {"axis": values["axis"], "begin": values["start"], "end": values["start"] + values["len"]}
    return Call(operator("cropping.SliceAxis"), given)


def _full(values: Values) -> Call:
    return Call(operator("vectors.Literal"), {"dims": tuple(values["dims"]), "dtype": _dtype(values["dtype"])})


def _range(values: Values) -> Call:
    given = {name: values[name] for name in ("start", "stop", "step")}
    return Call(operator("creation.Arange"), {**given, "dtype": _dtype(values["dtype"])})


def _resized(values: Values) -> Call:
    given = {"lengths": tuple(values["made"]), "linear": values["mode"] != "TL_NEAREST"}
    return Call(operator("vectors.NearestResize"), given)


def _ascending(values: Values) -> bool:
    return bool(values["dir"] == "TL_SORT_DIR_ASCENDING")


def _submean(values: Values) -> Call:
    return Call(operator("vectors.SubtractMean"), {"mean": values["mean"], "dtype": _dtype(values["dtype"])})


_BOX = ("width", "height", "img_width", "img_height", "x_shift", "y_shift")
CALLS: dict[str, Make] = {
    "slice": _slice,
    "reshape": lambda values: Call(operator("layout.ReshapeCodes"), {"shape": tuple(values["dims"])}),
    "transpose": lambda values: Call(operator("layout.Permute"), {"axes": tuple(values["axes"])}),
    "maxreduce": lambda values: Call(
        operator("reduction.ReduceAxes"), {"axis": (values["axis"],), "keepdims": True, "fold": "max"}
    ),
    "maxreduce_arg": _plain("vectors.MaxWithArgmax", "axis"),
    "elew": _elementwise,
    "zeros": _full,
    "arange": _range,
    "rearange": _plain("vectors.Renumbered", "start", "stop", "step"),
    "conv2d": _convolution,
    "deconv2d": _deconvolution,
    "maxpool2d": _pooling("MaxPool"),
    "avgpool2d": _pooling("AvgPool"),
    "relu": _plain("unary.Formula", function="relu"),
    "sigmoid": _plain("unary.Formula", function="sigmoid"),
    "lrelu": lambda values: Call(operator("vectors.LeakyRelu"), {"slope": values["negslope"]}),
    "softmax": _plain("softmax.SoftmaxAxis", "axis"),
    "concat": _plain("joining.Concat", "axis"),
    "batchnorm": lambda values: Call(operator("channel_norm.BatchNormAxis"), {"eps": values["epsilon"], "axis": 1}),
    "upsample": _resized,
    "resize": _resized,
    "sort1d": lambda values: Call(operator("indexing.Sort"), {"axis": 0, "is_ascend": _ascending(values)}),
    "sort1d_by_key": lambda values: Call(operator("vectors.SortByKey"), {"ascending": _ascending(values)}),
    "pick1d": lambda values: Call(operator("vectors.PickBlocks"), {"count": values["len"], "stride": values["stride"]}),
    "dot_product": _plain("vectors.InnerProduct"),
    "transform_bboxSQD": _plain("vectors.BoxesFromDeltas", *_BOX),
    "detect_yolov3": _plain("vectors.YoloBoxes", "img_width", "img_height"),
    "gather": _plain("joining.Stack", axis=0),
    "submean": _submean,
    "forward": _plain("unary.Identity"),
    "svmr": _plain("unary.Identity"),
    "ldmr": _plain("vectors.PadRows", of=8),
    "print": _plain("vectors.Print"),
    "fprint": _plain("vectors.Print"),
}  # fmt: skip


_BY_TYPES = ("maxpool2d", "avgpool2d", "resize", "upsample")


def _name(ready: PreparedOperator) -> str:
    """The word of source files."""
    return ready.signature.operator.name.removesuffix(f"_{ready.signature.architecture}")


def _tensor(own: LightNetTensor) -> Tensor:
    return Tensor(own.dtype and _dtype(own.dtype), None if own.dims is None else tuple(own.dims))


def _mistake(graph: Graph, found: FoundFailure) -> NodeShapeError:
    fault = found.fault
    return NodeShapeError(graph, found.node, ShapeError(fault.rule, fault.message, fault.part), fault.part, ())


class LightNetMapping(OwnTypes):
    """Operators as LightNet's own inference prepared them, and the types that it infers. `path` is that of a weight file."""

    blind = True  # LightNet's own inference has judged the shapes

    def __init__(self, prepared: Sequence[PreparedOperator], path: Path | None = None) -> None:
        self._listed = prepared
        self.path = path
        self._own: Types | None = None

    def inferred(self, graph: Graph, given: dict[int, Tensor]) -> Inference:
        words = {_dtype(word): word for word in RANGES}
        overrides = {
            ("output", index, 0): LightNetTensor(words.get(tensor.dtype), tensor.shape)
            for index, tensor in given.items()
        }
        own = LightNetInference(graph, self._listed, overrides)
        self._own = own.types
        found = Inference(graph)
        found.types[id(graph)] = [tuple([_tensor(made[k]) for k in range(len(made))]) for made in own.types[:-1]]
        found.mistakes[id(graph)] = [_mistake(graph, failed) for failed in own.failures]
        for node in graph.nodes:
            ready = self.prepared.get(node.index)
            if ready is None or _name(ready) not in (*CALLS, "create", "scatter"):
                found.unknown[node.op] = found.unknown.get(node.op, 0) + 1
        return found

    def _types(self, graph: Graph) -> Types:
        """The types as LightNet calls them."""
        if self._own is None:
            self.inferred(graph, {})
        assert self._own is not None
        return self._own

    @cached_property
    def prepared(self) -> dict[int, PreparedOperator]:
        """By the index of the node."""
        return {ready.node.index: ready for ready in self._listed}

    @cached_property
    def weights(self) -> dict[str, Any]:
        """Tensors that come from a file, in the shape of the `create` that makes them."""
        if self.path is None:
            return {}
        from irlint.dryrun.feeds import BadInput
        from irlint.files.read import Unreadable, read
        from irlint.formats.lightnet.reading.weight_file import tensors

        shapes = {
            ready.node.outputs[0].name or "": (_dtype(ready.values[0]), tuple(ready.values[1]))
            for ready in self.prepared.values()
            if ready.signature.operator.name.partition("_")[0] == "create" and None not in ready.values[:2]
        }
        try:
            return tensors(read(str(self.path)), shapes)
        except (Unreadable, ValueError) as error:
            raise BadInput(f"{self.path}: {error}") from error

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        return (Tensor(),)

    def array(self, node: Node) -> Any:
        """Return what a `create` is given, from the model itself or from its file of weights."""
        ready = self.prepared.get(node.index)
        if ready is None or _name(ready) != "create" or len(ready.values) != 5:
            raise LookupError(node.name)
        dtype, dims, bounds, data, from_file = ready.values
        if from_file:
            return self.weights[node.outputs[0].name or ""]
        if not dims or any(bounds or ()) or dtype is None or len(data or ()) != math.prod(dims):
            raise LookupError(node.name)  # broken, zeros, or drawn at random in every run
        return operator("vectors.Literal").run(dims=tuple(dims), dtype=_dtype(dtype), data=data)

    def contextual(self, node: Node) -> bool:
        return True  # names of arguments and of tensors matter

    def call(self, graph: Graph, node: Node) -> Call | None:
        ready = self.prepared.get(node.index)
        if ready is None:
            return None
        name = _name(ready)
        values = dict(zip((a.name for a in ready.signature.params), ready.values, strict=False))
        if name in _BY_TYPES:
            source, output = node.inputs[ready.inputs[0] if ready.inputs else 0]
            types = self._types(graph)
            values |= {"taken": types[source][output].dims, "made": types[node.index][0].dims}
        if any(value is None for value in values.values()):
            raise Undecided
        if name == "create":
            return self._created(node, values)
        if name == "scatter":
            count = len(ready.outputs or ())
            call = Call(operator("splitting.SplitEqual"), {"num_outputs": count, "axis": 0, "squeeze_axis": True})
        else:
            make = CALLS.get(name)
            if make is None:
                return None
            call = make(values)
        call.inputs = None if ready.inputs is None else [k if k >= 0 else None for k in ready.inputs]
        if ready.outputs is not None and sorted(ready.outputs) == list(range(len(node.outputs))):
            call.pick = [ready.outputs.index(k) for k in range(len(node.outputs))]
        return call

    def _created(self, node: Node, values: Values) -> Call:
        dims = tuple(values["dims"])
        given = {"dims": dims, "dtype": _dtype(values["dtype"]), "data": values["data"], "bounds": values["ran"]}
        if values["from_file"]:
            given["array"] = self.weights.get(node.outputs[0].name or "")
        return Call(operator("vectors.Literal"), {**given, "seed": zlib.crc32(node.name.encode("utf-8", "replace"))})

    def feeds(self, graph: Graph) -> list[Feed]:
        """Tensors that a file brings: those that it does not are drawn, and may be given."""
        return [feed for feed, from_file in self._created_tensors() if from_file and feed.names[0] not in self.weights]

    def replaceable(self, graph: Graph) -> list[Feed]:
        return [feed for feed, from_file in self._created_tensors() if not from_file or feed.names[0] in self.weights]

    def _created_tensors(self) -> Iterator[tuple[Feed, bool]]:
        """Yield what each `create` makes, and whether a file brings its values."""
        for index, ready in self.prepared.items():
            if _name(ready) != "create" or len(ready.values) != 5:
                continue
            dtype, dims, _, _, from_file = ready.values
            name = ready.node.outputs[0].name if ready.node.outputs else None
            if dims is not None and name is not None:
                yield Feed(index, (name, ready.node.name), Type(_dtype(dtype), tuple(dims)), False, True), from_file

    def outputs(self, graph: Graph) -> list[Source]:
        """What is printed, then what nobody reads."""
        printed: dict[Source, None] = {}
        read: set[tuple[int, int]] = set()
        for node in graph.nodes:
            read.update((source[0], source[1]) for source in node.inputs)
            if not node.outputs:
                printed.update(dict.fromkeys(source for source in node.inputs if source is not NOWHERE))
        unread = [
            Source(node.index, k)
            for node in graph.nodes
            for k in range(len(node.outputs))
            if (node.index, k) not in read
        ]
        return [*printed, *unread]

    def output_names(self, graph: Graph) -> list[str]:
        return [graph.nodes[index].outputs[k].name or f"output{k}" for index, k in self.outputs(graph)]


def mapping_of(model: Model) -> LightNetMapping | None:
    """The mapping of a model that has been read and checked."""
    state = state_of(model)
    if state.written is None:
        return None
    return LightNetMapping(state.prepared, model.weights)
