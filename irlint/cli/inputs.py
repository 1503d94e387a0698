"""--input NAME=FILE.npy, NAME=SHAPE[:DTYPE], FILE.npz: the input values of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from functools import partial
from itertools import count, takewhile
from typing import Any

from irlint.cli.status import UsageError
from irlint.dryrun.dtypes import BITS
from irlint.dryrun.infer import infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.examples import suggestion
from irlint.dryrun.running.feeds import SEQUENCE, GivenInput, Settable, disagreement, resolve, settable, tensors
from irlint.dryrun.running.sequences import boxed
from irlint.dryrun.running.states import initial
from irlint.files.read import Unreadable, open_regular, plainly
from irlint.rules.base import Model

_SHAPE = re.compile(r"(?:\[?\s*(?:(\d{1,18}(?:\s*[,x]\s*\d{1,18})*)\s*)?,?\]?)(?::([a-z]\w*))?", re.ASCII)


def given_inputs(words: Sequence[str], known: Settable) -> dict[int, GivenInput]:
    """Return the given values of inputs by node index."""
    feeds = known.by_name()
    names = {name: feed.node for name, feed in feeds.items()}
    sequences = {name for name, feed in feeds.items() if feed.type.dtype == SEQUENCE}
    found: dict[int, GivenInput] = {}
    for word in words:
        fits = [name for name in names if word.startswith(f"{name}=")]
        if fits:
            name = max(fits, key=len)
            found[names[name]] = _said(name, word[len(name) + 1 :], name in sequences)
        elif word.lower().endswith(".npz") and "=" not in word:
            archive = _with_sequences(arrays_of(word), sequences)
            keys = [key for key in archive if key in names]
            if not keys:
                got = f"got {_listed(archive)}; {known.listed()}"
                raise UsageError(f"{word}: expected arrays named like inputs, {got}")
            found.update({names[key]: GivenInput(archive[key]) for key in keys})
        elif (name := word.partition("=")[0]) != word:
            raise UsageError(f"--input {word}: unknown input {name!r}; {known.instead_of(name)}")
        else:
            raise UsageError(f"--input {word}: expected NAME=VALUE with the name of an input; {known.listed()}")
    return found


def infer_for(model: Model, mapping: Mapping | None, words: Sequence[str]) -> None:
    """Infer the model's types again, for the shapes of --input."""
    if mapping is None:
        raise UsageError(f"--input: irlint infers no shapes of {model.format} ({model.dialect})")
    known = settable(mapping, model.graph)
    said = given_inputs(words, known)
    inputs = resolve(known.used(said), said, partial(suggestion, known))
    given = tensors(inputs)
    types = infer(model.graph, mapping, given)
    if types.all_mistakes() and (why := disagreement(known.feeds, inputs.types)):
        raise UsageError(f"--input: {why}; give both the same length")
    if begun := initial(mapping.states(model.graph), types, model.graph):
        types = infer(model.graph, mapping, {**given, **begun})
    model.types = types


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names)) or "none"


def _with_sequences(archive: Any, names: Collection[str]) -> Any:
    """Return the arrays by name; those named `NAME[0]`, `NAME[1]` and so on, as `--output` writes them, are a sequence."""
    found = {
        name: [archive[key] for key in takewhile(archive.__contains__, (f"{name}[{k}]" for k in count()))]
        for name in names
    }
    joined = {name: boxed(parts) for name, parts in found.items() if parts}
    return {**{key: archive[key] for key in archive}, **joined} if joined else archive


def _said(name: str, text: str, is_sequence: bool) -> GivenInput:
    if text.lower().endswith(".npy"):
        return GivenInput(_load(text))
    if text.lower().endswith(".npz"):
        archive = _with_sequences(arrays_of(text), [name] if is_sequence else [])
        if name not in archive:
            raise UsageError(f"{text}: missing array {name!r}; it has {_listed(archive)}")
        return GivenInput(archive[name])
    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--input {name}={text}: expected a .npy or .npz file, or a shape such as 1,3,224,224:float32")
    if match[2] is not None and match[2] not in BITS:
        raise UsageError(f"--input {name}={text}: unknown element type `{match[2]}`")
    return GivenInput(None, tuple(map(int, re.findall(r"\d+", match[1] or ""))), match[2])


def only_regular(path: str) -> None:
    """Raise UsageError for a file that cannot be read or is not a regular file."""
    try:
        os.close(open_regular(path))
    except Unreadable as error:
        raise UsageError(f"{path}: {error}") from error


def _load(path: str) -> Any:
    from warnings import catch_warnings, simplefilter

    import numpy

    only_regular(path)
    try:
        with catch_warnings():
            simplefilter("ignore")  # NumPy warns about impossible sizes itself
            return numpy.load(path, allow_pickle=False)
    except OSError as error:
        raise UsageError(f"{path}: {plainly(error)}") from error
    except Exception as error:  # zipfile, NumPy and zlib each have their own
        raise UsageError(f"{path}: not a readable array: {_plain(error)}") from error


def _plain(error: Exception) -> str:
    """Return why NumPy cannot read a file."""
    text = str(error)
    if "Object arrays" in text:
        return "it contains Python objects"
    return "it is not a NumPy file" if "pickle" in text else text[:200] or type(error).__name__


def arrays_of(path: str) -> dict[str, Any]:
    """Return the arrays of an .npz; raise UsageError if it is not one."""
    archive = _load(path)
    if not hasattr(archive, "files"):
        raise UsageError(f"{path}: expected an .npz, got a single array")
    try:
        with archive:
            return {key: archive[key] for key in archive.files}
    except Exception as error:  # the same
        raise UsageError(f"{path}: not an .npz of plain arrays: {_plain(error)}") from error
