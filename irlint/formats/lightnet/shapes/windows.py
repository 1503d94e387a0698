"""Operators on [N, C, H, W]: convolutions, pooling, detection."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from irlint.formats.lightnet.reading.c_values import INT_MAX, quotient, wrapped
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import Dims, KnownTensor, Param, ShapeCall, ShapeFunction, attr, shown
from irlint.records import NamedTuple

SAME = ("SAME_UPPER", "SAME_LOWER")

_AXES = (0, 1)  # height and width
_PADDING = attr("padding")


class SlidingWindow(NamedTuple):
    """A window that slides over height and width. `padding` is [top, left, bottom, right]."""

    size: Sequence[int]
    stride: Sequence[int]
    dilation: Sequence[int]
    padding: Sequence[int]
    autopad: str

    def reach(self, axis: int) -> int:
        """Return how many elements the dilated window covers."""
        return wrapped(wrapped((self.size[axis] - 1) * self.dilation[axis]) + 1)

    def padded(self, sizes: Sequence[int]) -> SlidingWindow:
        """Return the window with the padding that LightNet goes by."""
        if self.autopad == "VALID":
            return self._replace(padding=[0, 0, 0, 0])
        if self.autopad not in SAME:
            return self
        # so that every stride gives an output
        starts = [(ceil(sizes[k] / self.stride[k]) - 1) * self.stride[k] for k in _AXES]
        return self._replace(
            padding=_split([wrapped(starts[k] + self.reach(k) - sizes[k]) for k in _AXES], self.autopad)
        )

    def outputs(self, sizes: Sequence[int]) -> list[int]:
        """Return how often the window fits, on both axes."""
        padded = [wrapped(sizes[k] + wrapped(self.padding[k] + self.padding[k + 2])) for k in _AXES]
        return [quotient(wrapped(padded[k] - self.reach(k)), self.stride[k]) + 1 for k in _AXES]


def _split(totals: Sequence[int], autopad: str) -> list[int]:
    """Return padding of these sums on both axes; the odd one goes behind for SAME_UPPER, before for SAME_LOWER."""
    halves = [quotient(total, 2) for total in totals]
    rests = [total - half for total, half in zip(totals, halves, strict=True)]
    return [*halves, *rests] if autopad == "SAME_UPPER" else [*rests, *halves]


def _slid(call: ShapeCall, padded: Sequence[int], window: SlidingWindow) -> list[int]:
    """Return how often a window fits into the first input; report what LightNet refuses. `padded`: for which sizes it pads."""
    window = window.padded(padded)
    if window.autopad in SAME and min(window.padding) < 0:
        message = (
            f"`autopad` `{window.autopad}` results in negative padding {window.padding} "
            f"(`size` {window.size}, `stride` {window.stride}); LightNet refuses to compile it"
        )
        call.report(R.value_out_of_range, "attr:autopad", message, attr("autopad", "VALID"))
    sizes = window.outputs(call.inputs[0].dims[2:])
    for axis in _AXES:
        if sizes[axis] <= 0:
            _fail_to_fit(call, axis, window)
    return sizes


def _fail_to_fit(call: ShapeCall, axis: int, window: SlidingWindow) -> None:
    """Report an output without elements: at the dilation if the window would fit without it, else at the size."""
    src, reach, padding = call.inputs[0].dims, window.reach(axis), window.padding
    length = src[2 + axis] + padding[axis] + padding[axis + 2]
    if length > INT_MAX:
        at = axis if padding[axis] > padding[axis + 2] else axis + 2
        pads = f"`padding` {padding} makes a dimension of {call.tell(0)} {shown(src)} {length} long"
        message = f"{pads}; LightNet supports at most {INT_MAX}"
        call.fail(R.too_large, "attr:padding", message, attr("padding", None, at), element=at)
    part, suspects = "attr:size", [attr("size"), call.other(0)]
    if call.operator.names[1:2] == ("weight",):
        suspects.reverse()
    if window.dilation[axis] > 1 and window.size[axis] <= length:
        part, suspects = "attr:dilation", [attr("dilation", None, axis), *suspects]
    shape = f"`size` {window.size}" + (f" with `dilation` {window.dilation}" if max(window.dilation) > 1 else "")
    message = f"window of {shape} is larger than {call.tell(0)} {shown(src)}: "
    message += f"{('height', 'width')[axis]} {length} with padding, window {reach}"
    call.fail(R.empty_output, part, message, *suspects)


def _check_dtypes(call: ShapeCall) -> None:
    src = call.inputs[0].dtype
    for k in (1, 2):
        dtype = call.inputs[k].dtype
        if dtype != src and None not in (dtype, src):
            call.note(R.dtype_mismatch, f"input:{k}", call.differing(k, 0, dtype, src))


def _check_size(call: ShapeCall, size: Param) -> None:
    weight = call.inputs[1].dims
    if None not in (size, weight) and list(size) != list(weight[2:4]):
        repairs = [attr("size", list(weight[2:4])), call.other(1, [*weight[:2], *size])]
        if weight[2] != weight[3] and size[0] == size[1]:
            repairs.reverse()  # the one that is not square is the odd one
        message = f"`size` {size} does not match the last two dimensions of {call.tell(1)} {shown(weight)}"
        call.fail(R.shape_mismatch, "attr:size", message, *repairs)


def _conv2d(
    call: ShapeCall, group: Param, size: Param, stride: Param, dilation: Param, padding: Param, autopad: Param
) -> list[KnownTensor]:
    (dtype, src), (_, weight), (_, bias) = call.inputs
    _check_dtypes(call)
    if None not in (bias, weight) and bias[0] != weight[0]:
        repairs = call.other(2, [weight[0]]), call.other(1, [bias[0], *weight[1:]])
        call.fail_length(2, weight[0], f"output channel of {call.tell(1)} {shown(weight)}", *repairs)
    if None not in (group, weight, src):
        _check_groups(call, group, weight, src)
    _check_size(call, size)
    if None in (src, weight, size, stride, dilation, padding, autopad):
        return [KnownTensor(dtype)]
    sizes = _slid(call, src[2:], SlidingWindow(size, stride, dilation, padding, autopad))
    return [call.new(dtype, [src[0], weight[0], *sizes], _PADDING)]


def _check_groups(call: ShapeCall, group: int, weight: Dims, src: Dims) -> None:
    if wrapped(weight[1] * group) == src[1]:
        return
    repairs = [call.other(0, [src[0], weight[1] * group, *src[2:]])]
    if src[1] % group == 0:
        repairs.insert(0, call.other(1, [weight[0], src[1] // group, *weight[2:]]))
    if src[1] % weight[1] == 0:
        repairs.insert(0 if group != 1 else len(repairs), attr("group", src[1] // weight[1]))
    message = (
        f"channels of {call.tell(0)} {shown(src)} and {call.tell(1)} {shown(weight)} do not match: "
        f"{src[1]}, and {weight[1]} in {group} group{'s' * (group != 1)}"
    )
    call.fail(R.shape_mismatch, "input:1" if group == 1 else "attr:group", message, *repairs)


def _deconv2d(
    call: ShapeCall, group: Param, size: Param, stride: Param, output_dims: Param, padding: Param,
    output_padding: Param, dilation: Param, autopad: Param,
) -> list[KnownTensor]:  # fmt: skip
    (dtype, src), (_, weight), (_, bias) = call.inputs
    _check_dtypes(call)
    if None not in (group, weight, bias):
        _check_output_channels(call, group, weight, bias)
    _check_size(call, size)
    if None in (src, weight, group, size, stride, output_dims, padding, output_padding, dilation, autopad):
        return [KnownTensor(dtype)]
    window = SlidingWindow(size, stride, dilation, padding, autopad)
    wanted = min(output_dims) > 0
    full = [stride[k] * (src[2 + k] - 1) + output_padding[k] + window.reach(k) for k in _AXES]
    if autopad == "VALID":
        padding = [0, 0, *padding[2:]]
    elif autopad in SAME and wanted:
        padding = _split([wrapped(full[k] - output_dims[2 + k]) for k in _AXES], autopad)
    sizes = [wrapped(full[k] - padding[k] - padding[k + 2]) for k in _AXES]
    dims = [src[0], weight[1] * group, *sizes]
    if wanted and dims != list(output_dims):
        message = f"`output_dims` {output_dims} does not match inferred shape {dims}"
        call.fail(R.shape_mismatch, "attr:output_dims", message, attr("output_dims", dims))
    return [call.new(dtype, dims, _PADDING)]


def _check_output_channels(call: ShapeCall, group: int, weight: Dims, bias: Dims) -> None:
    """Check the bias of a transposed convolution."""
    made = weight[1] * group
    if wrapped(made) != bias[0]:
        repairs = [call.other(2, [made]), call.other(1, [weight[0], bias[0] // group, *weight[2:]])]
        if bias[0] % weight[1] == 0:
            repairs.insert(0 if group != 1 else 2, attr("group", bias[0] // weight[1]))
        each = f"output channel of {call.tell(1)} {shown(weight)} with `group` {group}"
        call.fail_length(2, made, each, *repairs)


def _pool(call: ShapeCall, size: Param, stride: Param, padding: Param, autopad: Param) -> list[KnownTensor]:
    dtype, src = call.inputs[0]
    if None in (src, size, stride, padding, autopad):
        return [KnownTensor(dtype)]
    sizes = _slid(
        call, src[:2], SlidingWindow(size, stride, (1, 1), padding, autopad)
    )  # LightNet takes N and C for H and W
    return [call.new(dtype, [*src[:2], *sizes], _PADDING)]


def _detect_yolov3(call: ShapeCall, width: Param, height: Param) -> list[KnownTensor]:
    (dtype, feature), (_, anchors) = call.inputs
    if feature is not None and feature[0] != 1:
        message = f"expected batch size 1 for {call.tell(0)}, got {shown(feature)}"
        call.fail(R.shape_mismatch, "input:0", message, call.other(0, [1, *feature[1:]]))
    if None in (feature, anchors):
        return [KnownTensor(dtype)] * 5
    if anchors[1] != 2:
        call.note(R.shape_mismatch, "input:1", f"expected shape [anchors, 2] for {call.tell(1)}, got {shown(anchors)}")
    classes = feature[1] // anchors[0] - 5
    channels = f"{feature[1]} channels of {call.tell(0)}"
    if classes <= 0:
        message = f"{channels} leave no class after 5 values for each of {anchors[0]} anchors"
        call.fail(R.empty_output, "input:0", message, call.other(1), call.other(0))
    if feature[1] % anchors[0]:
        call.note(R.shape_mismatch, "input:0", f"{channels} are not a multiple of the {anchors[0]} anchors")
    return [call.new(dtype, [1, anchors[0], n, *feature[2:]], call.other(0)) for n in (2, 2, 4, 1, classes)]


SHAPES: dict[str, ShapeFunction] = {
    "conv2d": _conv2d,
    "deconv2d": _deconv2d,
    "maxpool2d": _pool,
    "avgpool2d": _pool,
    "detect_yolov3": _detect_yolov3,
}
