"""Rule pages: docstrings taken apart, and drawn for terminals, the site and scripts."""

from __future__ import annotations

import json
import re
from textwrap import dedent

import pytest

from irlint.codes import R, RuleRow
from irlint.findings import Severity
from irlint.rules import page, registry
from irlint.rules.base import Rule


class Marked(Rule):
    """## What it does
    Finds a node that reads `itself`. There is
    more to say, which wraps when the line that it stands in grows beyond what fits on a screen.

    - one item
      that goes on
    - another; see [the list](https://example.org/x)

    ## Why is this bad?
    It never ends.

    ## Example
    ```json
    {
      "Example": 1
    }

    ## What it does
    ```

    ## Something else
    Free headings are kept.
    """

    code = "R999"
    name = "marked"
    fixable = "unsafe"
    formats = ("nnvm", "openvino")


class Plain(Rule):
    """Finds a key twice.

    What it does
    ------------
    It compares keys.

    Why is this bad:
    One is lost.

    Fix safety
    Safe.
    """

    code = "S999"
    name = "plain"
    severity = Severity.INFO


class Indented(Rule):
    """
    What it does
        Finds a third way of writing
        a page.

        It has paragraphs.

    Example
        ```json
        {
          "a": 1
        }
        ```

    Use instead
        Nothing:

            {}
    """

    code = "T999"
    name = "indented"


class Bare(Rule):
    code = "X999"
    name = "bare"


def test_sections() -> None:
    assert list(page.sections(Marked)) == ["What it does", "Why is this bad", "Example", "Something else"]
    assert page.section(Marked, "Example") == '```json\n{\n  "Example": 1\n}\n\n## What it does\n```'
    assert list(page.sections(Plain)) == ["What it does", "Why is this bad", "Fix safety"]
    assert page.section(Plain, "What it does") == "Finds a key twice.\n\nIt compares keys."
    assert list(page.sections(Bare)) == ["Fix safety"], "of an error, for which irlint searches"


def test_indented_sections() -> None:
    assert page.sections(Indented) == {
        "What it does": "Finds a third way of writing\na page.\n\nIt has paragraphs.",
        "Example": '```json\n{\n  "a": 1\n}\n```',
        "Use instead": "Nothing:\n\n    {}",
        "Fix safety": page.sections(Bare)["Fix safety"],
    }
    text = page.render_text(Indented)
    assert "\n  Finds a third way of writing a page.\n\n  It has paragraphs.\n" in text
    assert '\nExample\n    {\n      "a": 1\n    }\n' in text
    assert "\n  Nothing:\n\n    {}\n" in text


@pytest.mark.parametrize(
    ("format_name", "shown", "others"),
    [
        (None, "MatMul (flat, weigth)", "openvino, ncnn, pnnx, lightnet, glacier"),
        ("onnx", "MatMul (flat, weigth)", "openvino, ncnn, pnnx, lightnet, glacier"),
        ("ncnn", "ReLU  act   1 1 imgae act", "onnx, openvino, pnnx, lightnet, glacier"),
        ("glacier", "2 nn.relu [9]", "onnx, openvino, ncnn, pnnx, lightnet"),
    ],
)
def test_the_example_is_in_the_format_asked_for(format_name: str | None, shown: str, others: str) -> None:
    rule = registry.find("R001")
    assert rule is not None
    assert shown in page.sections(rule, format_name)["Example"]
    text = page.render_text(rule, format_name=format_name)
    assert shown in text
    assert f"\nExamples in other formats (--format): {others}\n" in text
    name = format_name or "onnx"
    assert text.endswith(f"/rules/undefined-reference/#{name}\n")
    assert set(page.as_json(rule, format_name)["examples"]) == {name, *others.split(", ")}
    assert shown in page.as_json(rule, format_name)["sections"]["Example"]


def test_summary() -> None:
    assert page.summary(Marked) == "Finds a node that reads `itself`."
    assert page.summary(Plain) == "Finds a key twice."
    assert page.summary(Bare) == ""


def test_text() -> None:
    assert page.render_text(Marked) == dedent(
        """\
        R999 marked
        error, nnvm, openvino, fix: proven or unsafe

        What it does
          Finds a node that reads `itself`. There is more to say, which wraps when the
          line that it stands in grows beyond what fits on a screen.

          - one item that goes on
          - another; see the list <https://example.org/x>

        Why is this bad
          It never ends.

        Example
            {
              "Example": 1
            }

            ## What it does

        Something else
          Free headings are kept.

        https://irlint.readthedocs.io/rules/marked/
        """
    )


@pytest.mark.parametrize("rule", [Marked, Plain, Bare])
def test_color_changes_nothing_but_color(rule: type[Rule]) -> None:
    assert re.sub("\x1b\\[[0-9;]*m", "", page.render_text(rule, color=True)) == page.render_text(rule)
    assert re.sub("\x1b\\[[0-9;]*m", "", page.render_list([rule], color=True)) == page.render_list([rule])


def test_markdown() -> None:
    text = page.render_markdown(Plain)
    assert text.startswith("# plain (S999)\n\ninfo · all formats · no fix\n\n## What it does\n\nFinds a key twice.\n")
    assert text.endswith("## Fix safety\n\nSafe.\n")


def test_list() -> None:
    assert page.render_list([Marked, Plain]) == (
        "code  name    severity  fix            formats        what it finds\n"
        "R999  marked  error     proven,unsafe  nnvm,openvino  Finds a node that reads `itself`.\n"
        "S999  plain   info      -              all            Finds a key twice.\n"
    )


class Mixed(Marked):
    """Finds what has fixes of both grades."""

    code = "R998"
    name = "mixed-fixes"
    fixable = "mixed"


def test_fixes_of_both_grades() -> None:
    assert page.render_text(Mixed).split("\n")[1].endswith(", fix: safe, proven or unsafe")
    assert " · fix: safe, proven or unsafe\n" in page.render_markdown(Mixed)
    assert page.render_list([Mixed]).split("\n")[1].split()[3] == "safe,proven,unsafe"
    assert page.as_json(Mixed)["fixable"] == "mixed"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (R.undefined_reference, "fix: proven or unsafe"),
        (R.unknown_attribute, "fix: safe, proven or unsafe"),
        (R.other_dtype, "fix: safe"),
        (R.syntax_error, "fix: safe or unsafe"),  # nothing is tried in what cannot be read
        (R.declared_shape_differs, "fix: unsafe"),  # nor for warnings
        (R.wrong_length, "fix: proven if a search finds one"),
        (R.unrecognized_file, "no fix"),
    ],
)
def test_the_page_says_whether_the_fix_of_an_error_may_be_proven(rule: RuleRow, said: str) -> None:
    assert page.render_text(registry.all_rules()[rule.code]).split("\n")[1].endswith(f", {said}")
    assert ("\n## Fix safety\n" in page.render_markdown(registry.all_rules()[rule.code])) == (said != "no fix")


def test_json() -> None:
    value = page.as_json(Marked)
    assert json.loads(json.dumps(value)) == value
    assert value["fixable"] == "unsafe"
    assert value["url"] == "https://irlint.readthedocs.io/rules/marked/"


def test_every_rule_has_a_summary() -> None:
    for rule in registry.all_rules().values():
        assert page.summary(rule)
