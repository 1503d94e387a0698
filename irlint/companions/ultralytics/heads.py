"""Where metadata contradicts the inputs and outputs of its model, by what the heads of Ultralytics' models output."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from irlint.codes import R
from irlint.companions import classes
from irlint.companions.claims import claim_size
from irlint.companions.demands import each
from irlint.companions.ports import Ports, ServedPort
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.dryrun.infer import NodeShapeError
from irlint.findings import OtherPlace, Severity
from irlint.graph import Shape
from irlint.rules.base import Model
from irlint.text.words import count

_BOX, _ANGLE = classes.BOX, 1
_SHOWN = 40  # characters
_VALUES = (2, 3)  # of a point
_LISTED = 400  # boxes of a list at most
_SIZES = {"batch": 0, "channels": 1, "imgsz/0": 2, "imgsz/1": 3}  # dimensions of the input


_STRIDES = (4, 8, 16, 32, 64, 128)

# The tasks of heads, by words in their names
_TASKS = {
    "Semantic": "semantic",
    "Depth": "depth",
    "Segment": "segment",
    "Pose": "pose",
    "OBB": "obb",
    "Classify": "classify",
    "Detect": "detect",
}


def readable(tree: Mapping[str, Any], report: Report) -> None:
    """Report values inside a model that Ultralytics cannot read as Python."""
    for key in ("names", "imgsz", "kpt_shape"):
        if isinstance(value := tree.get(key), str):
            words = f"`{key}` is `{value[:_SHOWN]}{'...' * (len(value) > _SHOWN)}`, which is not a list or mapping that can be read"
            report.say(R.wrong_type, (key,), words)


def _check_task(tree: Mapping[str, Any], model: Ports, file: str, report: Report) -> bool:
    """Report a task that is not that of the model's head, or of its outputs where the head is not named, as before version 8.4. Return
    whether it may be."""
    task, head = str(tree.get("task")), str(tree.get("head", ""))
    if task not in _TASKS.values():
        return True
    real, whose = next((known for word, known in _TASKS.items() if word in head), None), f"the head is {head}, for"
    if not head:
        real, whose = _task_of(tree, task, model), f"the outputs of {file} are those of"
    is_other = real is not None and task != real
    if is_other:
        report.say(R.contradictory_settings, ("task",), f"the task is {task}, but {whose} {real}")
    return not is_other


def _task_of(tree: Mapping[str, Any], task: str, model: Ports) -> str | None:
    """Return the task that outputs are for, as far as their dimensions show it: of boxes alone, only where the task has none."""
    ranks = [len(port.type.shape or ()) for port in model.outputs[:2]]
    if ranks[:1] == [len("BC")]:
        return "classify"
    if ranks == [len("BCA"), len("BMHW")]:
        return "segment"
    if ranks != [len("BCA")]:
        return None
    if "kpt_shape" in tree:
        return "pose"
    return "detect" if task in ("classify", "segment") else None


def _check_stride(tree: Mapping[str, Any], model: Ports, report: Report) -> None:
    """Report a stride with which a model has another number of boxes."""
    output, image, said = model.outputs[0], model.inputs[0].type.shape or (), tree.get("stride")
    sizes = [size for size in (*image[-2:], *(output.type.shape or ())[1:]) if isinstance(size, int)]
    if len(image) == len(_SIZES) and len(output.type.shape or ()) == len("BCA") and len(sizes) == len("HWCA"):
        found = _last_strides(sizes[0], sizes[1], max(sizes[2:]))
        if len(found) == 1 and isinstance(said, int):
            of, real = f"the largest stride of output {output.name!r}", found.pop()
            here = ("declared here", output.at)
            report.claim(R.other_value, ("stride",), of, said, real, str(real), here, Severity.WARNING)


def _last_strides(height: int, width: int, boxes: int) -> set[int]:
    """Return the largest strides with which images have as many boxes: one for each cell of several strides that follow each other."""
    found = set()
    for first in range(len(_STRIDES)):
        cells = accumulate((height // stride) * (width // stride) for stride in _STRIDES[first:])
        found |= {stride for stride, many in zip(_STRIDES[first:], cells, strict=True) if many == boxes} - {
            _STRIDES[first]
        }
    return found


def misfit(tree: Mapping[str, Any], model: Model, wrong: NodeShapeError, file: str, report: Report) -> None:
    """Report images that a model does not take, whose size it leaves open: at their channels if the nodes do not fit that use them."""
    is_first = any(source.node in model.graph.inputs for source in wrong.node.inputs)
    at = "channels" if is_first and "channels" in tree else "imgsz"
    here = "node that does not take such images", OtherPlace(model.document, wrong.graph.place(wrong.node))
    words = f"{file} does not take images with `{at}` {tree[at]}: {wrong.error.message}"
    report.say(R.other_shape, (at,), words, other=here)


def check(tree: Mapping[str, Any], model: Ports, file: str, report: Report) -> None:
    """Report what contradicts the model `file`."""
    names, is_task = tree.get("names"), _check_task(tree, model, file, report)
    if len(model.inputs) == 1 and len(model.inputs[0].type.shape or ()) == len(_SIZES):
        for pattern, axis in _SIZES.items():
            for at in each(tree, pattern):
                claim_size(
                    at.path, f"input {model.inputs[0].name!r} of {file}", at.value, model.inputs[0], axis, report
                )
    if not model.outputs:
        return
    _check_list(tree, model, file, report)
    if _is_sifted(tree) or not is_task:
        return
    if len(model.inputs) == 1:
        _check_stride(tree, model, report)
    if not isinstance(names, dict | list) or not names:
        return
    if tree.get("task") != "pose":
        real = _classes(tree, len(names), model)
    elif (real := _of_pose(tree, len(names), model, file, report)) is None:
        return
    _check_names(tree, len(names), real, model.outputs[0], file, report)


def _check_names(
    tree: Mapping[str, Any], names: int, real: int | None, port: ServedPort, file: str, report: Report
) -> None:
    if tree.get("task") == "obb" and real == names - _ANGLE:
        words = f"`task` is obb, but output {port.name!r} of {file} has no channel for an angle"
        report.say(R.contradictory_settings, ("task",), words, other=("declared here", port.at))
    elif real is not None:
        classes.check(names, real, port, ("names",), "`names`", file, report)


def _is_sifted(tree: Mapping[str, Any]) -> bool:
    """Return whether a model has removed boxes that overlap: then it lists a score and a class with each box."""
    args = tree.get("args")
    return bool(tree.get("end2end") or (isinstance(args, dict) and args.get("nms")))


def _check_list(tree: Mapping[str, Any], model: Ports, file: str, report: Report) -> None:
    """Report a head that has all boxes where the file says that it lists what it found, and the other way round."""
    port, shape, names = model.outputs[0], model.outputs[0].type.shape or (), tree.get("names")
    if tree.get("task") != "detect" or len(shape) != len("BCA") or not isinstance(names, dict | list):
        return
    rows, boxes = (size if isinstance(size, int) else 0 for size in shape[1:])
    has_rows = boxes == _BOX + len(("score", "class")) and 0 < rows <= _LISTED
    has_all = rows == _BOX + len(names) and boxes > _LISTED // 4
    said = tree.get("end2end")
    if (said is True and has_all) or (said is False and has_rows and not _is_sifted(tree)):
        words = f"output {port.name!r} of {file} is {show(shape)}, {'all boxes' if has_all else 'a list of boxes'}"
        words, here = f"`end2end` is {str(said).lower()}, but {words}", ("declared here", port.at)
        report.say(R.contradictory_settings, ("end2end",), words, other=here, severity=Severity.WARNING)


def _classes(tree: Mapping[str, Any], names: int, model: Ports) -> int | None:
    shape, task = model.outputs[0].type.shape, tree.get("task")
    if task == "classify":
        return classes.of_classifier(shape) if shape is not None and len(shape) == len("BC") else None
    more = {"detect": _BOX, "obb": _BOX + _ANGLE}.get(str(task))
    if task == "segment" and len(model.outputs) > 1:
        masks = model.outputs[1].type.shape
        size = masks[1] if masks is not None and len(masks) == len("BMHW") else None
        more = _BOX + size if isinstance(size, int) else None
    if more is None or shape is None or len(shape) != len("BCA"):
        return None
    return _with_score(names, model, shape, more) if task != "obb" else _of_boxes(shape, more)


def _with_score(names: int, model: Ports, shape: Shape, more: int) -> int | None:
    """Return the number of classes of a head; those of YOLOv5, whose boxes are in rows, have a score for each box."""
    known = classes.before_scores(model, shape)
    old = _of_boxes(shape, more + 1) if classes.BOX + 1 in known else None
    return old if names == old or classes.BOX not in known else _of_boxes(shape, more)


def _of_boxes(shape: Shape | None, more: int) -> int | None:
    is_list = shape is not None and len(shape) == len("BNC") and shape[2] == more + len(("score", "class"))
    return None if is_list else classes.of_detector(shape, more)


def _of_pose(tree: Mapping[str, Any], names: int, model: Ports, file: str, report: Report) -> int | None:
    """Return the number of classes of a pose. Where the number of names fits another number of points, that is reported instead."""
    points = [at.value for at in each(tree, "kpt_shape/*") if isinstance(at.value, int) and at.value > 0]
    shape = model.outputs[0].type.shape
    if len(points) != len(("points", "values")) or (both := _of_boxes(shape, _BOX)) is None:
        return None
    others, rest = divmod(both - names, points[1])
    here, real = ("declared here", model.outputs[0].at), both - points[0] * points[1]
    of = f"output {model.outputs[0].name!r} of {file} is {show(shape)}"
    if rest and (both - names) % points[0] == 0 and (size := (both - names) // points[0]) in _VALUES:
        words = f"{of}, for points of {size} values, not {points[1]}"
        report.say(R.other_shape, ("kpt_shape", 1), words, str(size), here)
        return None
    if rest or others < 1:
        if real < 1:
            words = f"{of}, which is not enough for {points[0]} points of {count(points[1], 'value')}"
            report.say(R.other_shape, ("kpt_shape",), words, other=here)
        return real if real >= 1 else None
    of = f"{of}: the number of points"
    if others != points[0]:
        report.say(R.other_shape, ("kpt_shape", 0), f"{of} is {others}, not {points[0]}", str(others), here)
    return None
