"""The runtimes that a project's files name: packages with a release, and images; what init writes of them is a valid configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint.config.build import target_trouble
from irlint.config.runtimes import runtimes


@pytest.mark.parametrize(
    ("file", "line", "expected"),
    [
        ("requirements.txt", "onnxruntime==1.17.3  # pinned", ("onnxruntime", "1.17.3")),
        ("requirements.txt", "onnxruntime-gpu[cuda] >= 1.18", ("onnxruntime", "1.18,provider=cuda")),
        ("pyproject.toml", 'dependencies = ["numpy", "openvino~=2024.1.0"]', ("openvino", "2024.1.0")),
        ("environment.yml", "  - opencv-python-headless=4.10.0.84", ("opencv", "4.10.0.84")),
        ("Dockerfile", "RUN pip install ncnn==1.0.20240410", ("ncnn", "1.0.20240410")),
        ("pyproject.toml", 'onnxruntime = "^1.18"', ("onnxruntime", "1.18")),
        ("pyproject.toml", 'openvino = {version = "2024.6.0", extras = ["pytorch"]}', ("openvino", "2024.6.0")),
        ("environment.yml", "  - py-opencv=4.12", ("opencv", "4.12")),
        (
            "Dockerfile",
            "FROM nvcr.io/nvidia/tritonserver:23.10-py3-sdk AS server",
            ("onnxruntime", "1.16.0,provider=cuda"),
        ),
        ("uv.lock", '[[package]]\nname = "onnxruntime"\nversion = "1.19.2"\nsource = {}', ("onnxruntime", "1.19.2")),
        ("Dockerfile", "FROM openvino/model_server:2024.3-gpu", ("openvino", "2024.3")),
    ],
)
def test_a_release_that_a_file_names(tmp_path: Path, file: str, line: str, expected: tuple[str, str]) -> None:
    (tmp_path / file).write_text(f"{line}\n")
    (found,) = runtimes(str(tmp_path))
    assert (found.name, found.release, found.file) == (*expected, file)
    assert target_trouble(*expected) is None


@pytest.mark.parametrize(
    "line", ["onnxruntime", "my-onnxruntime==1.17", "# onnxruntime==1.17", "onnxruntime<2", "torch==2.1"]
)
def test_a_file_that_names_none(tmp_path: Path, line: str) -> None:
    (tmp_path / "requirements.txt").write_text(line)
    assert runtimes(str(tmp_path)) == []


def test_a_runtime_is_taken_once(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("onnxruntime==1.17\n" + "onnxruntime==1.18\n" * 100_000)
    assert [one.release for one in runtimes(str(tmp_path))] == ["1.17"]


def test_files_of_requirements_that_others_name(tmp_path: Path) -> None:
    (tmp_path / "reqs").mkdir()
    (tmp_path / "requirements.txt").write_text("-r reqs/base.txt\n-r ../outside.txt\n--requirement /etc/passwd\n")
    (tmp_path / "reqs/base.txt").write_text("-r more.txt\n-r ../requirements.txt\n")
    (tmp_path / "reqs/more.txt").write_text("onnxruntime==1.16.1\n")
    (tmp_path.parent / "outside.txt").write_text("openvino==2024.1.0\n")
    assert [(one.release, one.file) for one in runtimes(str(tmp_path))] == [("1.16.1", "reqs/more.txt")]


def test_what_is_locked_counts_first(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('dependencies = ["onnxruntime>=1.15"]\n')
    (tmp_path / "poetry.lock").write_text('[[package]]\nname = "onnxruntime"\nversion = "1.20.1"\n')
    assert [one.release for one in runtimes(str(tmp_path))] == ["1.20.1"]
