"""The reader of configurations, as YAML and as TOML, and what a lint makes of them."""

from __future__ import annotations

from pathlib import Path

from fuzz.folder import folder
from fuzz.invariants import bounded, lies_inside
from irlint import engine
from irlint.config.find import Configurations
from irlint.config.source import ConfigError
from irlint.formats.lightnet.samples import LIGHTNET

_YAML = """\
select: [ALL]
extend-select: [R, used-before-defined]
ignore: [G]
per-file-ignores: {"old/**": [S, T001], "!new/*.json": [R]}
severity: {R001: warning, ALL: error}
fail-on: warning
exclude: [build/, "*.tmp.json", "/a/**/b"]
extend-exclude: ["[a-z]?.json"]
targets: {openvino: "2024.6", mxnet: 1.9}
dry-run-shapes: true
formats: {nnvm: {weights: a.params}}
rules:
- {name: mine, message: "only these", allow: [create, "sl*"], match: {format: lightnet}}
- name: other
  code: U100
  message: no
  severity: info
  match: {op: slice, attribute: {axis: [0, 1], len: ">= 2"}, shape: [1, "*", "..."], dtype: float32}
"""
_TOML = """\
[tool.irlint]
select = ["ALL"]
ignore = ["G001"]
fail-on = "warning"
exclude = ["build/"]
[tool.irlint.severity]
R001 = "warning"
[[tool.irlint.rules]]
name = "mine"
message = "m"
deny = "slice"
"""


def seeds() -> list[bytes]:
    lines = [line.encode() for line in _YAML.splitlines()[:11]]
    return [b"", _YAML.encode(), _TOML.encode(), *lines]


def check(data: bytes) -> None:
    for name in ("irlint.yaml", "pyproject.toml"):
        path = folder() / name
        path.write_bytes(data)
        with bounded(data):
            try:
                configurations = Configurations.of_file(str(path))
            except ConfigError:
                continue
            config = configurations.of_folder(str(folder()))
            config.excludes(str(folder() / "build/a/old/b.json"))
            settings = config.settings(str(folder() / "old/a.json"))
            lies_inside(engine.lint(LIGHTNET, "a.json", settings, path=Path("a.json")).findings, LIGHTNET)
