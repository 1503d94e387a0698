"""What tokenizer.json says of its vocabulary, and where it contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.demands import each, first
from irlint.companions.report import Report
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.text.base import Path, decode
from irlint.text.json.document import JsonDocument

_MOST = 1 << 26  # bytes
_PROCESSORS = ("post_processor", "post_processor/processors/*")
_WHOLE = ("WordPiece", "WordLevel")  # models whose unknown words are one token


def read_json(path: FilePath) -> JsonDocument:
    """Return a JSON file; one without a value if it cannot be read as it is."""
    state, data = file_source().open(path, None)
    text = decode(bytes(data[:]))[0] if state == "open" and len(data) <= _MOST else ""
    document = JsonDocument.parse(text, str(path))
    if document.troubles:
        document.value = None
    return document


def largest_id(folder: FilePath) -> int | None:
    """Return the largest number of a token of the folder's tokenizer; None if it is not known."""
    found = largest_token(read_json(folder / "tokenizer.json").value)
    return None if found is None else found[0]


def largest_token(tree: Any) -> tuple[int, Path] | None:
    """Return the largest number of a token, and its path; that of the token itself if it is one of a list."""
    model, added = (tree.get("model"), tree.get("added_tokens")) if isinstance(tree, dict) else (None, None)
    words = model.get("vocab") if isinstance(model, dict) else None
    found: list[tuple[Any, Path]] = []
    if isinstance(words, list) and words:
        found.append((len(words) - 1, ("model", "vocab", len(words) - 1)))
    elif isinstance(words, dict):
        ids = {word: number for word, number in words.items() if isinstance(number, int)}
        if ids:
            last = max(ids, key=ids.__getitem__)
            found.append((ids[last], ("model", "vocab", last)))
    for k, row in enumerate(added) if isinstance(added, list) else ():
        if isinstance(row, dict) and isinstance(row.get("id"), int):
            found.append((row["id"], ("added_tokens", k, "id")))
    return max(found, key=lambda pair: pair[0], default=None)


def numbers_of(tree: Any) -> dict[str, Any]:
    """Return the tokens of a tokenizer and their numbers; none if they are not known."""
    words, added = first(tree, "model/vocab"), (at.value for at in each(tree, "added_tokens/*") if at.value is at.owner)
    own = {at.value: at.path[0] for at in each(words, "*/0") if isinstance(at.value, str)}
    own |= words if isinstance(words, dict) else {}
    given = {row["content"]: row.get("id") for row in added if isinstance(row.get("content"), str)}
    return given | own if own else {}


def check_numbers(tree: Any, report: Report) -> None:
    """Report tokens whose numbers are not those of the vocabulary: tokenizers takes these, but those of a post-processor as they are."""
    known, words = numbers_of(tree), first(tree, "model/vocab")
    if isinstance(words, dict) and (same := _same_number(words)) is not None:
        one, other = same
        text = f"tokens {one!r} and {other!r} have the same number {words[other]}"
        here = ("first here", ("model", "vocab", one))
        report.say(R.duplicate_definition, ("model", "vocab", other), text, other=here, severity=Severity.WARNING)
    for at in each(tree, "added_tokens/*/id"):
        word = at.owner.get("content")
        if isinstance(words, dict) and isinstance(word, str):
            of = f"the number of token {word!r} in `vocab`"
            report.claim(R.other_value, at.path, of, at.value, words.get(word), severity=Severity.WARNING)
    for at in each(tree, "padding/pad_id"):
        _number(at.path, at.owner.get("pad_token"), at.value, known, report)
    for pattern in _PROCESSORS:
        for at in each(tree, f"{pattern}/special_tokens/*/ids/*"):
            named = at.owner.get("tokens")
            _number(at.path, named[at.path[-1]] if _has(named, at.path[-1]) else None, at.value, known, report)
        for at in each(tree, f"{pattern}/sep|cls"):
            if _has(at.value, 1):
                _number((*at.path, 1), at.value[0], at.value[1], known, report)


def _same_number(words: dict[str, Any]) -> tuple[str, str] | None:
    """Return the first two tokens of a vocabulary with the same number."""
    seen: dict[int, str] = {}
    for word, number in words.items():
        if isinstance(number, int) and seen.setdefault(number, word) != word:
            return seen[number], word
    return None


def _has(items: Any, k: Any) -> bool:
    return isinstance(items, list) and k < len(items)


def _number(at: Path, word: Any, said: Any, known: dict[str, Any], report: Report) -> None:
    if isinstance(word, str) and known:
        of = f"the number of token {word!r}"
        report.claim(R.other_value, at, of, said, known.get(word), severity=Severity.WARNING)


def check_unknown(tree: Any, report: Report) -> None:
    """Report a token for unknown words that is not in the vocabulary: tokenizers cannot encode such words."""
    kind, word, words = (first(tree, f"model/{key}") for key in ("type", "unk_token", "vocab"))
    if kind in _WHOLE and isinstance(word, str) and isinstance(words, dict) and word not in words:
        report.say(
            R.unknown_tensor,
            ("model", "unk_token"),
            f"`unk_token` {word!r} is not in `vocab`; tokenizers refuses unknown words",
        )


def check_merges(tree: Any, report: Report) -> None:
    """Report the first token of `merges` that `vocab` does not have: tokenizers 0.23 refuses the file."""
    rows, words = first(tree, "model/merges"), first(tree, "model/vocab")
    prefix = first(tree, "model/continuing_subword_prefix") or ""
    lost: list[tuple[str, Path]] = []
    if isinstance(rows, list) and isinstance(words, dict) and isinstance(prefix, str):
        lost = [(word, at) for word, at in _merged(rows, prefix) if word not in words]
    if lost:
        (word, at), others = lost[0], len({word for word, _ in lost}) - 1
        more = f", and {others} more" if others else ""
        words = f"`merges` has token {word!r}, which is not in `vocab`{more}; tokenizers refuses the file"
        report.say(R.unknown_tensor, ("model", "merges", *at), words)


def _merged(rows: list[Any], prefix: str) -> Iterator[tuple[str, Path]]:
    """Yield the two tokens of each pair, and the one that they make, with their places in the list."""
    for k, row in enumerate(rows):
        pair = row.split(" ") if isinstance(row, str) else row
        if isinstance(pair, list) and [*map(type, pair)] == [str, str] and pair[0] != "#version:":
            places = ((k, 0), (k, 1), (k,)) if pair is row else ((k,),) * 3
            yield from zip((*pair, pair[0] + pair[1][len(prefix) :]), places, strict=True)
