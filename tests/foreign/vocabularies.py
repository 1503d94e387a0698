"""Vocabularies and other tables from words to numbers: any word may be among the keys."""

from __future__ import annotations

import json
import random
from typing import Any

_WORDS = (
    "Name name NAME ops Ops nodes heads op inputs attrs attributes arg_nodes node_row_ptr optype OpType tensors_in tensors_out "
    "params value offset dims mem_sizes_h layers net edges nodeID duration session size the of and to model data conv relu add "
    "null float32 int64 weight bias shape type id kernel stride pad graph node tensor input output Ġthe Ġname Ġops ## ing ed"
)
WORDS = _WORDS.split()


def words(chance: random.Random, least: int = 10) -> list[str]:
    """Words, none twice, in any order."""
    return chance.sample(WORDS, chance.randint(least, len(WORDS)))


def dump(chance: random.Random, value: Any) -> str:
    """JSON as different programs lay it out."""
    return json.dumps(value, indent=chance.choice([None, None, 1, 2, 4]), ensure_ascii=chance.random() < 0.5)


def encoder(chance: random.Random) -> str:
    """As GPT-2 has it."""
    return dump(
        chance, {"!": 0, "Name": 4, "name": 5, "ops": 6, **{word: k + 7 for k, word in enumerate(words(chance))}}
    )


def tokenizer(chance: random.Random) -> str:
    vocabulary = {word: k for k, word in enumerate(words(chance))}
    merges = [f"{a} {b}" for a, b in zip(words(chance), words(chance), strict=False)]
    added = [{"id": 0, "content": "<s>", "special": True}]
    return dump(
        chance,
        {
            "version": "1.0",
            "added_tokens": added,
            "model": {"type": "BPE", "vocab": vocabulary, "merges": merges},
            **vocabulary,
        },
    )


def counts(chance: random.Random) -> str:
    return dump(chance, {word: chance.choice([1, 2.5, None, "x", [], {}]) for word in ("ops", *words(chance))})


def index(chance: random.Random) -> str:
    """An inverted index."""
    return dump(chance, {word: [chance.randrange(99) for _ in range(3)] for word in ("ops", "nodes", *words(chance))})


def stop_words(chance: random.Random) -> str:
    return dump(chance, {"ops": words(chance), "nodes": words(chance)})


def translations(chance: random.Random) -> str:
    return dump(chance, {word: {"one": word, "other": f"{word}s"} for word in ("ops", "nodes", *words(chance))})


def text_vocabulary(chance: random.Random) -> str:
    return "\n".join(words(chance))


def merges(chance: random.Random) -> str:
    pairs = zip(words(chance), words(chance), strict=False)
    return "#version: 0.2\n" + "\n".join(f"{a} {b}" for a, b in pairs)


FAMILIES = {
    "encoder.json": encoder,
    "vocab.json": counts,
    "tokenizer.json": tokenizer,
    "index.json": index,
    "stopwords.json": stop_words,
    "de.json": translations,
    "vocab.txt": text_vocabulary,
    "merges.txt": merges,
}
