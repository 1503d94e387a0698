"""Changes of the text itself."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable

from .changes import TEXT_CHANGES, TextChange, pick, text_change

# the text


def _line_of(rng: random.Random, text: str, pattern: str) -> re.Match[str]:
    return pick(rng, list(re.finditer(pattern, text)))  # type: ignore[no-any-return]


def _replaced(pattern: str, new: str | Callable[[re.Match[str]], str]) -> TextChange:
    def apply(rng: random.Random, text: str) -> str:
        match = _line_of(rng, text, pattern)
        put = match.expand(new) if isinstance(new, str) else new(match)
        return text[: match.start()] + put + text[match.end() :]

    return apply


TEXT_CHANGES.update(
    {
        "json_trailing_comma_object": _replaced(r'"\n(\s*)\}', r'", \n\1}'),
        "json_trailing_comma_list": _replaced(r"\]\]", "], ]"),
        "json_missing_comma": _replaced(r'", \n', '" \n'),
        "json_missing_comma_list": _replaced(r"\], \[", "] ["),
        "json_missing_colon": _replaced(r'": ', '" '),
        "json_comment": _replaced(r'("name")', r"// the name\n      \1"),
        "json_block_comment": _replaced(r'("name")', r"/* x */ \1"),
        "json_single_quotes": _replaced(r'"name": "(\w+)"', r"'name': '\1'"),
        "json_single_quoted_value": _replaced(r'"name": "(\w+)"', r"""\"name": '\1'"""),
        "json_unquoted_key": _replaced(r'"name"', "name"),
        "json_escape_u": _replaced(r'"name": "(\w)', lambda m: f'"name": "\\u{ord(m[1]):04x}'),
        "json_escape_slash": _replaced(r'"name": "', r'"name": "\\/'),
        "json_escape_b": _replaced(r'"name": "', r'"name": "\\b'),
        "json_escape_bad": _replaced(r'"name": "', r'"name": "\\q'),
        "json_escape_x": _replaced(r'"name": "', r'"name": "\\x41'),
        "json_escape_quote": _replaced(r'"name": "', r'"name": "\\"'),
        "json_escape_n": _replaced(r'"name": "', r'"name": "\\n'),
        "json_raw_tab": _replaced(r'"name": "', '"name": "\t'),
        "json_raw_newline": _replaced(r'"name": "', '"name": "\n'),
        "json_raw_return": _replaced(r'"name": "', '"name": "\r'),
        "json_control": _replaced(r'"name": "', '"name": "\x01'),
        "json_delete": _replaced(r'"name": "', '"name": "\x7f'),
        "json_bracket": _replaced(r"\]\n", "}\n"),
        "json_brace": _replaced(r"\}, ", "], "),
        "json_extra_bracket": _replaced(r"\]\]", "]]]"),
        "json_missing_bracket": _replaced(r"\]\]", "]"),
        "json_missing_quote": _replaced(r'"name": "(\w+)"', r'"name": "\1'),
        "json_value_missing": _replaced(r'"name": "\w+"', '"name": '),
        "json_two_commas": _replaced(r", \n", ", , \n"),
        "json_equals": _replaced(r'"name": ', '"name" = '),
        "json_true_name": _replaced(r'"name": "\w+"', '"name": true'),
        "json_python_none": _replaced(r'"name": "\w+"', '"name": None'),
        "json_duplicate_name": _replaced(r'("name": "\w+"), ', r"\1, \1, "),
        "json_duplicate_other_name": _replaced(r'("name": "(\w+)"), ', r'"name": "x", \1, '),
        "json_duplicate_op": _replaced(r'("op": )("\w+"), ', r'\1"null", \1\2, '),
        "json_duplicate_inputs": _replaced(r'("inputs": \[\[)', r'"inputs": [[77, 0, 0]], \1'),
        "json_duplicate_heads": _replaced(r'("heads": )', r'"heads": [[0, 0, 0]], \1'),
        "json_duplicate_attribute": _replaced(r'\n(\s+)("\w+": )("[^"\n]*")(,? ?\n)', r'\n\1\2"bad", \n\1\2\3\4'),
        "json_duplicate_attribute_last": _replaced(r'\n(\s+)("\w+": )("[^"\n]*")(,? ?\n)', r'\n\1\2\3, \n\1\2"bad"\4'),
        "json_duplicate_nodes": _replaced(r'("arg_nodes")', r'"nodes": [], \1'),
        "json_vertical_tab": _replaced(r'("name")', "\x0b\\1"),
        "json_form_feed": _replaced(r'("name")', "\x0c\\1"),
        "json_no_break_space": _replaced(r'("name")', "\u00a0\\1"),
        "json_deep": _replaced(r'("arg_nodes")', '"x": ' + "[" * 5000 + "]" * 5000 + r", \1"),
        "json_number_key": _replaced(r'"name": ', "5: "),
        "json_trailing_dot": _replaced(r"\[\[(\d+), ", r"[[\1., "),
        "json_minus": _replaced(r"\[\[(\d+), ", r"[[- \1, "),
        "json_split_number": _replaced(r"\[\[(\d+), ", r"[[\1 1, "),
        "json_name_latin1": _replaced(r'"name": "', '"name": "\udce9'),
        "json_nul_in_name": _replaced(r'"name": "', '"name": "\x00'),
    }
)


@text_change
def json_bom(rng: random.Random, text: str) -> str:
    return "\ufeff" + text


@text_change
def json_crlf(rng: random.Random, text: str) -> str:
    return text.replace("\n", "\r\n")


@text_change
def json_cr(rng: random.Random, text: str) -> str:
    return text.replace("\n", "\r")


@text_change
def json_minified(rng: random.Random, text: str) -> str:
    return re.sub(r"\s*\n\s*", "", text)


@text_change
def json_empty(rng: random.Random, text: str) -> str:
    return ""


@text_change
def json_blank(rng: random.Random, text: str) -> str:
    return " \n\n "


@text_change
def json_empty_object(rng: random.Random, text: str) -> str:
    return "{}"


@text_change
def json_number(rng: random.Random, text: str) -> str:
    return "5"


@text_change
def json_garbage(rng: random.Random, text: str) -> str:
    return text + rng.choice(("\ngarbage", "}", "]", "\x00", "// end", "\n{}", ",", "\n\n"))


@text_change
def json_twice(rng: random.Random, text: str) -> str:
    return text + "\n" + text


@text_change
def json_leading_text(rng: random.Random, text: str) -> str:
    return rng.choice(("#!json\n", "// x\n", "x = ", "[", "\x00")) + text


@text_change
def json_leading_blank(rng: random.Random, text: str) -> str:
    return "\n \t\r\n" + text


@text_change
def json_last_brace(rng: random.Random, text: str) -> str:
    return text.rstrip()[:-1]


@text_change
def json_cut(rng: random.Random, text: str) -> str:
    """Cut anywhere."""
    return text[: rng.randrange(1, len(text))]


@text_change
def json_cut_late(rng: random.Random, text: str) -> str:
    """Cut in the lists behind the nodes."""
    return text[: rng.randrange(max(text.rfind('"arg_nodes"'), 1), len(text))]


@text_change
def json_character_lost(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + text[at + 1 :]


@text_change
def json_character_changed(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(string.printable) + text[at + 1 :]


@text_change
def json_character_added(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(string.printable) + text[at:]


@text_change
def json_line_lost(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


@text_change
def json_line_twice(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])
