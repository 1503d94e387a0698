"""python -m fuzz.guided HARNESS FOLDER OPTIONS...: one harness under atheris; the folder is filled with its seeds."""

from __future__ import annotations

import random
import sys
from hashlib import sha1
from pathlib import Path

import atheris


def main() -> None:
    name, folder, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["irlint", "irlint_lsp"]):  # much is imported only when it is needed
        from fuzz import invariants
        from fuzz.harnesses import harness as of_name
        from fuzz.mutate import mutate

        harness = of_name(name)
        invariants.slowness = 5.0
        seeds = harness.seeds()
        for number, seed in enumerate(seeds):
            (Path(folder) / f"{number:03}").write_bytes(seed)

        def change(data: bytes, most: int, seed: int) -> bytes:
            """Half of the mutations know tokens, the others are libFuzzer's own."""
            choose = random.Random(seed)
            return mutate(data, choose, seeds)[:most] if choose.random() < 0.6 else atheris.Mutate(data, len(data))

        def check(data: bytes) -> None:
            try:
                harness.check(data)
            except BaseException:  # not every version of atheris keeps what raised something
                (Path(folder).parent / "broken" / f"raised-{sha1(data).hexdigest()}").write_bytes(data)
                raise

        atheris.Setup([sys.argv[0], *options], check, custom_mutator=change)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
