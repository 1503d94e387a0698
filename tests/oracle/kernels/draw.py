"""Draw models that the tables were not made of: python -m oracle.kernels.draw SEED COUNT FILE."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from random import Random

from oracle.kernels.variants import drawn, facts
from oracle.kernels.write import operators


def main(seed: int, count: int, path: Path) -> None:
    chance = Random(seed)
    streams, known = {}, {}
    for key, found, known[key] in operators():
        streams[key] = drawn(found, known[key], chance)
    records = []
    while len(records) < count and streams:
        key = chance.choice(sorted(streams))
        one = next(streams[key], None)
        if one is None:
            del streams[key]
        else:
            records.append((key, facts(one, known[key]), one.model.SerializeToString()))
    path.write_bytes(pickle.dumps(records))
    print(f"{len(records):,} models")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
