"""Ask a runtime which models it loads: python ask.py RUNTIME MODELS ANSWERS [ANSWERS OF THE NEXT RELEASE], with a Python that has the
runtime and nothing of ours.

A runtime that dies over a model is started again behind it.
"""

import json
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_MANY = 300  # characters of what a runtime says
_EVERY = 7  # of the models of an operator, one is asked to see whether a release is like the next one; a prime, as facts come in rows


def onnxruntime():
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return lambda data: onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def openvino():
    sys.modules["openvino_telemetry"] = None
    import openvino

    core, settings = openvino.Core(), {"INFERENCE_NUM_THREADS": 1}
    path = Path(tempfile.mkdtemp(dir="/dev/shm")) / "model.onnx"  # 2026 reads files in another way than bytes

    def load(data):
        path.write_bytes(data)
        core.compile_model(core.read_model(path), "CPU", settings)

    return load


def openvino_ir():
    sys.modules["openvino_telemetry"] = None
    try:
        from openvino import Core
    except ImportError:  # 2023.0
        from openvino.runtime import Core
    core, settings = Core(), {"INFERENCE_NUM_THREADS": 1}
    return lambda model: core.compile_model(core.read_model(*model), "CPU", settings)


def opencv():
    import cv2
    import numpy

    return lambda data: cv2.dnn.readNetFromONNX(numpy.frombuffer(data, numpy.uint8))


def tract():
    import tract

    load = tract.onnx().model_for_bytes if hasattr(tract.onnx(), "model_for_bytes") else tract.onnx().load_buffer

    return lambda data: load(data).into_optimized()


def worker(runtime, models, places, parts, start):
    load = globals()[runtime]()
    records = pickle.loads(Path(models).read_bytes())
    with Path(parts).open("a") as file:
        for k in json.loads(Path(places).read_text())[start:]:
            try:
                load(records[k][-1])
                said = ""
            except Exception as error:
                said = (str(error) or type(error).__name__).replace("\n", " ")[:_MANY]
            file.write(said + "\n")
            file.flush()


def asked(runtime, models, places, answers):
    """Return what a runtime says of the models at some places."""
    file, parts = Path(f"{answers}.places"), Path(f"{answers}.part")
    file.write_text(json.dumps(places))
    parts.write_text("")
    done = 0
    while done < len(places):
        command = [sys.executable, __file__, runtime, models, str(file), str(parts), str(done)]
        status = subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
        done = parts.read_text(errors="replace").count("\n")
        if done < len(places):
            with parts.open("a") as more:
                more.write(f"died: {status}\n")
            done += 1
    said = dict(zip(places, parts.read_text(errors="replace").split("\n"), strict=False))
    file.unlink()
    parts.unlink()
    return said


def main(runtime, models, answers, newer=None):
    """Ask of all models; with the answers of the next release, of some of each operator, and of all where one of these differs."""
    began = time.time()
    keys = [record[0] for record in pickle.loads(Path(models).read_bytes())]
    if newer is None:
        found = asked(runtime, models, list(range(len(keys))), answers)
    else:
        known = dict(enumerate(Path(newer).read_text(errors="replace").split("\n")))
        some = list(range(0, len(keys), _EVERY))
        found = asked(runtime, models, some, answers)
        other = {keys[k] for k in some if bool(found[k]) != bool(known[k])}
        rest = [k for k, key in enumerate(keys) if key in other and k % _EVERY]
        found = {**known, **found, **asked(runtime, models, rest, answers)}
    Path(answers).write_text("".join(found[k] + "\n" for k in range(len(keys))))
    print(f"{runtime} {len(keys)} models, {time.time() - began:.0f} s")


if __name__ == "__main__":
    if len(sys.argv) > 5:
        worker(*sys.argv[1:5], int(sys.argv[5]))
    else:
        main(*sys.argv[1:])
