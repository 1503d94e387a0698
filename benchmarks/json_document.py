"""JSON documents against json.loads: reading, locating 10,000 places, finding places by offset. Prints ratios."""

from __future__ import annotations

import gc
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from irlint.text.base import Place
from irlint.text.json import JsonDocument
from irlint.text.json_options import JsonOptions

ROUNDS = 7


def symbol(nodes: int) -> str:
    """A graph file as MXNet writes them."""
    listed = []
    for i in range(nodes):
        attrs = {"kernel": "(3, 3)", "no_bias": "True", "num_filter": "256", "pad": "(1, 1)", "stride": "(1, 1)"}
        inputs = [[max(i - 1, 0), 0, 0], [max(i - 2, 0), 0, 0]]
        listed.append({"op": "Convolution", "name": f"stage{i % 4}_unit{i}_conv", "attrs": attrs, "inputs": inputs})
    top = {"nodes": listed, "arg_nodes": list(range(0, nodes, 2)), "node_row_ptr": list(range(nodes + 1))}
    return json.dumps({**top, "heads": [[nodes - 1, 0, 0]], "attrs": {"mxnet_version": ["int", 10700]}}, indent=2)


def operators(count: int) -> str:
    """A LightNet file with weights."""
    listed = []
    for i in range(count):
        params = [{"arg_name": f"p{k}", "value": [k + 0.25] * 8} for k in range(6)]
        entry = [{"arg_name": "src", "name": f"tensor{i}"}]
        listed.append(
            {"name": f"op{i}", "optype": "conv2d", "tensors_in": entry, "tensors_out": entry, "params": params}
        )
    return json.dumps({"ops": listed}, indent=1)


def paired(base: Callable[[], object], other: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median of other's time over base's, measured in turn."""

    def once(run: Callable[[], object]) -> float:
        gc.collect()
        began = time.process_time()
        run()
        return time.process_time() - began

    return median(once(other) / once(base) for _ in range(rounds))


def compare(title: str, text: str, options: JsonOptions) -> None:
    print(f"{title}: {len(text) / 1e6:.1f} MB")
    listed = next(iter(json.loads(text)))
    many = len(json.loads(text)[listed])
    places = [Place((listed, i, *more)) for i in range(0, many, max(many // 10_000, 1)) for more in ((), ("name",))]
    places = random.Random(1).sample(places, 10_000)
    offsets = random.Random(2).choices(range(len(text)), k=10_000)
    fresh: list[JsonDocument] = []

    def loads() -> object:
        return json.loads(text)

    def parse() -> JsonDocument:
        return JsonDocument.parse(text, options=options)

    def locate() -> None:
        document = fresh.pop()
        for place in places:
            document.span(place)

    def find() -> None:
        document = fresh.pop()
        for offset in offsets:
            document.place_at(offset)

    print(f"  parse                     {paired(loads, parse):.2f} x json.loads")
    for what, run in ((f"locate {len(places):,} places", locate), (f"place at {len(offsets):,} offsets", find)):
        fresh += [parse() for _ in range(ROUNDS)]
        print(f"  {what:25} {paired(loads, run):.2f} x json.loads")


def main() -> None:
    keys = frozenset({"ops", "name", "optype", "tensors_in", "tensors_out", "params", "arg_name", "value"})
    folding = JsonOptions(folded_keys=keys, duplicates="first", longest_number=63, nul_ends_text=True)
    graph = symbol(40_000)
    compare("graph, 40,000 nodes", graph, JsonOptions())
    compare("LightNet, 20,000 operators", operators(20_000), folding)
    compare("graph on one line", json.dumps(json.loads(graph)), JsonOptions())
    compare("one list of 2,000,000 numbers", json.dumps({"data": list(range(2_000_000))}), JsonOptions())
    broken = graph.replace('"num_filter": "256"', '"num_filter": 256,, ', 1)
    ratio = paired(lambda: json.loads(graph), lambda: JsonDocument.parse(broken))
    print(f"graph with a syntax error\n  parse                     {ratio:.2f} x json.loads")


if __name__ == "__main__":
    main()
