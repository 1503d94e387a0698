"""Records of a store as large as one likes, for tests of the reports by objects: the same for the same number."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from random import Random
from typing import Any

ROOT = "s3://models/production"
TEAMS = ("asr", "detection", "embedding", "ocr", "ranking", "segmentation", "translation", "tts")
RULES = (
    ("A001", "unknown-attribute", "warning", "unknown attribute `{0}` for Convolution '{1}'"),
    ("D001", "shape-mismatch", "error", "declared shape [1, 64] of '{1}' does not match inferred shape [1, 128]"),
    ("G005", "unreachable-node", "info", "unreachable node '{1}'"),
    ("O001", "unknown-operator", "error", "unknown operator `{0}`; did you mean `Conv`?"),
    ("V003", "value-not-allowed", "error", "expected `same` or `valid` for `pad`, got `{0}`"),
    ("W001", "missing-weights", "error", "missing weights file '{1}.bin'"),
    ("X110", "runtime-info", "warning", "duplicate `{0}` in `<rt_info>`; OpenVINO ignores it"),
)
KINDS: tuple[tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("onnx", "binary", "onnx", "model", ("pytorch 2.4.1", "pytorch 2.1.0", "tf2onnx 1.16", "skl2onnx"), ("11", "13", "17", "18")),
    ("openvino", "ir11", "xml", "openvino", ("OpenVINO 2024.6.0", "OpenVINO 2023.3.0"), ("opset8", "opset13", "opset15")),
    ("nnvm", "mxnet", "json", "net-symbol", ("MXNet 1.9.1", "MXNet 1.5.0"), ("1.9.1", "1.5.0")),
    ("ncnn", "param", "param", "net", ("",), ("",)),
)  # fmt: skip


def records(count: int, seed: int = 1, root: str = ROOT) -> Iterator[dict[str, Any]]:
    """Yield the records of a store in order. Two seeds give stores that differ in some objects and findings."""
    for number in range(count):
        stable, drift = Random(number), Random(f"{number} {seed}")
        if drift.random() < 0.01:
            continue
        yield _record(number, count, stable, drift, root)


def _record(number: int, count: int, stable: Random, drift: Random, root: str) -> dict[str, Any]:
    team, inner = divmod(number * len(TEAMS), count)
    name, dialect, ending, stem, producers, opsets = stable.choices(KINDS, (6, 3, 1, 2))[0]
    key = f"{TEAMS[team]}/v{inner * 8 // count}/{number:07}/{stem}.{ending}"
    size = int(10 ** stable.gauss(6.2, 0.9))
    architecture = stable.randrange(max(count // 3, 1))
    weights = stable.choice((architecture, architecture, number))
    drifts = drift.random() < 0.05
    found = [_finding(stable) for _ in range(_many(stable, TEAMS[team]))]
    if drifts:
        found = found[1:] if found and drift.random() < 0.6 else [*found, _finding(drift)]
    if stable.random() < 0.004:
        trouble = stable.choice(("cannot be read: access denied", "vanished since it was listed", "9,663,676,416 bytes; --max-size is 2,147,483,648"))  # fmt: skip
        return record(f"{root}/{key}", key, size, _hash(number), trouble=trouble)
    return record(
        f"{root}/{key}", key, size, f'"{_hash(number, drifts)}"', name, dialect, stable.choice(producers) or None,
        stable.choice(opsets) or None, _hash(architecture), _hash(weights, "w"), found,
    )  # fmt: skip


def record(
    url: str, key: str, size: int | None, etag: str | None, format: str | None = None, dialect: str | None = None,
    producer: str | None = None, opset: str | None = None, graph: str | None = None, weights: str | None = None,
    findings: list[dict[str, Any]] | None = None, trouble: str | None = None, failure: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    is_model = format is not None or bool(findings)
    counts = dict.fromkeys(("nodes", "side_size", "weights_size"), 4096 if is_model else None)
    kind = "unread" if trouble or failure else "model" if is_model else "other"
    return {
        "url": url, "key": key, "size": size, "etag": etag, "kind": kind, "format": format, "dialect": dialect, "producer": producer,
        "opset": opset, **counts, "graph": graph, "weights": weights, "trouble": trouble, "failure": failure,
        "findings": findings or [],
    }  # fmt: skip


def finding(
    code: str, name: str, severity: str, message: str, line: int = 1, node: str | None = None
) -> dict[str, Any]:
    place = {"line": line, "column": 1, "end_line": line, "end_column": 2}
    url = f"https://irlint.readthedocs.io/rules/{name}/"
    return {
        "code": code, "name": name, "severity": severity, "message": message, **place, "pointer": None, "node": node,
        "fix": None, "related": [], "url": url,
    }  # fmt: skip


def _finding(random: Random) -> dict[str, Any]:
    code, name, severity, message = random.choices(RULES, (8, 3, 6, 1, 1, 2, 5))[0]
    node = f"block{random.randrange(40)}/conv{random.randrange(4)}"
    words = random.choice(("output_padding", "kernal", "old_api_map_order"))
    return finding(code, name, severity, message.format(words, node), random.randrange(1, 4000), node)


def _many(random: Random, team: str) -> int:
    if random.random() > (0.5 if team in ("ocr", "tts") else 0.2):
        return 0
    return min(int(random.expovariate(0.3)) + 1, 60)


def _hash(*words: Any) -> str:
    return blake2b(repr(words).encode(), digest_size=16).hexdigest()
