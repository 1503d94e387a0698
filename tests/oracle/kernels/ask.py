"""Ask a runtime which models it loads: python ask.py RUNTIME MODELS ANSWERS, with a Python that has the runtime and nothing of ours.

A runtime that dies over a model is started again behind it.
"""

import pickle
import subprocess
import sys
import time
from pathlib import Path

_MANY = 300  # characters of what a runtime says


def onnxruntime():
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return lambda data: onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def openvino():
    sys.modules["openvino_telemetry"] = None
    import openvino

    core = openvino.Core()
    settings = {"INFERENCE_NUM_THREADS": 1}
    return lambda data: core.compile_model(core.read_model(data, b""), "CPU", settings)


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


def worker(runtime, models, answers, start):
    load = globals()[runtime]()
    records = pickle.loads(Path(models).read_bytes())
    with Path(answers).open("a") as file:
        for _key, _, data in records[start:]:
            try:
                load(data)
                said = ""
            except Exception as error:
                said = (str(error) or type(error).__name__).replace("\n", " ")[:_MANY]
            file.write(said + "\n")
            file.flush()


def main(runtime, models, answers):
    Path(answers).write_text("")
    total = len(pickle.loads(Path(models).read_bytes()))
    began, done = time.time(), 0
    while done < total:
        command = [sys.executable, __file__, runtime, models, answers, str(done)]
        status = subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
        now = Path(answers).read_text(errors="replace").count("\n")
        if now < total:
            with Path(answers).open("a") as file:
                file.write(f"died: {status}\n")
            now += 1
        done = now
    print(f"{runtime} {total} models, {time.time() - began:.0f} s")


if __name__ == "__main__":
    if len(sys.argv) > 4:
        worker(*sys.argv[1:4], int(sys.argv[4]))
    else:
        main(*sys.argv[1:4])
