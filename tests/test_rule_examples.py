"""The examples that formats bring for rules (`pages.md`): the first model gives exactly the finding, the second gives none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Finding
from irlint.formats.base import all_formats
from irlint.formats.samples import file_name
from irlint.rules import examples, registry
from irlint.rules.base import Rule
from irlint.rules.examples import Example, Sample
from irlint.settings import Settings

UNSHOWN = ("I001", "I002", "T008")  # that no file gives by itself
COMPLETE = ("onnx", "openvino", "ncnn")  # formats with an example of each of their rules
PORT = {"name": "x", "kind": "required"}
RULES = [rule for rule in registry.all_rules().values() if rule.__module__.startswith("irlint.")]


def shown() -> Iterator[tuple[type[Rule], Example]]:
    for rule in RULES:
        yield from ((rule, example) for example in examples.examples(rule.code).values())


def lint(rule: type[Rule], format_name: str, sample: Sample, folder: Path) -> list[Finding]:
    form = f"{format_name}:{sample.dialect}" if sample.dialect else format_name
    path = folder / file_name(form)
    path.write_bytes(data := sample.text.encode("utf-8", "surrogateescape"))
    for name, content in sample.side_files.items():
        (folder / name).write_bytes(content)
    for name, target in sample.links.items():
        (folder / name).symlink_to(target)
    domain, _, operator = sample.extension.partition(":")
    options = (
        {format_name: {"extensions": {domain: {operator: {"inputs": [PORT], "outputs": [PORT]}}}}} if domain else {}
    )
    # by its code, so that findings of every grade are reported
    settings = Settings(("ALL", rule.code), targets=tuple(sample.targets.items()), options=options)
    return engine.lint_bytes(data, str(path), settings, path=path).findings


@pytest.mark.parametrize(
    ("rule", "example"), [pytest.param(*pair, id=f"{pair[0].code}-{pair[1].format}") for pair in shown()]
)
def test_only_the_first_model_gives_the_finding(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    for name in ("broken", "sound"):
        (tmp_path / name).mkdir()
    broken = lint(rule, example.format, example.broken, tmp_path / "broken")
    assert [finding.code for finding in broken] == [rule.code]
    assert [finding.code for finding in lint(rule, example.format, example.sound, tmp_path / "sound")] == []


@pytest.mark.parametrize("name", COMPLETE)
def test_every_rule_of_a_format_has_an_example(name: str) -> None:
    found_in = {rule.code for rule in RULES if name in (registry.formats_of(rule) or all_formats())}
    shown_in = {rule.code for rule, example in shown() if example.format == name}
    assert found_in - shown_in == set(UNSHOWN)


def test_examples_are_of_rules_that_occur_in_their_format() -> None:
    assert [
        (rule.code, example.format)
        for rule, example in shown()
        if example.format not in (registry.formats_of(rule) or all_formats())
    ] == []
