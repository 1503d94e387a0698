"""Both exporters of PyTorch, with the options that callers vary: opset, open dimensions, half precision, weights as inputs."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from oracle.onnx_bases import Builder, draws

Made = tuple[nn.Module, tuple[torch.Tensor, ...]]
Names = tuple[str, ...]
TRACED = (11, 12, 13, 14, 15, 16, 17, 17, 18, 20)  # opsets of the older exporter that are drawn
CAPTURED = (18, 18, 18, 19, 20, 21, 22, 23)  # of the newer one


def quiet() -> None:
    """What every builder that uses PyTorch does first."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)
    if importlib.util.find_spec("torchvision") and not _KEPT and not _is_whole():
        _stand_in()


def _stand_in() -> None:
    """Let a torchvision that was built for another PyTorch be imported: of its compiled operators, detectors need one, and have it in Python."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.impl("nms", _suppressed, "CPU")
    _KEPT.append(library)
    boxes = importlib.import_module("torchvision.ops.boxes")
    boxes._assert_has_ops = _passed  # type: ignore[attr-defined]


def _passed() -> None:
    return None


def _suppressed(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
    """Non-maximum suppression, a box at a time."""
    left, kept = scores.argsort(descending=True), []
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    while len(left):
        first, left = left[0], left[1:]
        kept.append(int(first))
        low = torch.maximum(boxes[first, :2], boxes[left, :2])
        high = torch.minimum(boxes[first, 2:], boxes[left, 2:])
        shared = (high - low).clamp(min=0).prod(1)
        left = left[shared / (areas[first] + areas[left] - shared) <= threshold]
    return torch.tensor(kept, dtype=torch.int64)


def _is_whole() -> bool:
    """Whether torchvision's compiled operators fit this PyTorch, asked without an import that may fail half-way."""
    library = next(Path(str(importlib.util.find_spec("torchvision").origin)).parent.glob("_C*.so"), None)
    try:
        torch.ops.load_library(str(library))
    except OSError:
        return False
    return library is not None


_KEPT: list[Any] = []  # a library's operators live as long as it does


class Plain(nn.Module):
    """Gives tensors as a tuple where libraries give objects: the first of them, or all. Inputs are given by name, or by place if there are no names."""

    def __init__(self, model: nn.Module, names: Names = (), *, first: bool = False, **options: Any) -> None:
        super().__init__()
        self.model, self.names, self.first, self.options = model, names, first, options

    def forward(self, *inputs: torch.Tensor) -> Any:
        named = dict(zip(self.names, inputs, strict=True)) if self.names else {}
        found = self.model(*(() if named else inputs), **named, **self.options)
        return found[0] if self.first else tuple(tensors(found))


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors of what a network outputs, at any depth."""
    if isinstance(value, torch.Tensor):
        yield value
        return
    value = list(value.values()) if isinstance(value, dict) else value
    for part in value if isinstance(value, list | tuple) else ():
        yield from tensors(part)


def exporter(
    make: Callable[[], Made],
    opset: int,
    *,
    is_open: bool = False,
    is_half: bool = False,
    is_new: bool | None = None,
    names: Names = (),
    outputs: Names = (),
    axes: dict[str, dict[int, str]] | None = None,
    **options: Any,
) -> Builder:
    """`axes`: the open dimensions by input; those of the batch if nothing else is said and the model is open."""

    def export(path: Path) -> dict[str, Any]:
        torch.manual_seed(1)
        torch.backends.mha.set_fastpath_enabled(False)
        model, inputs = make()
        model.eval()
        with torch.no_grad():
            model(*inputs)  # gives lazy layers their sizes
        if is_half:
            model, inputs = model.half(), tuple(x.half() if x.is_floating_point() else x for x in inputs)
        given = names or tuple(f"in{k}" for k in range(len(inputs)))
        new = opset >= 18 if is_new is None else is_new
        kept: dict[str, Any] = {"input_names": list(given), "opset_version": opset, "dynamo": new, "verbose": False}
        kept.update({"output_names": list(outputs)} if outputs else {}, **options)
        free = axes or {name: {0: "batch"} for name in given}
        if new:
            if is_open and not axes:  # a batch of 1 would be taken for fixed
                inputs = tuple(torch.cat((x, x)) for x in inputs)
            shapes = tuple(dict.fromkeys(free.get(name, ()), torch.export.Dim.DYNAMIC) for name in given)
            kept["dynamic_shapes"] = _nested(model, shapes) if is_open else None
            torch.onnx.export(model, inputs, str(path), **{"external_data": False, **kept})
        else:
            with torch.no_grad():
                torch.onnx.export(model, inputs, str(path), dynamic_axes=free if is_open else None, **kept)
        return {name: value.numpy() for name, value in zip(given, inputs, strict=True)}

    return export


def _nested(model: nn.Module, shapes: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those of inputs that `forward` takes as *arguments are a tuple of their own."""
    kinds = [parameter.kind for parameter in inspect.signature(model.forward).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        return shapes
    first = kinds.index(inspect.Parameter.VAR_POSITIONAL)
    return (*shapes[:first], shapes[first:])


def drawn(
    group: str,
    name: str,
    make: Callable[[random.Random], tuple[Made, Names]],
    *,
    is_half: bool = True,
) -> tuple[str, Builder]:
    """A builder that draws the network, then the exporter and its options. What was drawn is not in the name, as a network that cannot be made would be drawn again."""
    rng = draws(f"{group}/{name}")
    is_new = rng.random() < 0.5
    opset = rng.choice(CAPTURED if is_new else TRACED)
    way: dict[str, Any] = {"is_new": is_new, "is_open": rng.random() < 0.4}
    way["is_half"] = is_half and rng.random() < 0.12
    if is_new:
        way["optimize"] = rng.random() < 0.85
        way["external_data"] = rng.random() < 0.1
        way["export_params"] = True
    else:
        way["do_constant_folding"] = rng.random() < 0.8
        way["keep_initializers_as_inputs"] = rng.random() < 0.1

    def build(path: Path) -> dict[str, Any] | None:
        torch.manual_seed(rng.randrange(1 << 30))
        (model, inputs), names = make(rng)
        for changes in _easier(way):
            try:
                return exporter(lambda: (model, inputs), opset, names=names, **{**way, **changes})(path)
            except TimeoutError:
                raise
            except Exception as error:
                path.unlink(missing_ok=True)
                last = error
        raise last

    return f"{name}-{'captured' if is_new else 'traced'}-{opset}", build


def _easier(way: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The way that was drawn, then what fewer networks refuse."""
    yield {}
    if way["is_open"]:
        yield {"is_open": False}
    if way["is_half"]:
        yield {"is_open": False, "is_half": False}


def image(size: int = 32, batch: int = 1, channels: int = 3) -> tuple[torch.Tensor, ...]:
    return (torch.rand(batch, channels, size, size),)


def runs(model: nn.Module, inputs: tuple[torch.Tensor, ...]) -> bool:
    with torch.no_grad():
        try:
            model.eval()(*inputs)
        except TimeoutError:
            raise
        except Exception:
            return False
    return True


def size_of(model: nn.Module) -> int:
    """How many numbers a model holds; nothing is computed for a model on the meta device."""
    return int(np.sum([part.numel() for part in (*model.parameters(), *model.buffers())]))
