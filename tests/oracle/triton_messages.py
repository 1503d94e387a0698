"""The messages in schemas/companions/triton.json: those of Triton's model configuration, as its client for Python has them.

.oracle/triton/bin/python -m oracle.triton_messages
"""

from __future__ import annotations

from importlib.metadata import version

from tritonclient.grpc import model_config_pb2

from oracle.protobuf_messages import Messages

ROOT = model_config_pb2.ModelConfig.DESCRIPTOR


def named(full_name: str) -> str:
    """Return a name without the package and the message that all are of: `ModelInput.Format` is `ModelInput_Format`."""
    return full_name.removeprefix("inference.").removeprefix("ModelConfig.").replace(".", "_")


def main() -> None:
    found = Messages(named)
    found.add([ROOT])
    found.write("triton.json", named(ROOT.full_name), f"tritonclient {version('tritonclient')}, model_config.proto")


main()
