"""Draw a model: a page to explore in the browser, or an SVG; of two models, what changed."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.cli.model import lint_model, load_model, only_one_stdin, refusal
from irlint.cli.options import add_as
from irlint.cli.output import save, write_exactly
from irlint.cli.status import OK, UsageError
from irlint.text.safe import put, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.engine import Result
    from irlint.view import BoxScene


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument("new", metavar="NEW", nargs="?", help="later version of the model, to draw what changed")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="file to write, .html or .svg, or - for HTML to stdout (default: the model's name with .html, in the current folder)",
    )
    parser.add_argument("--open", action="store_true", help="open the file in the browser")
    parser.add_argument(
        "--events", metavar="FILE", help="events of `irlint run --events`, to color operators by their time"
    )
    add_as(parser)


def run(args: argparse.Namespace) -> int:
    output = args.output or _default(args.new or args.model)
    if output != "-" and not output.endswith((".html", ".svg")):
        raise UsageError(f"-o {output}: expected a name that ends in .html or .svg")
    if args.open and output == "-":
        raise UsageError("--open requires a file (-o)")
    named = [name for name in (args.model, args.new, args.events) if name]
    only_one_stdin(named)
    _write(output, _scene(args))
    if output != "-":
        put(sys.stderr, f"Wrote {visible(output)}\n")
    if args.open:
        _show(output)
    return OK


def _default(model: str) -> str:
    stem = os.path.splitext(os.path.basename(model))[0]
    return f"{stem or 'graph'}.html" if model != "-" else "graph.html"


def _scene(args: argparse.Namespace) -> BoxScene:
    from irlint.view.draw import draw

    if args.new:
        return _difference(args)
    result = _read(args.model, args.as_format)
    model = result.model
    assert model is not None
    seconds = _seconds(args.events) if args.events else None
    return draw(model, os.path.basename(args.model), result.findings, result.lines, seconds)


def _difference(args: argparse.Namespace) -> BoxScene:
    from irlint.view.compare import draw_difference

    if args.events:
        raise UsageError("--events colors one model; expected no NEW with it")
    old, new = (load_model(name, "nodes", args.as_format, shapes=True) for name in (args.model, args.new))
    return draw_difference(old, new, f"{os.path.basename(args.model)} → {os.path.basename(args.new)}")


def _read(name: str, as_format: str | None) -> Result:
    """Return a model with its findings, however broken it is; refused if nothing can be drawn."""
    from irlint.jobs.one_file import confirm
    from irlint.settings import Settings

    result = lint_model(name, Settings(), as_format)
    if result.model is None or not result.model.graph.nodes:
        why = result.findings[0].message if result.findings else result.why
        raise refusal(result, "picture", (), f"nothing to draw{why and f': {why}'}")
    confirm(result)
    return result


def _seconds(name: str) -> Sequence[float | None]:
    """Return the durations of calls by their ids, from the first session of a file of events."""
    from irlint.inspection.ngrams import traces

    for trace in traces(load_model(name, "calls"), name):
        if trace.seconds is not None:
            return trace.seconds
    raise UsageError(f"--events {name}: no durations in this file; expected events of `irlint run --events`")


def _write(output: str, scene: BoxScene) -> None:

    if output.endswith(".svg"):
        from irlint.view.svg import svg as drawn
    else:
        from irlint.view.page import page as drawn
    data = drawn(scene).encode("utf-8", "backslashreplace")
    if output == "-":
        write_exactly(data)
    else:
        save(output, data)


def _show(output: str) -> None:
    import webbrowser

    webbrowser.open(Path(output).resolve().as_uri())
