"""Damage to the text of a file: (the text, the offset of the damage, what was done)."""

from __future__ import annotations

import random


def cut_text(rng: random.Random, text: str) -> tuple[str, int, str]:
    at = rng.randrange(len(text))
    return text[:at], at, "cut off"


def drop_character(rng: random.Random, text: str) -> tuple[str, int, str]:
    at = rng.choice([k for k, c in enumerate(text) if c in '{}[],:"'])
    return text[:at] + text[at + 1 :], at, f"{text[at]!r} dropped"


def add_character(rng: random.Random, text: str) -> tuple[str, int, str]:
    at = rng.choice([k for k, c in enumerate(text) if c in '{}[],:"\n'])
    new = rng.choice(',:{}[]"#x/\\\x00\x01\x0b\xa0\u2028')
    return text[:at] + new + text[at:], at, f"{new!r} added"


def change_character(rng: random.Random, text: str) -> tuple[str, int, str]:
    at = rng.choice([k for k, c in enumerate(text) if c in '{}[],:"'])
    new = rng.choice("{}[],:;()'")
    return text[:at] + new + text[at + 1 :], at, f"{text[at]!r} is {new!r}"


def add_comment(rng: random.Random, text: str) -> tuple[str, int, str]:
    at = rng.choice([k for k, c in enumerate(text) if c == "\n"])
    new = rng.choice(
        ("// note", "/* note */", "/* a\n b */", "# note", "/* open", "/*/", "//", '/* " */', '// "', "/**/", "/ note")
    )
    return text[:at] + " " + new + text[at:], at, f"comment {new!r}"


def add_text(rng: random.Random, text: str) -> tuple[str, int, str]:
    new = rng.choice(("}", "]", "{}", "the end", "\n\n{}", ",", "\x00", "//", "null"))
    if rng.random() < 0.2:
        return "\ufeff" + text, 0, "byte order mark"
    return text + new, len(text), f"{new!r} at the end"


TEXTUAL = (cut_text, drop_character, add_character, change_character, add_comment, add_text)
