"""Draw a model: a page to explore in the browser, or an SVG; of two models, what changed."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.cli.model import lint_model, load_model, model_file, model_for, only_one_stdin, refusal, verify_is_model
from irlint.cli.options import add_as, add_input
from irlint.cli.output import save, write_exactly
from irlint.cli.status import OK, UsageError, say
from irlint.files.read import Unreadable
from irlint.text.safe import put, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.engine import Result
    from irlint.rules.base import Model
    from irlint.view import BoxScene

LARGEST = 1 << 26  # bytes of an overlay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument(
        "new", type=model_file, metavar="NEW", nargs="?", help="later version of the model, to draw what changed"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="file to write, .html or .svg, or - for HTML to stdout (default: a page in the current folder with the names of"
        " the model's folder and file, such as FOLDER_MODEL.onnx.html)",
    )
    add_input(parser)
    parser.add_argument("--open", action="store_true", help="open the file in the browser")
    parser.add_argument(
        "--events", metavar="FILE", help="events of `irlint run --events`, to color operators by their time"
    )
    parser.add_argument(
        "--overlay",
        metavar="FILE.json",
        help="node data of Model Explorer or another tool, to color and label operators by it",
    )
    parser.add_argument(
        "--node-data",
        metavar="FILE.json",
        help="write findings, FLOPs and, with --events, times as node data for Model Explorer, and each quantity alone as FILE.flops.json"
        " and so on; a page only with -o",
    )
    add_as(parser)


def run(args: argparse.Namespace) -> int:
    output = args.output or ("" if args.node_data else _default([args.model, args.new]))
    _check(args, output)
    scene, model = _scene(args)
    if args.node_data and model is not None:
        _write_node_data(args.node_data, scene, model)
    if output:
        _write(output, scene, [args.model, args.new])
        if output != "-":
            put(sys.stderr, f"Wrote {visible(output)}\n")
    if args.open:
        _show(output)
    return OK


def _check(args: argparse.Namespace, output: str) -> None:
    """Refuse options that do not go together."""
    if output not in ("", "-") and not output.endswith((".html", ".svg")):
        raise UsageError(f"-o {output}: expected a name that ends in .html or .svg")
    if args.open and output in ("", "-"):
        raise UsageError("--open requires a file (-o)")
    if args.overlay and output.endswith(".svg"):
        raise UsageError("--overlay colors a page; expected -o with a name that ends in .html")
    if args.node_data and not args.node_data.endswith(".json"):
        raise UsageError(f"--node-data {args.node_data}: expected a name that ends in .json")
    for option in ("--input", "--events", "--overlay", "--node-data"):
        if getattr(args, option[2:].replace("-", "_")) and args.new:
            raise UsageError(f"{option} is for one model; expected no NEW with it")
    only_one_stdin([name for name in (args.model, args.new, args.events, args.overlay) if name])


def _default(models: list[str | None]) -> str:
    """Return the name of the page of these models: with their whole names, so models of one folder do not share a page.

    A file of that name is replaced only if it is a page of the same models.
    """
    from irlint.view.page import is_page_of

    name = "-".join("_".join(_short(model)) for model in models if model and model != "-") or "graph"
    path = f"{name}.html"
    if os.path.lexists(path) and not is_page_of(path, models):
        raise UsageError(f"{path} exists and is not the page of this model; pass -o to name the file to write")
    return path


def _short(model: str) -> list[str]:
    """Return the name of a file, after that of its folder if the argument has it: every export is called openvino_model.xml."""
    folder, name = os.path.split(model)
    folder = os.path.basename(folder)
    return [folder, name] if folder.strip(".") else [name]


def _scene(args: argparse.Namespace) -> tuple[BoxScene, Model | None]:
    """Return the scene, and the model if it is of one."""
    from irlint.view.draw import draw

    if args.new:
        return _difference(args), None
    result = _read(args.model, args.as_format)
    model = result.model
    assert model is not None
    if args.input:
        from irlint.cli.inputs import infer_for
        from irlint.inspection.types import mapping_of

        infer_for(model, mapping_of(model), args.input)
    seconds = _seconds(args.events, model, args.model) if args.events else None
    scene = draw(model, "/".join(_short(args.model)), result.findings, result.lines, seconds)
    if args.overlay:
        _lay_over(args.overlay, scene, model)
    return scene, model


def _lay_over(name: str, scene: BoxScene, model: Model) -> None:
    from irlint.files.read import read
    from irlint.text.words import count
    from irlint.view.node_data import OverlayError
    from irlint.view.node_data import read as overlays

    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if name == "-" else read(name, LARGEST + 1)
        if len(data) > LARGEST:
            raise OverlayError(f"larger than {LARGEST >> 20} MiB")
        scene.overlays, unknown = overlays(data, os.path.basename(name), scene, model)
    except (OverlayError, Unreadable) as error:
        raise UsageError(f"--overlay {name}: {error}") from error
    if unknown:
        say(f"{name}: {count(unknown, 'entry', 'entries')} for nodes that this graph does not show")


def _write_node_data(name: str, scene: BoxScene, model: Model) -> None:
    """Write the labels of nodes to the file, and each quantity to one of its own."""
    import json

    from irlint.view.node_data import written

    for quantity, data in written(scene, model).items():
        path = f"{name.removesuffix('.json')}.{quantity.lower()}.json" if quantity else name
        save(path, json.dumps(data, indent=1).encode())
        put(sys.stderr, f"Wrote {visible(path)}\n")


def _difference(args: argparse.Namespace) -> BoxScene:
    from irlint.jobs.one_file import confirm
    from irlint.settings import Settings
    from irlint.view.compare import draw_difference, told_apart

    old = load_model(args.model, "nodes", args.as_format, shapes=True)
    result = lint_model(args.new, Settings(), args.as_format)
    new = model_for("nodes", result)
    confirm(result)
    return draw_difference(old, new, " → ".join(told_apart(args.model, args.new)), result.findings)


def _read(name: str, as_format: str | None) -> Result:
    """Return a model with its findings, however broken it is; refused if nothing can be drawn."""
    from irlint.jobs.one_file import confirm
    from irlint.settings import Settings

    result = lint_model(name, Settings(), as_format)
    verify_is_model(result)
    if result.model is None or not result.model.graph.nodes:
        why = result.findings[0].message if result.findings else result.why
        raise refusal(result, "picture", (), f"nothing to draw{why and f': {why}'}")
    confirm(result)
    return result


def _seconds(name: str, model: Model, of: str) -> Sequence[float | None]:
    """Return the durations of the model's calls by their ids."""
    from irlint.inspection.durations import matched
    from irlint.text.words import count

    found = matched(model, load_model(name, "calls"))
    if found is None:
        raise UsageError(f"--events {name}: no durations in this file; expected events of `irlint run --events`")
    if found.fitting == 0:
        what = f"none of its {count(found.events, 'event')} is of an operator of {of}"
        raise UsageError(f"--events {name}: {what}; expected events of a run of this model")
    if found.fitting < found.events:
        lost = f"{found.events - found.fitting:,} of {count(found.events, 'event')}"
        say(f"{visible(name)}: {lost} are of operators that {visible(of)} does not have; is it another model's?")
    return found.seconds


def _write(output: str, scene: BoxScene, models: list[str | None]) -> None:
    if output.endswith(".svg"):
        from irlint.view.svg import svg

        text = svg(scene)
    else:
        from irlint.view.page import page

        text = page(scene, models)
    data = text.encode("utf-8", "backslashreplace")
    if output == "-":
        write_exactly(data)
    else:
        save(output, data)


def _show(output: str) -> None:
    import webbrowser

    webbrowser.open(Path(output).resolve().as_uri())
