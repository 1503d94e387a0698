"""The messages in schemas/companions/mediapipe.json: graphs, and the options of calculators of MediaPipe and OpenVINO Model Server.

python -m oracle.mediapipe_messages FOLDER..., with grpcio-tools: each folder has the .proto files of one version of
https://github.com/openvinotoolkit/mediapipe, or `src` of https://github.com/openvinotoolkit/model_server, the newest ones last.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import grpc_tools
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_tools import protoc

from oracle.protobuf_messages import Messages

ROOT = "mediapipe.CalculatorGraphConfig"
PACKAGE = "mediapipe"
HOSTS = (
    "CalculatorOptions",
    "MediaPipeOptions",
    "PacketGeneratorOptions",
    "google.protobuf.Any",
)  # that have any others


def named(full_name: str) -> str:
    """Return a name as it is within the package."""
    return full_name.removeprefix(f"{PACKAGE}.")


def compiled(file: Path, roots: list[Path]) -> Any:
    """Return the descriptors of a file and of all that it imports; None if it imports something that is not there."""
    includes = [*(f"-I{root}" for root in roots), f"-I{Path(grpc_tools.__file__).parent / '_proto'}"]
    with NamedTemporaryFile() as target:
        name = str(file.relative_to(roots[0]))
        failed = protoc.main(["protoc", *includes, "--include_imports", f"--descriptor_set_out={target.name}", name])
        return None if failed else descriptor_pb2.FileDescriptorSet.FromString(target.read())


def versions(folder: Path, framework: Path) -> Iterator[list[Any]]:
    """Yield the messages of each file of a version, by itself: two of them may have messages with the same name."""
    root = folder / "src" if (folder / "src").exists() else folder
    for file in sorted(root.rglob("*.proto")):
        found = None if "tensorflow/" in file.read_text() else compiled(file, [root, framework])
        if found is not None:
            pool = descriptor_pool.DescriptorPool()
            for each in found.file:
                pool.Add(each)
            yield list(pool.FindFileByName(found.file[-1].name).message_types_by_name.values())


def inner(messages: list[Any]) -> Iterator[Any]:
    for message in messages:
        yield message
        yield from inner(list(message.nested_types))


def main() -> None:
    found = Messages(named)
    folders = [Path(folder) for folder in sys.argv[1:]]
    frameworks = [folder for folder in folders if (folder / "mediapipe/framework/calculator.proto").exists()]
    for folder in folders:
        for messages in versions(folder, frameworks[-1]):
            found.add(message for message in inner(messages) if _is_option(message))
    for host in HOSTS:
        found.rows[host].append("[]")
    found.write("mediapipe.json", named(ROOT), "https://github.com/openvinotoolkit/mediapipe and model_server")


def _is_option(message: Any) -> bool:
    """Return whether a message may be the options of a calculator, or is a graph."""
    return bool(message.full_name == ROOT or message.full_name.endswith("Options") or message.extensions)


main()
