"""What is the same in every run of a graph is computed once; what a caller feeds, or watches, is not taken from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint import load
from irlint.dryrun.infer import infer
from irlint.dryrun.running import schedule
from irlint.dryrun.running.packed import Packed, packed
from irlint.dryrun.running.run import Run

from .test_packed import IR, RNG, random_bytes


@pytest.fixture
def model(tmp_path: Path) -> Any:
    scale = RNG.random((96, 4, 1)).astype(np.float16)
    (tmp_path / "net.xml").write_text(IR, encoding="utf-8")
    (tmp_path / "net.bin").write_bytes(
        random_bytes("uint4", (96, 4, 64)) + scale.tobytes() + np.array([96, 256]).tobytes()
    )
    return load(tmp_path / "net.xml").graph


class Counted:
    """A mapping that counts how often constants are read."""

    def __init__(self, graph: Any) -> None:
        self.graph, self.mapping, self.read = graph, graph.mapping, 0
        self.types = infer(graph, self.mapping)
        for name in ("array", "packed"):
            plain = getattr(self.mapping, name)
            setattr(self.mapping, name, lambda node, plain=plain: self.counted(plain, node))

    def counted(self, plain: Any, node: Any) -> Any:
        self.read += 1
        return plain(node)

    def run(self, x: Any, watch: Any = None, **fed: Any) -> list[Any]:
        feeds = {self.graph.inputs[0]: x}
        feeds |= {node.index: fed[node.name] for node in self.graph.nodes if node.name in fed}
        return Run(self.mapping, self.types, watch).outputs(self.graph, feeds)


def test_constants_are_read_and_unpacked_once(model: Any) -> None:
    counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
    first = counted.run(x)
    counted.run(x)
    counted.read = 0
    for k in (1, 2):
        for wanted, found in zip(first, counted.run(k * x), strict=True):
            np.testing.assert_allclose(found, wanted * (k if found.shape == (3, 96) else 1), rtol=1e-5, atol=1e-4)
    assert counted.read == 0


def test_a_constant_that_is_fed_counts(model: Any) -> None:
    counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
    for _ in range(3):
        plain = counted.run(x)
    changed = counted.run(x, s=np.zeros((96, 4, 1), np.float16))
    assert not changed[0].any()
    assert plain[0].any()


def test_a_watched_run_computes_everything(model: Any) -> None:
    counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
    seen: list[list[str]] = []
    for _ in range(3):
        counted.run(x)
        seen.append([])
        counted.run(x, lambda graph, node, *rest: seen[-1].append(node.name))
    assert seen[0] == seen[1] == seen[2] == ["c", "m", "r", "f", "y", "out", "weights"]


def test_a_constant_that_is_fed_again_and_again_counts(model: Any) -> None:
    counted, x = Counted(model), np.ones((3, 256), np.float32)
    scale = np.ones((96, 4, 1), np.float16)
    plain = counted.run(x)
    for _ in range(3):
        ones = counted.run(x, s=scale)
    np.testing.assert_array_equal(counted.run(x, s=2 * scale)[1], 2 * ones[1])
    np.testing.assert_array_equal(counted.run(x)[1], plain[1])


def test_constants_are_read_once_for_other_types(model: Any) -> None:
    counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
    for _ in range(2):
        counted.run(x)
    counted.read = 0
    counted.types = infer(counted.graph, counted.mapping, earlier=counted.types)
    counted.run(x)
    assert counted.read == 0


def test_half_of_the_room_is_for_numbers_that_are_unpacked(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {}
    for room in (1 << 20, 100_000, 13_000):
        monkeypatch.setattr(schedule, "BUDGET", room)
        counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
        counted.mapping.schedules.clear()
        runs = [counted.run(x) for _ in range(3)]
        for found in runs[1:]:
            np.testing.assert_allclose(found[0], runs[0][0], rtol=1e-5, atol=1e-4)
        (plan,) = counted.mapping.schedules.values()
        (weights,) = plan.kept(frozenset()).values[7]
        kept[room] = getattr(weights, "kind", weights.dtype.name)
    assert kept == {1 << 20: "float32", 100_000: "int8", 13_000: "uint4"}


def test_what_is_kept_takes_half_of_the_memory_limit(model: Any) -> None:
    counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
    for _ in range(3):
        Run(counted.mapping, counted.types, None, 0, 150_000).outputs(model, {model.inputs[0]: x})
    (plan,) = counted.mapping.schedules.values()
    kept = plan.kept(frozenset(), 150_000)
    assert kept.values[7][0].kind == "int8"


def test_no_more_is_kept_than_there_is_room_for(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "BUDGET", 100)
    counted, x = Counted(model), RNG.standard_normal((3, 256)).astype(np.float32)
    for _ in range(3):
        counted.read = 0
        counted.run(x)
    assert counted.read > 0


def test_a_constant_of_halves_that_finds_no_room_is_not_unpacked(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    halves = packed(np.ones((256, 256), np.float16).tobytes(), "float16", (256, 256))
    assert halves is not None
    halves = halves.converted("float32")
    counted = Counted(model)
    counted.run(RNG.standard_normal((3, 256)).astype(np.float32))
    kept = schedule.Kept(counted.mapping.schedules[id(model)], frozenset(), 1 << 16)
    index = min(kept.fixed)
    monkeypatch.setattr(Packed, "array", lambda _: pytest.fail("unpacked"))
    kept.add(index, (halves,))
    assert index not in kept.values
