"""A second generator of defects, which knows nothing of graphs but the tokens of their text: real files can be its ground."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[-+0-9.eE]+|[\[\]{},:]|\w+')


class Token(NamedTuple):
    text: str
    start: int
    end: int
    path: tuple[str | int, ...]  # of the value, or of the member whose key it is
    is_key: bool = False
    opens: bool = False  # a bracket: `end` is where its value ends


class Defect(NamedTuple):
    kind: str
    text: str
    start: int  # what was put in, in the new text
    end: int


def tokens(text: str) -> list[Token]:
    """Every key and value with its path."""
    found: list[Token] = []
    path: list[str | int] = []
    stack: list[tuple[str, int]] = []  # bracket, number of its token
    expects_key = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            found.append(Token(token, match.start(), -1, tuple(path), opens=True))
            stack.append((token, len(found) - 1))
            path.append(0 if token == "[" else "")
            expects_key = token == "{"
        elif token in "}]":
            path.pop()
            at = stack.pop()[1]
            found[at] = found[at]._replace(end=match.end())
            expects_key = False
        elif token == ",":
            expects_key = bool(stack) and stack[-1][0] == "{"
            if stack and stack[-1][0] == "[":
                path[-1] += 1  # type: ignore[operator]
        elif token == ":":
            expects_key = False
        elif expects_key:
            path[-1] = token[1:-1]
            found.append(Token(token, match.start(), match.end(), tuple(path), is_key=True))
        else:
            found.append(Token(token, match.start(), match.end(), tuple(path)))
    return found


Make = Callable[[random.Random, "Ground"], Defect | None]
KINDS: dict[str, Make] = {}


class Ground:
    """A file to plant defects in."""

    def __init__(self, text: str, operators: list[str]) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.operators = operators
        roles: dict[str, list[Token]] = {}
        for token in self.tokens:
            roles.setdefault(role(token), []).append(token)
        self.roles = roles

    def put(self, kind: str, start: int, end: int, new: str) -> Defect | None:
        if self.text[start:end] == new:
            return None
        return Defect(kind, self.text[:start] + new + self.text[end:], start, start + len(new))

    def pick(self, rng: random.Random, *names: str) -> Token | None:
        pool = [roles for name in names if (roles := self.roles.get(name))]
        return rng.choice(rng.choice(pool)) if pool else None


def role(token: Token) -> str:
    """What a token is in a graph."""
    path = token.path
    inner = path
    while len(inner) > 4 and inner[2] == "subgraphs":
        inner = inner[4:]
    where = [step for step in inner if isinstance(step, str)]
    if token.is_key:
        return {("nodes",): "top key", ("nodes", "attrs"): "attribute key"}.get(
            tuple(where[:1]) if len(where) == 1 else (), "attribute key" if _holds(where) else "node key" if where[:1] == ["nodes"] and len(where) == 2 else "top key"
        )  # fmt: skip
    if token.opens:
        return "bracket"
    if _holds(where):
        return "attribute"
    if where[:1] == ["nodes"]:
        return {"op": "op", "name": "name", "inputs": "entry"}.get(where[-1], "other")
    return {"heads": "head", "arg_nodes": "argument", "node_row_ptr": "row"}.get(where[0] if where else "", "fact")


def _holds(where: list[str]) -> bool:
    return len(where) == 3 and where[0] == "nodes" and where[1] in ("attrs", "attr", "param")


def kind(function: Make) -> Make:
    KINDS[function.__name__] = function
    return function


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


NUMBERS = ("-1", "0", "1", "2", "7", "99999", "4294967295", "4294967296", "1.0", "0.0", "1e1", "true", "null", '"1"', "[0]", "{}", "007", "+1", "NaN", "- 1", "0x1", "1,", "", "-0")  # fmt: skip
SPOILS = (
    " ",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "-",
    "+",
    "e",
    "L",
    "x",
    "0",
    "5",
    "None",
    "\\t",
    "f",
    ";",
    "_",
    "'",
    "true",
)


@kind
def number(rng: random.Random, g: Ground) -> Defect | None:
    token = g.pick(rng, "entry", "head", "argument", "row", "fact")
    if token is None:
        return None
    new = rng.choice((*NUMBERS, str(rng.randrange(60)), str(rng.randrange(3)), str(rng.randrange(3))))
    return g.put(f"number of {role(token)}", token.start, token.end, new)


@kind
def attribute_letter(rng: random.Random, g: Ground) -> Defect | None:
    token = g.pick(rng, "attribute")
    if token is None:
        return None
    body = token.text[1:-1]
    at = rng.randrange(len(body) + 1)
    action = rng.randrange(3)
    new = body[:at] + rng.choice(SPOILS) + body[at + (action == 1) :] if action else body[:at] + body[at + 1 :]
    return g.put("letter of an attribute", token.start + 1, token.end - 1, new)


@kind
def attribute_other(rng: random.Random, g: Ground) -> Defect | None:
    """The value of another attribute, or a value that some writer might have written."""
    token, other = g.pick(rng, "attribute"), g.pick(rng, "attribute")
    if token is None or other is None:
        return None
    texts = ("None", "0", "1", "-1", "True", "False", "true", "FALSE", "yes", "", " ", "1.5", "(1, 1)", "[1,1]", "()", "(0, 0)", "1e3", "nan", "inf", "2147483648", "-2147483649", "99999999999999999999", "(1,)", "((1, 1), (2, 2))", "relu", "float32", "'1'", "1L", "(1L, 1L)", "0x10", "½", "１")  # fmt: skip
    return g.put("another attribute's value", token.start, token.end, rng.choice((other.text, *map(quoted, texts))))


@kind
def attribute_dressed(rng: random.Random, g: Ground) -> Defect | None:
    """The same value, spelled otherwise."""
    token = g.pick(rng, "attribute")
    if token is None:
        return None
    body = token.text[1:-1]
    ways: tuple[Callable[[str], str], ...] = (
        str.lower, str.upper, str.title, str.strip, lambda s: " " + s, lambda s: s + " ", lambda s: s.replace(" ", ""),
        lambda s: s.replace(",", ", "), lambda s: s.replace("(", "[").replace(")", "]"), lambda s: s.replace("[", "(").replace("]", ")"),
        lambda s: f"({s})", lambda s: s.strip("()[]"), lambda s: s + ".0", lambda s: "+" + s, lambda s: "0" + s, lambda s: s + "L",
        lambda s: s.replace(")", ",)"), lambda s: {"True": "1", "False": "0", "1": "True", "0": "False"}.get(s, s), lambda s: f"'{s}'",
        lambda s: s.replace(", ", " , "), lambda s: s + "\\n", lambda s: "\\t" + s, lambda s: f"{float(s):.6g}" if re.fullmatch(r"-?[\d.]+(e-?\d+)?", s) else s,
    )  # fmt: skip
    return g.put("an attribute's spelling", token.start + 1, token.end - 1, rng.choice(ways)(body))


@kind
def attribute_untyped(rng: random.Random, g: Ground) -> Defect | None:
    """No text, but the value that it stands for."""
    token = g.pick(rng, "attribute")
    if token is None:
        return None
    body = token.text[1:-1]
    plain = {"True": "true", "False": "false", "None": "null"}.get(body, body.replace("(", "[").replace(")", "]"))
    return g.put("an attribute without quotes", token.start, token.end, plain if plain else "null")


@kind
def key(rng: random.Random, g: Ground) -> Defect | None:
    token, other = g.pick(rng, "attribute key", "node key", "top key"), g.pick(rng, "attribute key")
    if token is None or other is None:
        return None
    body = token.text[1:-1]
    at = rng.randrange(len(body))
    news = (body[:at] + body[at + 1 :], body[:at] + body[at] + body[at:], body.upper(), body.title(), f"__{body}__", f"_{body}", body + " ", other.text[1:-1], body + "s", "lr_mult", "weight_lr_mult", "__lr_mult__", "ctx_group", "comment", "")  # fmt: skip
    return g.put(f"a {role(token)}", token.start + 1, token.end - 1, rng.choice(news))


@kind
def op(rng: random.Random, g: Ground) -> Defect | None:
    token, other = g.pick(rng, "op"), g.pick(rng, "op")
    if token is None or other is None:
        return None
    body = token.text[1:-1]
    at = rng.randrange(len(body))
    news = (body[:at] + body[at + 1 :], body.lower(), body.upper(), body + "_", "_" + body, "null", "tvm_op", "conv2d", "", other.text[1:-1], rng.choice(g.operators), rng.choice(g.operators), " " + body, body + "_v1", "None")  # fmt: skip
    return g.put("an op", token.start + 1, token.end - 1, rng.choice(news))


@kind
def name(rng: random.Random, g: Ground) -> Defect | None:
    token, other = g.pick(rng, "name"), g.pick(rng, "name")
    if token is None or other is None:
        return None
    body = token.text[1:-1]
    news = (other.text[1:-1], other.text[1:-1], "", body + "é", "\\u0041" + body, "\\/" + body, body + "\\n", body + "\\b", body * 3, "data", body + " ")  # fmt: skip
    return g.put("a name", token.start + 1, token.end - 1, rng.choice(news))


@kind
def value_replaced(rng: random.Random, g: Ground) -> Defect | None:
    token = rng.choice([t for t in g.tokens if not t.is_key])
    new = rng.choice(
        ("null", "true", "0", '""', "{}", "[]", "[[]]", '{"a": "b"}', "[0, 0, 0]", "-1", '"x"', "1.5", "nul", "'x'")
    )
    return g.put(f"a {role(token)} replaced", token.start, token.end, new)


@kind
def member_gone(rng: random.Random, g: Ground) -> Defect | None:
    span = _element(rng, g)
    if span is None:
        return None
    what, start, end = span
    comma = re.compile(r"\s*,\s*").match(g.text, end)
    if comma:
        return g.put(f"{what} gone", start, comma.end(), "")
    before = re.compile(r",\s*\Z").search(g.text[:start])
    return g.put(f"{what} gone", before.start() if before else start, end, "")


@kind
def member_twice(rng: random.Random, g: Ground) -> Defect | None:
    span = _element(rng, g)
    if span is None:
        return None
    what, start, end = span
    return g.put(f"{what} twice", end, end, ", " + g.text[start:end])


@kind
def neighbours_swapped(rng: random.Random, g: Ground) -> Defect | None:
    span = _element(rng, g)
    if span is None:
        return None
    what, start, end = span
    following = next((t for t in g.tokens if t.start > end), None)
    if following is None or not re.fullmatch(r"\s*,\s*", g.text[end : following.start]):
        return None
    stop = following.end if not following.is_key else _value_end(g, following)
    text = g.text
    return g.put(
        f"{what} swapped", start, stop, text[following.start : stop] + text[end : following.start] + text[start:end]
    )


def _element(rng: random.Random, g: Ground) -> tuple[str, int, int] | None:
    """A member of an object or an element of a list."""
    token = rng.choice(g.tokens[1:])
    if token.is_key:
        return role(token), token.start, _value_end(g, token)
    if not isinstance(token.path[-1], int):
        return None
    what = role(token) if not token.opens else f"{token.path[-2] if len(token.path) > 1 else ''} element"
    return str(what), token.start, token.end


def _value_end(g: Ground, token: Token) -> int:
    at = g.tokens.index(token)
    return g.tokens[at + 1].end


@kind
def letter(rng: random.Random, g: Ground) -> Defect | None:
    at = rng.randrange(len(g.text))
    new = rng.choice(("", "", g.text[at] * 2, ",", '"', "]", "}", "{", "[", ":", "\\", "\n", "x", "0", "-", ".", " ", "\t", "'", "//", "#", "\x00", "é", "\ufeff"))  # fmt: skip
    return g.put("a letter", at, at + 1, new)


@kind
def cut(rng: random.Random, g: Ground) -> Defect | None:
    return g.put("cut", rng.randrange(1, len(g.text)), len(g.text), "")


def plant(ground: Ground, rng: random.Random, name: str | None = None) -> Defect | None:
    return KINDS[name or rng.choice(sorted(KINDS))](rng, ground)
