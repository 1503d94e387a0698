"""Text in lines: numbered, with lists in brackets, with the names of dtypes and operators."""

from __future__ import annotations

import random
from collections.abc import Callable

from .graphs import name
from .vocabularies import words


def rows(chance: random.Random, make: Callable[[int], str], first: int = 0) -> str:
    return "\n".join(make(k) for k in range(first, first + chance.randint(3, 20))) + "\n"


def dims(chance: random.Random) -> str:
    return str([chance.choice([1, 1, 3, 8, 64, 224]) for _ in range(chance.randint(0, 4))])


def shapes(chance: random.Random) -> str:
    dtypes = ["float32", "int64", "uint8", "bool", "float16"]
    return rows(chance, lambda k: f"{k} {chance.choice(dtypes)} {dims(chance)}")


def parameters(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k} {name(chance)} {dims(chance)}")


def columns(chance: random.Random) -> str:
    """A table as pandas prints it."""
    return "   who  what\n" + rows(chance, lambda k: f"{k}  {name(chance)}  {words(chance)[:2]}")


def contents(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k} {name(chance).title()} [{chance.choice(['p. ', ''])}{k * 7}]", 1)


def todo(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k} {name(chance)} [{chance.choice('x ')}]")


def log(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k + 1000} INFO [{chance.choice(['main', 'worker-1'])}] {name(chance)} took {k} ms")


def timed_log(chance: random.Random) -> str:
    return rows(chance, lambda k: f"2024-01-0{k % 9} 10:00:{k:02} [{k}] WARN {name(chance)} ['{name(chance)}']")


def smi(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k} Tesla [{chance.choice(['N/A', 'Not Supported', '45'])}] | 0MiB / 16160MiB |")


def values(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k} {[chance.random() for _ in range(3)]}")


def csv(chance: random.Random) -> str:
    return "id,op,inputs\n" + rows(chance, lambda k: f'{k},{name(chance)},"{dims(chance)}"')


def requirements(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{name(chance)}[extra{k}]>={k}.0  # add [{k}]")


def dump(chance: random.Random) -> str:
    return rows(chance, lambda k: f"INSERT INTO nodes VALUES ({k}, '{name(chance)}', ARRAY{dims(chance)});")


def representation(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{{'id': {k}, 'name': '{name(chance)}', 'inputs': {dims(chance)}}}")


def prose(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k}. {' '.join(words(chance)[:8])} [{k}]", 1)


def answers(chance: random.Random) -> str:
    return rows(chance, lambda k: f"{k} {name(chance)} ['{chance.choice('abcd')}', '{chance.choice('abcd')}']")


FAMILIES = {
    "shapes.txt": shapes,
    "parameters.txt": parameters,
    "columns.txt": columns,
    "contents.txt": contents,
    "todo.txt": todo,
    "log.txt": log,
    "timed_log.txt": timed_log,
    "smi.txt": smi,
    "values.txt": values,
    "csv.txt": csv,
    "requirements.txt": requirements,
    "dump.txt": dump,
    "repr.txt": representation,
    "prose.txt": prose,
    "answers.txt": answers,
}
