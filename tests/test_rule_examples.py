"""The examples that formats bring for rules (`pages.md`): the first model gives exactly the finding, the second gives none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from irlint import engine
from irlint.codes import BESIDE, COMPARING
from irlint.findings import Finding
from irlint.formats.base import all_formats
from irlint.formats.samples import file_name
from irlint.rules import examples, page, registry
from irlint.rules.base import Rule
from irlint.rules.examples import Example, ExampleModel
from irlint.settings import Settings

UNSHOWN = ("I001", "I002", "T008", *COMPARING, *BESIDE)  # that no file gives by itself
COMPLETE = ("onnx", "openvino", "ncnn")  # formats with an example of each of their rules
PORT = {"name": "x", "kind": "required"}
RULES = [rule for rule in registry.all_rules().values() if rule.__module__.startswith("irlint.")]


def shown() -> Iterator[tuple[type[Rule], Example]]:
    for rule in RULES:
        yield from ((rule, example) for example in examples.examples(rule.code).values())


def lint(rule: type[Rule], format_name: str, sample: ExampleModel, folder: Path) -> list[Finding]:
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
    found_in = {rule.code for rule in RULES if name in (page.formats_of(rule) or all_formats())}
    shown_in = {rule.code for rule, example in shown() if example.format == name}
    assert found_in - shown_in == set(UNSHOWN)


def test_examples_are_of_rules_that_occur_in_their_format() -> None:
    assert [
        (rule.code, example.format)
        for rule, example in shown()
        if example.format not in (page.formats_of(rule) or all_formats())
    ] == []


def example(*blocks: str, frame: str = "") -> Example:
    ((_, found),) = examples.parsed("\n".join((frame, "# R001", *blocks)), "onnx")
    return found


def test_a_block_is_a_model_or_a_part_of_one() -> None:
    whole = example("```text\na\n```", "```text\nb\n```")
    assert (whole.broken.text, whole.sound.text) == ("a\n", "b\n")
    assert whole.example == "```text\na\n```"
    frame = "```xml model.bin=2*00\n<a>\n  <b/>\n</a>\n```"
    part = example("Why:\n\n```xml\n  <c/>\n```", "How:\n\n```xml model.bin=none\n  <b/>\n```", frame=frame)
    assert (part.broken.text, part.sound.text) == ("<a>\n  <c/>\n</a>\n", "<a>\n  <b/>\n</a>\n")
    assert (part.broken.side_files, part.sound.side_files) == ({"model.bin": bytes(2)}, {})
    assert part.example == "Why:\n\n```xml\n<c/>\n```"
    assert part.instead == "How:\n\n```xml\n<b/>\n```"


def test_the_words_of_a_block() -> None:
    words = 'dialect=json target=openvino=2021.4 extension=own:Op model.bin=2*00 ff a.bin="b c" link.bin=->/dev/null'
    found = example(f"```text {words}\na\n```", "```text cut=yes escapes=yes\n\\xff\\u0041⟨3 x [⟩\n```")
    shown = found.broken
    assert (shown.dialect, shown.targets, shown.extension) == ("json", {"openvino": "2021.4"}, "own:Op")
    assert (shown.side_files, shown.links) == ({"model.bin": b"\0\0\xff", "a.bin": b"b c"}, {"link.bin": "/dev/null"})
    assert found.sound.text == "\udcffA[[["
    assert "words" not in found.example


@pytest.mark.parametrize(
    ("blocks", "frame", "why"),
    [
        (["```text\na\n```"], "", "expected 2 blocks for R001, got 1"),
        (["```text\na\n```"] * 3, "", "expected 2 blocks for R001, got 3"),
        (["```text\na\n```", "```text\nb\n```"], "```text\nb\nb\n```", "occurs more than once"),
    ],
)
def test_what_is_no_example(blocks: list[str], frame: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        example(*blocks, frame=frame)
