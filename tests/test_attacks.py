"""What files from strangers try: each class that docs/assurance.md names and no other test holds."""

from __future__ import annotations

import io
import os
import pickle
import socket
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL

import irlint
from irlint import engine
from irlint.cli import main
from irlint.files import npz
from irlint.files.side_files import DiskBytes, SideFile
from irlint.formats.lightnet.reading.weight_file import tensors
from irlint.formats.nnvm.reading.params import ParamsDefect, read_index

HOSTILE = "\x1b[2J\u202e\n::error::x\r##vso[a]<script>`![a](http://b)"
MARK = "executed"


class Bomb:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return Path.touch, (self.path,)


def chain(form: str, length: int) -> str:
    """A model as deep as it is long."""
    from lsp import samples

    text: str = getattr(samples, form)(length)
    return text


@pytest.mark.parametrize("form", ["lightnet", "nnvm", "openvino", "glacier", "ncnn", "onnx"])
@pytest.mark.parametrize(
    "command", [["check"], ["flatten"], ["summary"], ["ngrams", "--along", "edges"], ["run", "--shapes-only"]]
)
def test_chains_longer_than_the_stack(
    form: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = (
        tmp_path / f"a.{ {'openvino': 'xml', 'glacier': 'txt', 'ncnn': 'param', 'onnx': 'onnxtxt'}.get(form, 'json') }"
    )
    path.write_text(chain(form, 1500))
    assert main([command[0], str(path), *command[1:]]) in (0, 1, 2, 4)
    assert "RecursionError" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<QQQ", 0x112, 0, 1 << 62),
        struct.pack("<QQQ", 0x112, 0, 1)
        + struct.pack("<Ii", 0xF993FAC9, 0)
        + struct.pack("<i64q", 64, *[1 << 62] * 64)
        + bytes(12),
        struct.pack("<QQQQ", 0xF7E58D4F05049CB7, 0, 1 << 61, 1 << 61),
        struct.pack("<QQQQ", 0xF7E58D4F05049CB7, 0, 1, (1 << 64) - 1),
    ],
)
def test_declared_sizes_of_parameters_cost_no_memory(data: bytes) -> None:
    assert peak(lambda: refused(ParamsDefect, lambda: read_index(data))) < 4 << 20


def test_declared_sizes_of_words_cost_no_memory() -> None:
    wanted = {"a": ("float32", (2,))}
    for text in (b"999999999999999 ", b"1 a 0 999999999999999 0 0", b"1 a 0 " + b"9" * 5000):
        assert peak(lambda text=text: refused(ValueError, lambda: tensors(text, wanted))) < 4 << 20


@pytest.mark.parametrize("shape", [(1 << 40,), (1 << 62, 4), (-1,), (1 << 80,)])
def test_declared_sizes_in_archives_cost_no_memory(shape: tuple[int, ...]) -> None:
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape!r}}}".encode()
    data = archive({"a.npy": b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head})

    assert peak(lambda: refused(ValueError, lambda: npz.Archive(data).array("a"))) < 4 << 20


def test_archives_that_swell_are_not_unpacked() -> None:
    zeros = np.zeros(20_000_000, "u1")
    stream = io.BytesIO()
    np.save(stream, zeros)
    for kind in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        data = archive({"a.npy": stream.getvalue()}, kind)
        assert len(data) < 20_000
        with pytest.raises(ValueError, match="a compression that NumPy does not use"):
            list(npz.entries(data))
        assert peak(lambda data=data: refused(ValueError, lambda: npz.Archive(data).array("a"))) < 4 << 20
    data = archive({"a.npy": stream.getvalue()}, zipfile.ZIP_DEFLATED)
    assert peak(lambda: list(npz.entries(data))) < 4 << 20
    assert peak(lambda: tensors(data, {"b": ("uint8", (1,))})) < 4 << 20


def test_headers_in_archives_cost_no_time() -> None:
    said = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%s)}" % (b"0," * 30_000)
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(said)) + said
    data = archive({f"{k}.npy": head for k in range(600)}, zipfile.ZIP_DEFLATED)
    assert len(data) < 200_000
    began = time.process_time()
    refused(ValueError, lambda: list(npz.entries(data)))
    for k in range(600):
        refused(ValueError, lambda k=k: npz.Archive(data).array(f"{k}"))
    assert time.process_time() - began < 20


def test_of_an_archive_only_what_is_wanted_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    stream = io.BytesIO()
    np.savez(stream, a=np.arange(3.0))
    with path.open("wb") as file:
        file.write(npz.MAGIC)
        file.truncate(300_000_000)
        file.seek(0, os.SEEK_END)
        file.write(stream.getvalue())
    data = SideFile(path, None).data
    assert npz.is_archive(data)
    assert peak(lambda: list(npz.entries(data))) < 4 << 20
    assert [*npz.Archive(data).array("a")] == [0, 1, 2]


def archive(members: dict[str, bytes], kind: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return stream.getvalue()


def refused(error: type[Exception], work: Callable[[], object]) -> None:
    with pytest.raises(error):
        work()


def peak(work: Callable[[], object]) -> int:
    """The most bytes that Python objects and arrays took meanwhile."""
    work()  # what is imported, and what pytest reads to tell of an error, is not meant
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["a.npz", "a.npy"])
def test_nothing_is_unpickled(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = np.array([Bomb(tmp_path / MARK)], object)
    path, model = tmp_path / name, tmp_path / "net-symbol.json"
    (np.savez if name.endswith("z") else np.save)(path, bomb, allow_pickle=True)
    model.write_text(SYMBOL)
    (tmp_path / "net.json").write_text(LIGHTNET.replace('"from_file", "value": false', '"from_file", "value": true'))
    main(["compare", str(path), str(path)])
    main(["run", str(model), "--input", f"data={path}"])
    main(["run", str(model), "--weights", str(path)])
    main(["run", str(tmp_path / "net.json"), "--weights", str(path)])
    main(["check", str(path)])
    raw = tmp_path / "b.npz"
    raw.write_bytes(pickle.dumps(Bomb(tmp_path / MARK)))
    main(["compare", str(raw), str(raw)])
    assert not (tmp_path / MARK).exists()
    assert "Traceback" not in capsys.readouterr().err


def link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def unix_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def link_out(path: Path) -> None:
    (path.parent.parent / "secret").write_bytes(bytes(64))
    path.symlink_to("../secret")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, link_to_a_device, unix_socket, link_out])
@pytest.mark.parametrize(
    ("model", "text", "weights"), [("net-symbol.json", SYMBOL, "net-0000.params"), ("net.xml", OPENVINO, "net.bin")]
)
def test_side_files_that_are_none(
    model: str, text: str, weights: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / model).write_text(text)
    make(folder / weights)
    result = engine.lint_bytes(text.encode(), model, path=folder / model)
    codes = {finding.code for finding in result.findings}
    assert codes & ({"X002"} if make in (link_out, link_to_a_device) else {"W001", "W003"})


def test_names_of_weights_in_a_model_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only files beside the model, found by its own name, are: whatever path stands in it."""
    opened: list[str] = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *rest, **more: (opened.append(str(path)), real(path, *rest, **more))[1]
    )
    for name, text in (("a.xml", OPENVINO), ("a.json", LIGHTNET), ("a-symbol.json", SYMBOL)):
        for word in ("scaled", "image", "fc0_weight", "data"):
            text = text.replace(word, "../../../../etc/passwd")
        (tmp_path / name).write_text(text)
        engine.lint_bytes(text.encode(), name, path=tmp_path / name)
    assert all(Path(path).parent == tmp_path for path in opened if "passwd" in path or str(tmp_path) in path)
    assert not any("passwd" in path for path in opened)


def test_weights_that_are_cut_off_while_they_are_read(tmp_path: Path) -> None:
    """With a memory map the process would be gone."""
    path = tmp_path / "w"
    path.write_bytes(struct.pack("<QQQ", 0x112, 0, 5) + b"x" * 99_976)
    stored = DiskBytes(os.open(path, os.O_RDONLY), 100_000)
    assert stored[30:33] == b"xxx"
    os.truncate(path, 26)
    assert (len(stored), stored[21:50], stored[50_000:60_000]) == (100_000, b"\0\0\0xx", b"")
    from irlint.formats.openvino.reading.binfile import BinFile

    (tmp_path / "a.bin").write_bytes(bytes(12))
    binary = BinFile(tmp_path / "a.xml")
    os.truncate(tmp_path / "a.bin", 4)
    assert binary.read(0, 12) is None
    with pytest.raises(ParamsDefect, match="ends in array 0"):
        read_index(stored)


def test_numbers_that_collide_as_keys_cost_nothing() -> None:
    """Texts are hashed with a secret, numbers are not: those that differ by 2^61 - 1 lie in one place of a table."""
    collide = (1 << 61) - 1

    def seconds(step: int) -> float:
        text = "".join(f"{number * step} nn.relu ['x']\n" for number in range(1, 8000))
        began = time.process_time()
        engine.lint(text, as_format="glacier:listing")
        return time.process_time() - began

    assert len({hash(number * collide) for number in range(1, 8000)}) == 1
    assert min(seconds(collide) for _ in range(2)) < 4 * min(seconds(collide + 2) for _ in range(2))


def test_hostile_names_in_hovers_stay_text() -> None:
    shown = pytest.importorskip("irlint_lsp.shown")
    for text in (HOSTILE, "`", "``a`b```", "<img src=x>", "[a](command:b)", " ", "\u2028"):
        code = shown.code(text)
        fence = code[: len(code) - len(code.lstrip("`"))]
        assert code.endswith(fence)
        assert fence not in code[len(fence) : -len(fence)]
        assert "\n" not in code
        assert not {"<", "[", "!", "`"} & {
            a for a, b in zip(shown.escaped(text), "\\" + shown.escaped(text), strict=False) if b != "\\"
        }


def test_the_api_takes_nothing_for_code() -> None:
    for text in ("__import__('os').system('exit 3')", "!!python/object/apply:os.abort []", "\x80\x04cos\nabort\n(tR."):
        assert irlint.lint(text.encode()) is not None
