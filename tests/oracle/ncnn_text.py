"""Small .param files with other white space, signs, quotes, digits and names, before ncnn: what it refuses has to be an error, what runs as before none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from irlint import engine
from irlint.findings import Severity
from oracle.ncnn_bases import BASES, INTEGERS, text
from oracle.ncnn_worker import Ncnn

SPACES = (" ", "  ", "\t", "\v", "\f", "\r", "\n", "\r\n", "\n\n", "")
STRANGE = ("\xa0", "\u3000", "\u2003", "\u2028", "\x1c", "\x1f", "\x85", "\ufeff", "é")
SIGNS: tuple[str, ...] = (*"0123456789.eE+-,=\"'#/;:x@$%()", "1.0", "e5", "-233", "00", "0=", '""', "=1")
COUNTS = (
    "0",
    "-0",
    "-1",
    "+1",
    "1",
    "01",
    "2",
    "3",
    "1.0",
    "1000000",
    "1000001",
    "2147483648",
    "9" * 31,
    "0" * 31 + "2",
    "x",
)
NUMBERS = (
    "1e400", "3.4e38", "3.5e38", "-1e39", "2147483647", "2147483648", "-2147483648", "-2147483649", ".5", "5.", ".", "-", "1e", "e5", "1e+", "nan", "inf",
    "0x10", "1_0", "", '"a', '"a"', '"a b"', '"a"b', "a b", "a,b", "1,", "1,,2", ",1", "1,2.5", "1.5,2", "1,a", "--1", "+-1", "0" * 126 + "1", "0" * 127 + "1",
    "1." + "0" * 125, "1." + "0" * 126, "a" * 255, "a" * 256, "é" * 127, "é" * 128, '"' + "a" * 255 + '"', '"' + "a" * 256 + '"', "１", "a=b", "1=2", "1#", "1//",
)  # fmt: skip
IDS = (
    "+0",
    "-0",
    "00",
    "0" * 15,
    "0" * 16,
    "-23300",
    "-023300",
    "+-1",
    "31",
    "32",
    "-1",
    "-23331",
    "-23332",
    "-23299",
    "0 ",
    "a",
    "",
    "0:",
    "2147483648",
)
NAMES = (
    "a" * 255,
    "a" * 256,
    "é" * 127,
    "é" * 128,
    "a=b",
    "#a",
    "//",
    '"a"',
    "1",
    "-1",
    "a\xa0b",
    "a\u2028b",
    "\u3000",
    "a\x1cb",
    "１",
)
TAILS = (" 0=1", "\n0=1", "\n0=1\n", " # c", "\n# c", "# c", "\nReLU", "\n\n", " ", ",", "\x1a", " x", "\n// c\n")


# Errors that hold though the outputs happen to be the same: weights are 0, a lost parameter has its default's value, shapes of inputs are not the declared ones.
HOLD = ("A003", "D001", "D003", "R005", "S001 expected a space between words, got U+", "T501")


class Mutant(NamedTuple):
    op: str
    what: str
    text: str


def spaces(text: str, rng: random.Random) -> str:
    return _swap(text, rng, r"[ \n]+", rng.choice(SPACES + STRANGE))


def sign(text: str, rng: random.Random) -> str:
    at = rng.randrange(8, len(text))
    return text[:at] + rng.choice(SIGNS + SPACES + STRANGE) + text[at + rng.randrange(2) :]


def line_ends(text: str, rng: random.Random) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\v", "\n\n", " \n", "\t\r\n", "\x85", "\u2028")))


def start(text: str, rng: random.Random) -> str:
    return rng.choice(("\ufeff", " ", "\n", "\r\n", "\v", "0", "+", "-", "\xa0", "#", "# c\n")) + text


def count(text: str, rng: random.Random) -> str:
    return _swap(text, rng, r"(?<= )\d+(?= )|(?<=\n)\d+|(?<= )\d+(?=\n)", rng.choice(COUNTS))


def number(text: str, rng: random.Random) -> str:
    return _swap(text, rng, r"(?<=[=,])[^ ,\n]+", rng.choice(NUMBERS))


def more_digits(text: str, rng: random.Random) -> str:
    return _swap(text, rng, r"(?<=[=, \n])(?=\d)", rng.choice(("+", "-", "0", "0" * 20, "0" * 126, "0" * 140)))


def identifier(text: str, rng: random.Random) -> str:
    return _swap(text, rng, r"(?<= )-?\d+(?==)", rng.choice(IDS))


def name(text: str, rng: random.Random) -> str:
    old, new = rng.choice(("x0", "y0", "layer")), rng.choice(NAMES)
    return re.sub(rf"\b{old}\b", lambda _: new, text)


def tail(text: str, rng: random.Random) -> str:
    return text.rstrip("\n" * rng.randrange(2)) + rng.choice(TAILS)


def behind(text: str, rng: random.Random) -> str:
    return _swap(
        text,
        rng,
        r"(?=\n)",
        rng.choice((" 0=1", " # c", " ", "\r", " 1", " x", " =", " 31=1", " -23331=0", ' 31="a b"')),
    )


def cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text))]


def _swap(text: str, rng: random.Random, pattern: str, new: str) -> str:
    places = list(re.finditer(pattern, text))
    if not places:
        return text
    at = rng.choice(places)
    return text[: at.start()] + new + text[at.end() :]


WAYS: tuple[Callable[[str, random.Random], str], ...] = (
    spaces, spaces, sign, sign, sign, line_ends, start, count, number, number, more_digits, identifier, name, tail, behind, cut,
)  # fmt: skip


def mutants(amount: int, seed: int) -> Iterator[Mutant]:
    rng = random.Random(seed)
    while amount:
        op, way = rng.choice(list(BASES)), rng.choice(WAYS)
        base = text(op)
        if (made := way(base, rng)) != base:
            amount -= 1
            yield Mutant(op, way.__name__, made)


class Verdict(NamedTuple):
    mutant: Mutant
    stage: str | None  # of ncnn: the first that failed
    is_same: bool  # the outputs are the base's
    errors: list[str]
    said: str

    @property
    def is_missed(self) -> bool:
        return self.stage == "load_param" and not self.errors

    @property
    def is_false(self) -> bool:
        return self.is_same and not all(error.startswith(HOLD) for error in self.errors)


def verdicts(ncnn: Ncnn, folder: Path, amount: int, seed: int) -> Iterator[Verdict]:
    path, known = folder / "text.param", {}

    def ask(op: str, content: str) -> dict[str, object]:
        path.write_bytes(content.encode())
        return ncnn(param=path, inputs=BASES[op].inputs, integers=INTEGERS.get(op, []))

    for mutant in mutants(amount, seed):
        if mutant.op not in known:
            known[mutant.op] = ask(mutant.op, text(mutant.op))
        base, said = known[mutant.op], ask(mutant.op, mutant.text)
        found = engine.lint_bytes(path.read_bytes(), path.name, as_format="ncnn").findings
        errors = [f"{finding.code} {finding.message}" for finding in found if finding.severity == Severity.ERROR]
        digests = [[digest for _, digest in one.get("digests", ())] for one in (base, said)]  # type: ignore[attr-defined]
        is_same = said["stage"] is None and digests[0] == digests[1]
        yield Verdict(mutant, said["stage"], is_same, errors, str(said["message"]))  # type: ignore[arg-type]
