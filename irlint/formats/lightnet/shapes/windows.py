"""Operators on [N, C, H, W]: convolutions, pooling, detection."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.numbers import INT_MAX, quotient, wrapped
from irlint.formats.lightnet.shapes.base import Dims, KnownTensor, ShapeCall, ShapeFunction, attr, elements, shown

AUTOMATIC = ("VALID", "SAME_UPPER", "SAME_LOWER")

_PADDING = attr("padding")


def _reach(size: int, dilation: int) -> int:
    """How many elements a dilated window covers."""
    return wrapped(wrapped((size - 1) * dilation) + 1)


def _split(total: int, autopad: str) -> tuple[int, int]:
    """Padding before and behind; the odd one goes behind for SAME_UPPER, before for SAME_LOWER."""
    half = quotient(total, 2)
    return (half, total - half) if autopad == "SAME_UPPER" else (total - half, half)


def _same_padding(
    sizes: Sequence[int], size: Sequence[int], stride: Sequence[int], dilation: Sequence[int], autopad: str
) -> list[int]:
    """[top, left, bottom, right] so that every stride gives an output."""
    before, behind = [], []
    for k in range(2):
        outputs = ceil(sizes[k] / stride[k])
        total = wrapped((outputs - 1) * stride[k] + _reach(size[k], dilation[k]) - sizes[k])
        first, last = _split(total, autopad)
        before.append(first)
        behind.append(last)
    return before + behind


def _slide(
    sizes: Sequence[int], size: Sequence[int], stride: Sequence[int], dilation: Sequence[int], padding: Sequence[int]
) -> list[int]:
    """How often a window fits, on both axes."""
    return [
        quotient(
            wrapped(wrapped(sizes[k] + wrapped(padding[k] + padding[k + 2])) - _reach(size[k], dilation[k])), stride[k]
        )
        + 1
        for k in range(2)
    ]


def used_padding(
    sizes: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    padding: list[int],
    autopad: str,
) -> list[int]:
    """The padding that LightNet goes by."""
    if autopad not in AUTOMATIC:
        return padding
    return [0, 0, 0, 0] if autopad == "VALID" else _same_padding(sizes, size, stride, dilation, autopad)


def _padded(
    call: ShapeCall,
    sizes: Sequence[int],
    size: list[int],
    stride: list[int],
    dilation: list[int],
    padding: list[int],
    autopad: str,
) -> list[int]:
    """Return the same padding, and report what LightNet refuses."""
    padding = used_padding(sizes, size, stride, dilation, padding, autopad)
    if autopad in AUTOMATIC and min(padding) < 0:
        message = (
            f"`autopad` `{autopad}` results in negative padding {padding} (`size` {size}, `stride` {stride}); "
            "LightNet refuses to compile it"
        )
        call.report(R.value_out_of_range, "attr:autopad", message, attr("autopad", "VALID"))
    return padding


def _check_fit(call: ShapeCall, dims: list[int], size: list[int], dilation: list[int], padding: list[int]) -> None:
    """Report an output without elements: at the dilation if the window would fit without it, else at the size."""
    if min(dims) > 0:
        return
    k = 0 if dims[0] <= 0 else 1
    src = call.inputs[0].dims
    assert src is not None
    reach = _reach(size[k], dilation[k])
    length = src[2 + k] + padding[k] + padding[k + 2]
    if length > INT_MAX:
        at = k if padding[k] > padding[k + 2] else k + 2
        pads = f"`padding` {padding} makes a dimension of {call.tell(0)} {shown(src)} {length} long"
        message = f"{pads}; LightNet supports at most {INT_MAX}"
        call.fail(R.too_large, "attr:padding", message, attr("padding", None, at), element=at)
    suspects = [attr("size"), call.other(0)]
    if call.names[1:2] == ("weight",):
        suspects.reverse()
    if dilation[k] > 1 and size[k] <= length:
        suspects.insert(0, attr("dilation", None, k))
    part = suspects[0].part if suspects[0].part.startswith("attr") else "attr:size"
    window = f"`size` {size}" + (f" with `dilation` {dilation}" if max(dilation) > 1 else "")
    axis = "height" if k == 0 else "width"
    message = (
        f"window of {window} is larger than {call.tell(0)} {shown(src)}: {axis} {length} with padding, window {reach}"
    )
    call.fail(R.empty_output, part, message, *suspects)


def _check_dtypes(call: ShapeCall) -> None:
    src = call.inputs[0].dtype
    for k in (1, 2):
        dtype = call.inputs[k].dtype
        if src is not None and dtype is not None and dtype != src:
            call.note(
                R.dtype_mismatch,
                f"input:{k}",
                f"types of {call.tell(k)} ({dtype}) and {call.tell(0)} ({src}) do not match",
            )


def _check_size(call: ShapeCall, size: list[int] | None, weight: Dims | None) -> None:
    if size is not None and weight is not None and list(size) != list(weight[2:4]):
        repairs = [attr("size", list(weight[2:4])), call.other(1, [*weight[:2], *size])]
        if weight[2] != weight[3] and size[0] == size[1]:
            repairs.reverse()  # the one that is not square is the odd one
        message = f"`size` {size} does not match the last two dimensions of {call.tell(1)} {shown(weight)}"
        call.fail(R.shape_mismatch, "attr:size", message, *repairs)


def _conv2d(
    call: ShapeCall,
    group: int | None,
    size: list[int] | None,
    stride: list[int] | None,
    dilation: list[int] | None,
    padding: list[int] | None,
    autopad: str | None,
) -> list[KnownTensor]:
    src, weight, bias = call.inputs
    _check_dtypes(call)
    if bias.dims is not None and weight.dims is not None and bias.dims[0] != weight.dims[0]:
        each = f"one per output channel of {call.tell(1)} {shown(weight.dims)}"
        message = f"expected {elements(weight.dims[0])} in {call.tell(2)} ({each}), got {bias.dims[0]}"
        repairs = call.other(2, [weight.dims[0]]), call.other(1, [bias.dims[0], *weight.dims[1:]])
        call.fail(R.shape_mismatch, "input:2", message, *repairs)
    if group is not None and weight.dims is not None and src.dims is not None:
        _check_groups(call, group, weight.dims, src.dims)
    _check_size(call, size, weight.dims)
    if (
        src.dims is None
        or weight.dims is None
        or not (size and stride and dilation and padding and autopad is not None)
    ):
        return [KnownTensor(src.dtype)]
    padding = _padded(call, src.dims[2:], size, stride, dilation, padding, autopad)
    sizes = _slide(src.dims[2:], size, stride, dilation, padding)
    _check_fit(call, sizes, size, dilation, padding)
    return [call.new(src.dtype, [src.dims[0], weight.dims[0], *sizes], _PADDING)]


def _check_groups(call: ShapeCall, group: int, weight: Dims, src: Dims) -> None:
    if wrapped(weight[1] * group) == src[1]:
        return
    repairs = [
        call.other(1, [weight[0], src[1] // group, *weight[2:]]),
        call.other(0, [src[0], weight[1] * group, *src[2:]]),
    ]
    if src[1] % group:
        del repairs[0]
    if src[1] % weight[1] == 0:
        repairs.insert(0 if group != 1 else len(repairs), attr("group", src[1] // weight[1]))
    message = (
        f"channels of {call.tell(0)} {shown(src)} and {call.tell(1)} {shown(weight)} do not match: "
        f"{src[1]}, and {weight[1]} in {group} group{'s' * (group != 1)}"
    )
    call.fail(R.shape_mismatch, "input:1" if group == 1 else "attr:group", message, *repairs)


def _deconv2d(
    call: ShapeCall,
    group: int | None,
    size: list[int] | None,
    stride: list[int] | None,
    output_dims: list[int] | None,
    padding: list[int] | None,
    output_padding: list[int] | None,
    dilation: list[int] | None,
    autopad: str | None,
) -> list[KnownTensor]:
    src, weight, bias = call.inputs
    _check_dtypes(call)
    if group is not None and weight.dims is not None and bias.dims is not None:
        made = weight.dims[1] * group
        if wrapped(made) != bias.dims[0]:
            repairs = [call.other(2, [made]), call.other(1, [weight.dims[0], bias.dims[0] // group, *weight.dims[2:]])]
            if bias.dims[0] % weight.dims[1] == 0:
                repairs.insert(0 if group != 1 else 2, attr("group", bias.dims[0] // weight.dims[1]))
            each = f"one per output channel of {call.tell(1)} {shown(weight.dims)} with `group` {group}"
            message = f"expected {elements(made)} in {call.tell(2)} ({each}), got {bias.dims[0]}"
            call.fail(R.shape_mismatch, "input:2", message, *repairs)
    _check_size(call, size, weight.dims)
    if src.dims is None or weight.dims is None or group is None or autopad is None:
        return [KnownTensor(src.dtype)]
    if not (size and stride and padding and output_padding and dilation and output_dims):
        return [KnownTensor(src.dtype)]
    if autopad == "VALID":
        padding = [0, 0, *padding[2:]]
    wanted = min(output_dims) > 0
    full = [stride[k] * (src.dims[2 + k] - 1) + output_padding[k] + _reach(size[k], dilation[k]) for k in range(2)]
    if wanted and autopad in ("SAME_UPPER", "SAME_LOWER"):
        pads = [_split(wrapped(full[k] - output_dims[2 + k]), autopad) for k in range(2)]
        padding = [pads[0][0], pads[1][0], pads[0][1], pads[1][1]]
    sizes = [wrapped(full[k] - padding[k] - padding[k + 2]) for k in range(2)]
    dims = [src.dims[0], weight.dims[1] * group, *sizes]
    if wanted and dims != list(output_dims):
        message = f"`output_dims` {output_dims} does not match inferred shape {dims}"
        call.fail(R.shape_mismatch, "attr:output_dims", message, attr("output_dims", dims))
    return [call.new(src.dtype, dims, _PADDING)]


def _pool(
    call: ShapeCall, size: list[int] | None, stride: list[int] | None, padding: list[int] | None, autopad: str | None
) -> list[KnownTensor]:
    src = call.inputs[0]
    if src.dims is None or not (size and stride and padding and autopad is not None):
        return [KnownTensor(src.dtype)]
    ones = [1, 1]
    padding = _padded(call, src.dims[:2], size, stride, ones, padding, autopad)  # LightNet takes N and C for H and W
    sizes = _slide(src.dims[2:], size, stride, ones, padding)
    _check_fit(call, sizes, size, ones, padding)
    return [call.new(src.dtype, [*src.dims[:2], *sizes], _PADDING)]


def _detect_yolov3(call: ShapeCall, width: int | None, height: int | None) -> list[KnownTensor]:
    (dtype, feature), (_, anchors) = call.inputs
    if feature is not None and feature[0] != 1:
        message = f"expected batch size 1 for {call.tell(0)}, got {shown(feature)}"
        call.fail(R.shape_mismatch, "input:0", message, call.other(0, [1, *feature[1:]]))
    if feature is None or anchors is None:
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
