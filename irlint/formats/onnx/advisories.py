"""The paths and keys of external data, and nesting, as attacks on readers use them."""

from __future__ import annotations

from irlint.formats.onnx.rules import R
from irlint.rules.advisories import Advisory

# What the paths and keys of external data do to readers; `pointer` and `token` tell these findings from others of the rule
_DATA = "/external_data/"
_PATH = r"\.\.[/\\]|^\W?(?:/|\\|[A-Za-z]:)"  # out of the folder, by `..` or as an absolute path
_NO_PATH = r"^(?!.*(?:\.\.[/\\]|^\W?(?:/|\\|[A-Za-z]:)))"
ADVISORIES = (
    Advisory(
        R.unsafe_path,
        (22,),
        "onnx before 1.13 reads any file that a path such as `../../etc/passwd` names",
        "CVE-2022-25882",
        token=_PATH,
    ),
    Advisory(
        R.unsafe_path,
        (22,),
        "onnx before 1.16 reads any file that a path with `..` inside it names, such as `a/../../b`",
        "CVE-2024-27318",
        token=_PATH,
    ),
    Advisory(
        R.unsafe_path,
        (22,),
        "`save_external_data` of onnx 1.17 writes to such a path, so that saving the model overwrites any file",
        "CVE-2025-51480",
        token=_PATH,
    ),
    Advisory(
        R.unsafe_path,
        (22, 61),
        "onnx before 1.21 reads through a symbolic link that leads out of the model's folder",
        "CVE-2026-34447",
        token=_NO_PATH,
    ),
    Advisory(
        R.unsafe_path,
        (22, 23),
        "onnx before 1.21 reads through a folder that is a symbolic link out of the model's folder",
        "CVE-2026-27489",
        token=_NO_PATH,
    ),
    Advisory(
        R.unknown_key,
        (915,),
        "onnx before 1.21 sets the attribute of a Python object that an unknown key of external data names",
        "CVE-2026-34445",
        pointer=_DATA,
    ),
    Advisory(
        R.wrong_length,
        (915, 400),
        "onnx before 1.21 allocates the `length` of external data, such as 9,000,000 GB for a tensor of 8 bytes",
        "CVE-2026-34445",
        pointer=_DATA,
        token=r"\d{11}",
    ),
    Advisory(
        R.value_not_allowed,
        (915,),
        "onnx before 1.21 takes a negative `offset` or `length` of external data",
        "CVE-2026-34445",
        pointer=_DATA,
        token=r"^\W?-\d",
    ),
    Advisory(
        R.too_deep,
        (674,),
        "protobuf's parser in pure Python (before 4.25.8, 5.29.5 and 6.31.1) exceeds the limit of recursion, and the program ends",
        "CVE-2025-4565",
    ),
)
