"""Asks the ncnn wheel, a forked process per file: python ncnn_judge.py < JOBS prints a verdict per line; with FILE.param [FILE.bin], one.

Runs in a Python that has ncnn and numpy, and imports nothing else of ours. A job is a JSON object:

    param, bin   paths; without `bin`, every weight and every flag reads as 0
    inputs       shapes, outermost first, in the order of the net's inputs; of what has none, what the file declares, or else `fallback`
    integers     numbers of inputs that get small integers instead of floats
    feeds        an .npz of the inputs by name, in place of drawn ones
    shapes       whether the shape of every blob is wanted
    values       whether inputs and outputs are wanted as numbers
    weights      instead of running: a path to write weights to, of the sizes that the net reads; `seed` changes them, `storage` is fp32, fp16 or int8

A verdict has `stage`, null if everything ran, or the first of load_param, load_model, input, extract that failed. Then `signal` is the signal of
a crash, "timeout", or 0, `message` the end of what ncnn printed, and `blob` the output that could not be extracted. Of what ran: `inputs`,
`digests` of the outputs, bit by bit, `finite` (whether no output, or with `shapes` no blob, holds an infinity or NaN), `outputs` (shapes), `shapes`, `values`.

What "runs" means here: all blobs that no layer reads are extracted from one extractor, by number, as the ids of ncnn2mem's headers do (those
whose name two layers give, by name), with one thread, in light mode (the default), and with numbers of 32 bits: the storage and arithmetic of fp16 and bf16 are off, so that numbers do not
depend on the processor. Everything else is as ncnn has it. An output without elements counts as a failure, numbers that are not finite do not.
A mutant "runs right" if its outputs have the names and digests of its base's. Shapes are of an extractor that is not in light mode, which keeps
what it computes.
"""

from __future__ import annotations

import base64
import ctypes
import hashlib
import json
import os
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATIENCE = 20  # seconds of one file
MEMORY = 6 << 30
PRINTED = 600  # characters of what ncnn printed
FALLBACK = [3, 64, 64]


class Failure(Exception):
    """What ncnn could not do, without a crash."""


def declared(text: str) -> list[list[int]]:
    """The shapes of Input layers, as far as they are declared in full."""
    found = []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["Input"]:
            size = dict(word.split("=", 1) for word in words if "=" in word)
            shape = [size.get(key, "0") for key in ("2", "11", "1", "0")]
            known = [int(value) for value in shape if value.isdigit() and int(value)]
            found.append(known)
    return found


def numbers(shape: list[int], place: int, integer: bool) -> Any:
    """Inputs that depend on nothing but their place and shape."""
    import numpy as np

    rng = np.random.default_rng(1000 + place)
    if integer:
        return rng.integers(0, 8, shape).astype(np.int32)
    return rng.uniform(-1, 1, shape).astype(np.float32)


def network(ncnn: Any) -> Any:
    net = ncnn.Net()
    net.opt.num_threads = 1
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    net.opt.use_bf16_packed = net.opt.use_bf16_storage = False
    return net


FLAGS = {"fp32": 0, "fp16": 0x01306B47, "int8": 0x000D4B38}


def reader(ncnn: Any, seed: int, storage: str, sizes: list[int], is_careful: bool, written: list[bytes]) -> Any:
    """A source of random weights of whatever size is read; of zeros without `sizes`, which are what an earlier reader was asked for.

    Nobody says what is a flag. 4 bytes before more than 4 bytes are one; other 4 bytes are taken for a number, or, by careful readers, for either.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    flag = FLAGS[storage].to_bytes(4, "little")

    def weights(size: int) -> bytes:
        if storage == "int8":
            return rng.integers(-127, 128, size).astype("i1").tobytes()
        kind = np.dtype("<f2" if storage == "fp16" else "<f4")
        count = size // kind.itemsize
        bound = (3 / count**0.5) ** 0.5  # the sum over a channel stays near what goes in
        return rng.uniform(-bound, bound, count).astype(kind).tobytes()

    class Weights(ncnn.DataReader):
        is_after_flag = False

        def read(self, buffer: Any, size: int) -> int:
            is_flag = size == 4 and sizes[len(written) + 1 : len(written) + 2] not in ([4], [])
            if not sizes:
                data = bytes(size)
            elif self.is_after_flag:
                self.is_after_flag, data = False, weights(size)
            elif is_flag:
                self.is_after_flag, data = True, flag
            elif size == 4 and is_careful:
                data = bytes(size)
            else:  # variances and scales are among them
                data = rng.uniform(0.5, 1.5, size // 4).astype("<f4").tobytes()
            written.append(data)
            ctypes.memmove(address(buffer, None), data, size)
            return size

    return Weights()


def weigh(ncnn: Any, job: dict[str, Any], say: Any) -> bytes:
    """Weights that a net loads, read as often as zeros are."""
    sizes: list[int] = []
    for is_careful in (True, False, True):
        written: list[bytes] = []
        net = network(ncnn)
        say("load_param")
        if net.load_param(job["param"]) != 0:
            raise Failure
        say("load_model")
        source = reader(ncnn, job.get("seed", 0), job.get("storage", "fp32"), sizes, is_careful, written)
        if net.load_model(source) != 0:
            raise Failure
        if sizes and len(written) == len(sizes):
            break
        sizes = sizes or [len(data) for data in written]
    return b"".join(written)


def shape_of(mat: Any) -> list[int]:
    return [[], [mat.w], [mat.h, mat.w], [mat.c, mat.h, mat.w], [mat.c, mat.d, mat.h, mat.w]][mat.dims]


def is_finite(data: Any) -> bool:
    import numpy as np

    return bool(np.isfinite(data.astype(np.float64)).all())


def run(job: dict[str, Any], say: Any) -> dict[str, Any]:
    """What becomes of a file. `say` is told each stage before it begins: a crash cannot tell."""
    import ncnn
    import numpy as np

    if job.get("weights"):
        return {"size": Path(job["weights"]).write_bytes(weigh(ncnn, job, say))}
    net = network(ncnn)
    say("load_param")
    if net.load_param(job["param"]) != 0:
        raise Failure
    say("load_model")
    if net.load_model(job.get("bin") or ncnn.DataReaderFromEmpty()) != 0:
        raise Failure
    say("input")
    shapes = _inputs(job, len(net.input_indexes()))
    fed = [numbers(shape, k, k in job.get("integers", ())) for k, shape in enumerate(shapes)]
    if job.get("feeds"):
        with np.load(job["feeds"]) as given:
            fed = [given[name] for name in net.input_names()]
    extractor = _fed(ncnn, net, fed)
    say("extract")
    names = net.output_names()
    if not names:
        raise Failure
    outputs = []
    known = Counter(blob.name for blob in net.blobs())
    for name, index in zip(names, net.output_indexes(), strict=True):
        say(f"extract {name}")
        code, mat = extractor.extract(index if known[name] == 1 else name)
        if code != 0 or mat.empty():
            raise Failure
        outputs.append((name, np.array(mat), shape_of(mat)))
    found: dict[str, Any] = {
        "inputs": shapes,
        "digests": [[name, hashlib.sha1(data.tobytes()).hexdigest()[:12]] for name, data, _ in outputs],
        "finite": all(is_finite(data) for _, data, _ in outputs),
        "outputs": {name: shape for name, _, shape in outputs},
    }
    if job.get("values"):
        every = {
            **dict(zip(net.input_names(), fed, strict=True)),
            **{name: data for name, data, _ in outputs},
        }
        found["values"] = {
            name: [str(data.dtype), base64.b64encode(data.tobytes()).decode()] for name, data in every.items()
        }
    if job.get("shapes"):
        blobs = list(_blobs(ncnn, net, fed))
        found["shapes"] = [[name, shape] for name, shape, _ in blobs]
        found["finite"] = all(finite for _, _, finite in blobs)
    return found


def _inputs(job: dict[str, Any], count: int) -> list[list[int]]:
    given = job.get("inputs") or []
    known = declared(Path(job["param"]).read_text(encoding="utf-8", errors="replace"))
    sizes = [*given, *known[len(given) :]][:count]
    return [shape or job.get("fallback") or FALLBACK for shape in [*sizes, *([[]] * (count - len(sizes)))]]


def _fed(ncnn: Any, net: Any, fed: list[Any]) -> Any:
    extractor = net.create_extractor()
    for index, data in zip(net.input_indexes(), fed, strict=True):
        if extractor.input(index, ncnn.Mat(data).clone()) != 0:
            raise Failure
    return extractor


def _blobs(ncnn: Any, net: Any, fed: list[Any]) -> Iterator[tuple[str, list[int] | None, bool]]:
    """Name and shape of each blob, and whether its numbers are finite."""
    import numpy as np

    extractor = _fed(ncnn, net, fed)
    extractor.set_light_mode(False)
    for index, blob in enumerate(net.blobs()):
        code, mat = extractor.extract(index)
        yield blob.name, shape_of(mat) if code == 0 else None, code == 0 and is_finite(np.array(mat))


def _child(job: dict[str, Any], pipe: int, errors: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(job.get("patience", PATIENCE))
    os.dup2(errors, 2)
    os.dup2(errors, 1)
    with os.fdopen(pipe, "w") as said:

        def say(stage: str) -> None:
            print(json.dumps(stage), file=said, flush=True)

        try:
            print(json.dumps(run(job, say)), file=said, flush=True)
        except (Failure, MemoryError):
            print(json.dumps({"failed": True}), file=said, flush=True)


def verdict(job: dict[str, Any]) -> dict[str, Any]:
    """Run a file in a process of its own."""
    with tempfile.TemporaryFile() as errors:
        said, pipe = os.pipe()
        child = os.fork()
        if not child:
            os.close(said)
            try:
                _child(job, pipe, errors.fileno())
            finally:
                os._exit(0)
        os.close(pipe)
        with os.fdopen(said) as stream:
            lines = [json.loads(line) for line in stream if line.endswith("\n")]
        status = os.waitpid(child, 0)[1]
        errors.seek(0)
        message = errors.read().decode("utf-8", "replace")[-PRINTED:]
    result = lines[-1] if lines and isinstance(lines[-1], dict) else {}
    stages = [line for line in lines if isinstance(line, str)]
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if result and not result.get("failed"):
        return {"stage": None, "message": message, **result}
    stage, _, blob = (stages[-1] if stages else "load_param").partition(" ")
    why: int | str = "timeout" if killed == signal.SIGALRM else killed
    return {"stage": stage, "signal": why, "message": message, **({"blob": blob} if blob else {})}


def main() -> None:
    import ncnn  # noqa: F401  (once, for all children)
    import numpy  # noqa: F401

    if len(sys.argv) > 1:
        weights = sys.argv[2] if len(sys.argv) > 2 else None
        print(json.dumps(verdict({"param": sys.argv[1], "bin": weights, "shapes": True}), indent=1))
        return
    for line in sys.stdin:
        print(json.dumps(verdict(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
