"""What a family yields: cases, each of which makes one or more models, and the helpers that convert them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

Shapes = Mapping[str, Sequence[int]] | Sequence[Sequence[int]]


class Built(NamedTuple):
    """An OpenVINO model and the shapes of its inputs, by name or in order, where the model leaves them open."""

    model: Any
    shapes: Shapes = ()
    half: bool = True  # weights are stored as f16, the default of OpenVINO's converter


class Case(NamedTuple):
    """A model: its name, and what makes it. A maker that returns a dictionary makes several, by suffix."""

    name: str
    make: Callable[[], Built | dict[str, Built]]


def converted(module: Any, *example: Any, shapes: Shapes | None = None, fixed: bool = True, half: bool = True) -> Built:
    """Convert a PyTorch module with example inputs. `fixed`: the model has their shapes, otherwise it leaves all open."""
    import openvino as ov

    settle(module, *example)
    example_input: Any = example[0] if len(example) == 1 else example
    if isinstance(example_input, dict):
        named = {name: tuple(value.shape) for name, value in example_input.items()}
        model = ov.convert_model(module.eval(), example_input=example_input)
        if fixed:
            model.reshape({port: named[name] for port in model.inputs if (name := _name(port, named)) is not None})
        return Built(model, named if shapes is None else shapes, half)
    given = [tuple(value.shape) for value in example]
    inputs = [ov.PartialShape(list(shape)) for shape in given] if fixed else None
    model = ov.convert_model(module.eval(), example_input=example_input, **({"input": inputs} if inputs else {}))
    return Built(model, given if shapes is None else shapes, half)


def settle(module: Any, *example: Any) -> None:
    """Give batch normalisation the statistics of an example: with random weights the signal would fade from layer to layer."""
    import torch

    module.eval()
    layers = [m for m in module.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    if not layers or isinstance(example[0], dict):
        return
    for layer in layers:
        layer.momentum = 1.0
        layer.train()
    with suppress(Exception), torch.no_grad():  # of one value per channel there are no statistics
        module(*example)
    module.eval()


def scripted(module: Any, *shapes: Sequence[int], half: bool = True) -> Built:
    """Convert a scripted PyTorch module, which keeps its control flow."""
    import openvino as ov
    import torch

    inputs = [(ov.PartialShape(list(shape)), ov.Type.f32) for shape in shapes]
    model = ov.convert_model(torch.jit.script(module.eval()), input=inputs)
    return Built(model, list(shapes), half)


def _name(port: Any, named: Mapping[str, Any]) -> str | None:
    return next((name for name in port.get_names() if name in named), None)
