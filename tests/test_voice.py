"""What people read is plain English: phrases that were translated, odd quotes, capitals, trailing stops, long lines."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import messages
import pytest

from irlint.cli.dispatch import commands

ROOT = Path(__file__).resolve().parent.parent
CODE = sorted([*(ROOT / "irlint").rglob("*.py"), *(ROOT / "lsp" / "irlint_lsp").rglob("*.py")])
PAGES = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "irlint/**/*.md",
        "packaging/*.md",
        "lsp/*/README.md",
        "lsp/*/skills/**/*.md",
    )
    for path in ROOT.glob(pattern)
)
MOST = 160  # characters of a message without a note

BANNED = {
    word: re.compile(rf"(?<![\w'`-])(?:{word})(?![\w'`-])", re.IGNORECASE)
    for word in (
        r"stands(?: here| there| in| behind| before| at| for itself| further)",
        r"hand(?:s|ed)? out",
        r"(?<!there )is no (?!longer|more\b|less\b|such\b|way\b|need\b|doubt\b|different\b)[a-z]+",
        r"(?<!there )are no (?!longer|more\b|less\b|such\b)[a-z]+",
        r"pass(?:es|ed) over",
        r"anew",
        r"without a word",
        r"works? out",
        r"goes on with",
        r"go on with",
        r"of the time before",
        r"is told",
        r"are told",
        r"lacks the attribute",
        r"must be [^;.]{1,40}, but is",
        r"lies (?:behind|beyond)",
        r"leads? (?:nowhere|to no )",
        r"in a circle",
        r"the words that it knows",
        r"beginnings of codes",
        r"beside the model",
        r"so it fails",
        r"one too many",
        r"by itself knows",
        r"nothing (?:feeds|reads)",
        r"make sense of",
        # what an ONNX user marked
        r"a second look|(?:takes? )?a closer look|worth a look",
        r"at a glance",
        r"by guess",
        r"costs the listing",
        r"for ever",
        r"hardly",
        r"(?:is|are) a line (?:on|in)",
        r"(?:is|are) paid(?: for)?",
        r"(?:is|are) there twice",
        r"lea?ds? astray",
        r"likelier",
        r"(?:the )?likeliest first",
        r"mended",
        r"milder or harder",
        r"nevertheless",
        r"other ones",
        r"takes? (?:it|them|those|this) for (?!zero)\w+",
        # a contributor
        r"a file's way",
        r"anybody",
        r"anybody's",
        r"as far as [^.]{1,30} tells?",
        r"asked of",
        r"by being there",
        r"dearest",
        r"each with each",
        r"has (?:them all|no room for)",
        r"have them all",
        r"(?:has|have) the last word",
        r"next to (?:no time|nothing)",
        r"of a time before",
        r"room by room",
        r"(?:somebody|nobody) (?:first )?(?:asks|asked|looks|has asked|wants|knows|watches)",
        r"(?<!no )(?<!any )sound (?:file|model|text|JSON|graph)s?",
        r"speaks? (?:for|against)",
        r"takes? amiss",
        r"(?<!so )that there (?:is|are)",
        r"turns this round",
        r"what there is",
        r"whoever(?! opens)",
        r"with which nothing is wrong",
        # an editor
        r"behind (?:an? (?:mistake|error|value|fault|change|node)|the last)",
        r"(?:can|could|cannot|must|need) be told(?! apart)",
        r"(?:have to|not) be told(?! apart)",
        r"characters (?:read )?behind",
        r"come and go",
        r"(?:says|costs) for nothing|None for nothing",
        r"in the mean",
        r"(?:is|are) had",
        r"what (?:merely )?lies",
        r"lies in (?:a|the) (?:folder|repository|store)",
        r"their kin",
        r"twin",
        r"wanted are",
    )
}


def prose() -> Iterator[tuple[str, str]]:
    """Yield everything that people read except findings, with its place: pages, docstrings, comments, --help."""
    for path in PAGES:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        yield from ((str(path.relative_to(ROOT)), part) for part in _paragraphs(text))
    for path in CODE:
        text = path.read_text(encoding="utf-8")
        yield from _docstrings(path, text)
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield f"{path.relative_to(ROOT)}:{token.start[0]}", token.string
    for command in ("", *commands()):
        yield from ((f"irlint {command} --help", part) for part in _paragraphs(_help(command)))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs, list items and table rows, each on one line: a phrase may be broken across lines."""
    yield from (" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.) ?)", text))


def _docstrings(path: Path, text: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(text)):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds) and (found := ast.get_docstring(node)):
            line = getattr(node, "lineno", 1)
            yield from ((f"{path.relative_to(ROOT)}:{line}", part) for part in _paragraphs(found))


def _help(command: str) -> str:
    words = [sys.executable, "-m", "irlint", *command.split(), "--help"]
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False).stdout


def golden() -> Iterator[tuple[str, str]]:
    """The examples of messages, each with the part of the list that it is in."""
    part = ""
    for line in messages.GOLDEN.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            yield part, line.strip()
        elif line and not line.startswith("#"):
            part = line


def banned(text: str) -> list[str]:
    return [word for word, pattern in BANNED.items() if pattern.search(text)]


def test_messages_use_plain_words() -> None:
    assert [(part, text) for part, text in golden() if banned(re.sub(r"`[^`]*`|'[^']*'", "x", text))] == []


def test_pages_docstrings_comments_and_help_use_plain_words() -> None:
    assert [f"{where}: {found}: {part}" for where, part in prose() if (found := banned(part))] == []


def test_messages_end_without_a_stop() -> None:
    assert [text for _, text in golden() if text.endswith(".") and not text.endswith("...")] == []


def test_fix_titles_begin_with_a_capital_letter() -> None:
    assert [text for part, text in golden() if part == "fixes" and not re.match(r"[A-Z]", text)] == []


def test_notes_begin_with_a_small_letter() -> None:
    """Or with what they are about: a type of operator, a name that is written with a capital letter."""
    wrong = [text for part, text in golden() if part == "notes" and re.match(r"(The|An?|This|It|See)\b", text)]
    assert wrong == []


def test_nothing_but_backticks_and_single_quotes() -> None:
    wrong = [text for _, text in golden() if re.search(r"[“”‘’«»]|\"", re.sub(r"`[^`]*`|'[^']*'", "", text))]
    assert wrong == []


@pytest.fixture(scope="module")
def said() -> messages.Said:
    return messages.collected()


@pytest.mark.timeout(900)
def test_examples_are_current(said: messages.Said) -> None:
    assert messages.written(said) == messages.GOLDEN.read_text(encoding="utf-8"), "python tests/messages.py"
    assert messages.written_formats(said) == messages.FORMATS.read_text(encoding="utf-8"), "python tests/messages.py"


@pytest.mark.timeout(900)
def test_long_messages_have_notes(said: messages.Said) -> None:
    """Not counted: names, which are the author's, and all but the last of a list of words, which is as long as the format has it."""
    found = [shown for kinds in said.findings.values() for shown in kinds.values()]
    assert [text for text, has_note in found if not has_note and len(_without_lists(text)) > MOST] == []


def _without_lists(text: str) -> str:
    return re.sub(r"(?:`[^`]*`(?:, | and )){2,}", "", re.sub(r"'[^']*'", "'x'", text))
