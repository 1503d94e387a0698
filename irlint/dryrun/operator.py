"""Operator: the shape function and the kernel of one operator."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from irlint.codes import R
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.matching import Match, match
from irlint.dryrun.signature import declared
from irlint.dryrun.tensor import Entries, Tensor
from irlint.records import NamedTuple
from irlint.text import words

if TYPE_CHECKING:
    from irlint.graph import Graph, Shape

    Array = Any


class BodyRequest(NamedTuple):
    """A request of an operator with nested graphs: the outputs of one of them, given its inputs by node index."""

    graph: Graph
    inputs: dict[int, Tensor]
    is_shared: bool = False  # the graph is used only with such types, perhaps by several nodes


class BodyRun(NamedTuple):
    """A request for the values of all nodes of a nested graph, given those of its variables."""

    graph: Graph
    inputs: dict[int, Any]


class Completed(NamedTuple):
    """Outputs of an operator with nested graphs, and shapes of its operands that follow from their use there."""

    outputs: Sequence[Tensor]
    known: dict[int, Shape]


Shapes = Tensor | Sequence[Tensor]
Steps = Generator[BodyRequest, "list[tuple[Tensor, ...]]", Sequence[Tensor] | Completed]


class Operator:
    """One operator of every format that has it. Attributes arrive as keyword arguments, absent optional inputs as None.

    `inputs` names the operands: a trailing ? marks an optional one, + one or more, * any number. What their shapes and types have to do
    with each other, and the types of the outputs, may follow as a signature: `data:[N,C,*S]/T=floats bias?:[C]/T -> [N,C,*S]/T`.
    `reads` are the operands whose elements `shape` looks at. `kernel` is the function of irlint/dryrun/kernels that computes it,
    such as "regions.roi_align", unless `run` does more than call one.
    """

    inputs: ClassVar[str] = "data"
    reads: ClassVar[tuple[int, ...]] = ()
    kernel: ClassVar[str] = ""
    nested = False  # `shape` is a generator that requests bodies
    is_random = False  # its result is drawn: runtimes draw another one
    remembers = False  # its value may be another one in the next run
    takes_rows = False  # it looks at few rows of its first operand
    prepares: ClassVar[tuple[int, ...]] = ()  # operands of which `prepare` makes something, where they are constants
    packs: ClassVar[tuple[int, ...]] = ()  # operands that together are weights, several numbers to an element
    typed = False  # `run` gets the element types of the outputs as `dtypes`: several are stored as one of NumPy's
    quantizes = False  # its result is rounded to few levels, or to integers
    adds_bias = False  # it adds its operand `bias` to one before that, which else is a part of the layer there
    partial = False  # `value` works even if the elements of some operands are unknown

    def shape(self, *inputs: Any, **attrs: Any) -> Shapes | Steps:
        """Return the types of the outputs, or raise ShapeError. What the signature does not say is said here, after `match`."""
        found = self.match(*inputs, **attrs).results
        return found[0] if len(found) == 1 else found

    def match(self, *inputs: Any, says: str = "", **given: Any) -> Match:
        """Return what the letters of the signature stand for, of which some are given by attributes, or raise ShapeError. `says` is another
        declaration of the same operands, where attributes decide."""
        signature = declared(says).signature if says else self.signature
        return match(signature, inputs, self.names[:-1] if self.variadic else self.names, given)

    def value(self, *inputs: Any, **attrs: Any) -> Entries | Sequence[Entries | None] | None:
        """Return the elements of small outputs: one tuple, or a list of one tuple per output."""
        return None

    def run(self, *inputs: Array, **attrs: Any) -> Array:
        if not self.kernel:
            raise NoKernel
        return kernel_of(self.kernel)(*inputs, **attrs)

    def run_first(self, *inputs: Array, **attrs: Any) -> Array:
        """Return the first output, if the others are unused."""
        raise NotImplementedError

    def prepare(self, *inputs: Array, **attrs: Any) -> dict[str, Array]:
        """Return what every run makes of the operands in `prepares`, as further keyword arguments of `run`."""
        return {}

    def unpacked(self, *inputs: Array, **attrs: Any) -> Array:
        """Return the weights that the operands in `packs` are, as the second factor of a product."""
        raise NoKernel

    def unpacked_size(self, **attrs: Any) -> int:
        """Return how many numbers these are."""
        return 0

    def run_packed(self, *inputs: Array, **attrs: Any) -> Any:
        """Return the output where some inputs are constants that have not been unpacked (`packed.Packed`); None where they
        have to be. The output may be such a constant, too.
        """
        return None

    def run_over(self, place: int, *inputs: Array, **attrs: Any) -> Array | None:
        """Return the output, written over the input at `place`, which is unused from here on and has the output's type;
        None where that cannot be done.
        """
        return None

    def gates_of(self, *inputs: Array | None, **attrs: Any) -> Sequence[Any]:
        """Return the weights of a recurrent layer for each direction, as `kernels.recurrent.Gates` with the gates in the order of the
        kernels; none of others, or without its weights."""
        return ()

    @property
    def family(self) -> str:
        """Return the module of irlint/dryrun/ops/, such as `moving.slicing`."""
        return type(self).__module__.removeprefix("irlint.dryrun.ops.")

    def __init__(self) -> None:
        self.names, self.marks, self.signature = declared(self.inputs)
        self.variadic = self.signature.goes_on
        self.least = sum(mark not in ("?", "*") for mark in self.marks)
        self.most = None if self.variadic else len(self.marks)
        self.follows = type(self).value is not Operator.value
        self.has_first = type(self).run_first is not Operator.run_first
        self.has_gates = type(self).gates_of is not Operator.gates_of
        self.overwrites = type(self).run_over is not Operator.run_over

    def input_name(self, index: int) -> str:
        if index < len(self.names) and not (self.variadic and index == len(self.names) - 1):
            return self.names[index]
        return f"input {index}"

    def check_count(self, count: int) -> None:
        if count < self.least or (self.most is not None and count > self.most):
            if self.least == self.most:
                wanted = words.count(self.least, "input")
            elif self.most is None:
                wanted = f"at least {words.count(self.least, 'input')}"
            else:
                wanted = f"{self.least} to {words.count(self.most, 'input')}"
            listed = ", ".join(map("".join, zip(self.names, self.marks, strict=True)))
            raise ShapeError(R.wrong_input_count, f"expected {wanted} ({listed}), got {count}")


@cache
def kernel_of(word: str) -> Any:
    module, _, name = word.rpartition(".")
    return getattr(import_module(f"irlint.dryrun.kernels.{module.replace('/', '.')}"), name)


@cache
def operator(word: str) -> Operator:
    """Return the operator "folder/family.Name" of irlint/dryrun/ops/, or "package.module.Name" of a plug-in, created once."""
    family, _, name = word.rpartition(".")
    module = f"irlint.dryrun.ops.{family.replace('/', '.')}" if "/" in family else family
    found: Operator = getattr(import_module(module), name)()
    return found
