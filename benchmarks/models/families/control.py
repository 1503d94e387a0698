"""Scripted control flow: If and Loop, with shapes that depend on data."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from cases import Case, scripted


def cases() -> Iterator[Case]:
    yield Case("if_one_sided", lambda: scripted(OneSided(), (3, 4), (3, 4)))
    yield Case("if_shape", lambda: scripted(ByShape(), (3, 4)))
    yield Case("if_nested", lambda: scripted(Nested(), (2, 5)))
    yield Case("loop_for", lambda: scripted(For(), (2, 8)))
    yield Case("loop_while", lambda: scripted(While(), (4,)))
    yield Case("loop_cell", lambda: scripted(CellLoop(), (10, 2, 6)))
    yield Case("loop_long", lambda: scripted(CellLoop(64), (300, 1, 64)))
    yield Case("loop_append", lambda: scripted(Growing(), (5, 3)))
    yield Case("loop_with_if", lambda: scripted(LoopWithIf(), (6, 4)))
    yield Case("beam_step", lambda: scripted(BeamStep(), (3, 50)))
    yield Case("nonzero", lambda: scripted(NonZero(), (4, 5)))
    yield Case("early_exit", lambda: scripted(EarlyExit(), (1, 3, 32, 32)))


class OneSided(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if bool(x.sum() > 1):
            return x * 2
        return y - 1


class ByShape(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] > 2:
            return x.t().relu()
        return x.reshape(x.shape[1], x.shape[0])


class Nested(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if bool(x.mean() > 0):
            y = x.softmax(1) if bool(x.max() > 0.9) else x.sigmoid()
            y = y * 2
        else:
            y = -x
        return y + x


class For(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for k in range(x.shape[0] + 3):
            x = torch.tanh(self.layer(x)) + k
        return x


class While(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        while bool(x.sum() < 100):
            x = x * 2 + 1
        return x


class CellLoop(torch.nn.Module):
    """A recurrent cell, step by step."""

    def __init__(self, width: int = 6) -> None:
        super().__init__()
        self.inner, self.outer = torch.nn.Linear(width, width), torch.nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = torch.zeros_like(x[0])
        for k in range(x.shape[0]):
            state = torch.tanh(self.inner(x[k]) + self.outer(state))
        return state


class Growing(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = x[:1]
        for k in range(x.shape[0]):
            found = torch.cat([found, found[-1:] * 0.5 + x[k : k + 1]], 0)
        return found


class LoopWithIf(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = torch.zeros_like(x[0])
        for k in range(x.shape[0]):
            total = total + x[k] if bool(x[k, 0] > 0.5) else total - x[k] * 0.5
        return total


class BeamStep(torch.nn.Module):
    def forward(self, scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        values, indices = torch.topk(scores.log_softmax(-1).reshape(-1), 5)
        return values, torch.div(indices, scores.shape[1], rounding_mode="floor") * 100 + indices % scores.shape[1]


class NonZero(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = torch.nonzero(x > 0.5)
        return x[rows[:, 0], rows[:, 1]].sort(descending=True).values


class EarlyExit(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(3, 8, 3, 2, 1)
        self.second = torch.nn.Conv2d(8, 8, 3, 1, 1)
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x).relu()
        found = self.head(x.mean([2, 3])).softmax(1)
        if bool(found.max() < 0.9):
            for _ in range(3):
                x = self.second(x).relu() + x
            found = self.head(x.mean([2, 3])).softmax(1)
        return found
