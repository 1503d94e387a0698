"""Run two models on the same inputs: whether they compute the same, or which operator is the first that differs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irlint.cli.model import lint_model, model_file, model_for, only_one_stdin
from irlint.cli.output import show, show_json
from irlint.cli.running import add_values
from irlint.cli.status import FOUND, OK, Refused, UsageError, say
from irlint.codes import R
from irlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from irlint.engine import Result

_SHARE = 4  # of the memory: results of both models are kept, and compared
EPILOG = """\
exit status:
  0  the models compute the same
  1  they do not, or irlint cannot tell, or one of them has errors
  2  invalid usage, or not enough memory
  4  a model has an operator that irlint cannot run

A and B may be of different formats: the same network before and after a conversion, an optimizer or a quantizer.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", type=model_file, metavar="A", help="model file of any format")
    parser.add_argument("b", type=model_file, metavar="B", help="the model to compare with it")
    add_values(parser, " of A", "inputs")
    parser.add_argument(
        "--runtime",
        choices=("a", "b", "both"),
        help="take the outputs of A, of B or of both from onnxruntime (ONNX) or OpenVINO (IR) if it is installed",
    )
    parser.add_argument(
        "--save",
        metavar="OUT.npz",
        help="write the inputs, and operands and results of the first operator that differs",
    )
    parser.add_argument(
        "--output-format",
        choices=("text", "json", "in-toto"),
        default="text",
        help="in-toto: an attestation with the digests of all files",
    )
    parser.add_argument(
        "--sign",
        metavar="OUT.json",
        help="write the attestation, and sign it with OpenSSF model-signing if it is installed: OUT.json.sig",
    )
    parser.add_argument(
        "--private-key", metavar="KEY.pem", help="sign with this key (default: with an identity, through Sigstore)"
    )


def run(args: argparse.Namespace) -> int:
    from irlint.cli.inputs import given_inputs
    from irlint.cli.run_report import write_archive
    from irlint.cli.running import refusals, runnable, runtime_of
    from irlint.dryrun.running import memory
    from irlint.dryrun.running.feeds import settable
    from irlint.proving.prove import prove
    from irlint.proving.report import NamedSide, archive, lines, record
    from irlint.proving.running import Side

    only_one_stdin([args.a, args.b])
    for path in filter(None, (args.save, args.sign)):
        if not Path(path).parent.is_dir():  # reported before the run, not after it
            raise UsageError(f"cannot write {path}: no such file or folder")
    signer = _signer(args)
    results = [lint_model(name, Settings(missing_weights="required"), None) for name in (args.a, args.b)]
    _only_with_weights(results)
    models = [model_for("values", result) for result in results]
    limit = memory.free() // _SHARE if args.memory_limit is None else args.memory_limit
    with refusals(args.a, models[0].format) as status:
        a, b = (Side(model, runnable(model)) for model in models)
        for name, side, letter in ((args.a, a, "a"), (args.b, b, "b")):
            if args.runtime in (letter, "both"):
                side.runtime = runtime_of(name, side.model)
        given = given_inputs(args.input, settable(a.mapping, a.graph))

        def begins(name: str, side: Side) -> None:
            status.name, status.of = name, side.model.format

        proof = prove(a, b, given, args.seed, limit, lambda side: begins(args.a if side is a else args.b, side))
        if args.save:
            write_archive(args.save, archive(proof, a, b))
        named = NamedSide("A", args.a, a), NamedSide("B", args.b, b)
        found = record(proof, *named)
        if args.output_format == "text":
            show(lines(proof, *named))
        else:
            show_json(found if args.output_format == "json" else _attested(args, results, found))
        if signer is not None:
            _sign(args, signer, _attested(args, results, found))
        status.value = OK if proof.is_same else FOUND
    return status.value


def _only_with_weights(results: Iterable[Result]) -> None:
    """Refuse models whose weights are missing: random ones would prove nothing."""
    for result in results:
        lost = next((finding for finding in result.findings if finding.code == R.missing_weights.code), None)
        if lost is not None:
            raise Refused(f"{result.name}: {lost.message}")


def _signer(args: argparse.Namespace) -> Any:
    from irlint.proving.signing import Unsigned, signer

    if args.sign is None:
        if args.private_key is not None:
            raise UsageError("--private-key: expected --sign OUT.json, too")
        return None
    if "-" in (args.a, args.b):
        raise UsageError("--sign: a statement is about files, not about stdin")
    try:
        return signer(args.private_key)
    except Unsigned as error:
        raise UsageError(f"--sign: {error}") from error


def _sign(args: argparse.Namespace, signer: Any, statement: dict[str, Any]) -> None:
    from irlint.cli.output import save
    from irlint.proving.signing import Unsigned, sign

    path = Path(args.sign)
    save(args.sign, (json.dumps(statement, indent=2) + "\n").encode())
    try:
        signature = sign(signer, path)
    except Unsigned as error:
        raise UsageError(str(error)) from error
    how = "key --public_key KEY.pub" if args.private_key else "sigstore --identity NAME --identity_provider URL"
    say(f"signed {path}: {signature}; to verify it: model_signing verify {how} --signature {signature} {path}")


def _attested(args: argparse.Namespace, results: list[Result], found: dict[str, Any]) -> dict[str, Any]:
    from irlint.formats.base import by_name
    from irlint.proving.statement import digest, statement

    files = []
    for letter, name, result in zip("AB", (args.a, args.b), results, strict=True):
        if name == "-":
            raise UsageError("--output-format in-toto: a statement is about files, not about stdin")
        path, format_ = Path(name), by_name(result.format or "")
        beside = [] if format_ is None else format_.side_files(path)
        files.append((letter, [path, *(one for one in beside if one.is_file())]))
    values = [path for word in args.input if (path := Path(word.rpartition("=")[2])).is_file()]
    given = {"inputs": args.input, "files": {str(path): digest(path) for path in values}, "seed": args.seed}
    return statement(files, found, given)
