"""workspace/executeCommand: explain, dry run, flat view, n-grams; every result is a text to show."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from pygls.exceptions import JsonRpcException

from irlint.formats.navigation import Target
from irlint.graph import Graph
from irlint.rules import page, registry
from irlint_lsp.documents import VisibleRange
from irlint_lsp.paced import STEP, Work, paced
from irlint_lsp.protocol import INVALID_PARAMS, REQUEST_FAILED
from irlint_lsp.server import Server  # not only for checkers: pygls looks at the handlers' types
from irlint_lsp.shown import label, model_of

MOST = 20_000  # lines of an answer


def register(server: Server) -> None:
    handlers: dict[str, Any] = {
        "irlint.explain": _explain,
        "irlint.dryRun": _dry_run,
        "irlint.flatten": _flatten,
        "irlint.ngrams": _ngrams,
    }
    for name, handler in handlers.items():
        server.command(name)(handler)


async def _explain(ls: Server, *args: Any) -> str:
    found = registry.find(args[0]) if args and isinstance(args[0], str) else None
    if found is None:
        raise JsonRpcException(f"unknown rule {args[0] if args else '(none given)'}", code=INVALID_PARAMS)
    return page.render_markdown(found)


async def _dry_run(ls: Server, *args: Any) -> Any:
    """Return the types of all values, up to a node if one is given."""
    await _model(ls, args)
    upto = args[1] if len(args) > 1 and isinstance(args[1], str) else None
    return await paced(ls, args[0], partial(_types, upto=upto))


def _types(view: VisibleRange, upto: str | None) -> Work:
    lines: list[str] = []
    graph, count = _graph(view), 0
    for count, node in enumerate(graph.nodes, 1):
        if count % STEP == 0:
            yield
        if count <= MOST:
            gives = ", ".join(label(view, Target(graph, node, k)) for k in range(len(node.outputs)))
            lines.append(f"{node.index:6}  {node.op:24}  {gives}")
        if node.name == upto:
            break
    return _text(lines, count)


async def _flatten(ls: Server, *args: Any) -> str:
    from irlint.flat import flatten
    from irlint.order import CycleError

    try:
        return _text(flatten(_graph(await _model(ls, args))).text().split("\n")[:-1])
    except CycleError as error:
        raise JsonRpcException(f"no topological order: {error}", code=REQUEST_FAILED) from None


async def _ngrams(ls: Server, *args: Any) -> str:
    view = await _model(ls, args)
    size = args[1] if len(args) > 1 and isinstance(args[1], int) and 0 < args[1] < 10 else 2
    counts: dict[tuple[str, ...], int] = {}
    ops = [node.op for node in model_of(view).graph.nodes if node.kind == "call"]
    for k in range(len(ops) - size + 1):
        gram = tuple(ops[k : k + size])
        counts[gram] = counts.get(gram, 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return _text(f"{count:6}  {' -> '.join(gram)}" for gram, count in ranked)


async def _model(ls: Server, args: tuple[Any, ...]) -> VisibleRange:
    view = await ls.fresh(args[0]) if args and isinstance(args[0], str) else None
    if view is None:
        raise JsonRpcException("this model is not open", code=INVALID_PARAMS)
    return view


def _graph(view: VisibleRange) -> Graph:
    return model_of(view).graph


def _text(lines: Iterable[str], count: int | None = None) -> str:
    """Return the first lines as one text, and the number of further ones; of `count`, if not all are given."""
    found = list(lines)
    rest = (len(found) if count is None else count) - MOST
    return "\n".join([*found[:MOST], *([f"... and {rest} more lines"] if rest > 0 else [])]) + "\n"
