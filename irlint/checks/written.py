"""An operator as it is written, which its row of the operator table gives a meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.checks.signature import Values, evaluate
from irlint.operators import Operator, Port

if TYPE_CHECKING:
    from irlint.checks.fault import Side


class WrittenOperator:
    """Attributes by name, inputs and outputs (a false one is left out), argument names. `read` makes values of attributes."""

    def __init__(
        self, operator: Operator, attrs: Mapping[str, Any], inputs: Sequence[Any] = (), outputs: Sequence[Any] = (),
        names: Sequence[str] = (), *, read: Callable[[Mapping[str, Any], Operator], Values],
    ) -> None:  # fmt: skip
        self.operator, self.attrs, self.names, self._read = operator, attrs, names, read
        self.sides: dict[Side, Sequence[Any]] = {"input": inputs, "output": outputs}

    @cached_property
    def values(self) -> Values:
        """Return what expressions of the table speak of: values of attributes, and the numbers of `inputs` and `outputs`."""
        found = {
            **{name: one.default for name, one in self.operator.attributes.items()},
            **self._read(self.attrs, self.operator),
            **{f"{side}s": len(given) for side, given in self.sides.items()},
        }
        for name, expression in self.operator.facts.get("let", {}).items():
            found[name] = evaluate(expression, found)
        return found

    def value_of(self, expression: Any) -> Any:
        """Return the value of a fact, which may be an expression."""
        return evaluate(expression, self.values) if isinstance(expression, str) else expression

    def applies(self, facts: Mapping[str, Any]) -> bool:
        return "when" not in facts or bool(self.value_of(facts["when"]))

    def ports(self, side: Side) -> list[tuple[Port, int | None]]:
        """Return the ports that the operator has as it is written, with how many values each takes where an expression says so."""
        ports = self.operator.inputs if side == "input" else self.operator.outputs
        return [(port, self.value_of(port.facts.get("count"))) for port in ports if self.applies(port.facts)]
