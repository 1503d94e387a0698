"""What Keras says of configurations: PYTHON -m oracle.keras.judge FILE, with a JSON text on each line; a verdict is printed for each.

In tests/, by the Python of .oracle/keras or .oracle/keras-2. Models are built, and not run.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "numpy")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

try:
    import tf_keras as keras
except ImportError:
    import keras

keras.saving.register_keras_serializable(package="probe", name="_double")(lambda x: x * 2)


SECONDS = 60  # a wrong number of a call lets tf-keras wait for itself


class LateError(BaseException):
    """Keras did not come to an end."""


def _late(*_: object) -> None:
    raise LateError


def verdict(text: str) -> str:
    """Return "ok", the error with which Keras refuses a configuration, or "late"."""
    keras.backend.clear_session()
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(SECONDS)
    try:
        found = keras.models.model_from_json(text)
        if not isinstance(found, keras.Model):
            return f"{type(found).__name__} instead of a model"
    except LateError:
        return "late"
    except Exception as error:
        lines = [line for line in str(error).split("\n") if line.strip()]
        return f"{type(error).__name__}: {lines[0][:200] if lines else ''}"
    finally:
        signal.alarm(0)
    return "ok"


if __name__ == "__main__":
    for line in Path(sys.argv[1]).read_text("utf-8").split("\n"):
        if line:
            print(verdict(line), flush=True)
