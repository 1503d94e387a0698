"""workspace/executeCommand: `irlint.explain` returns Markdown; dry run, flat view, n-grams and summary return tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from irlint.rules import page, registry
from irlint_lsp.protocol import INVALID_PARAMS, REQUEST_FAILED, Plain
from irlint_lsp.server import Server  # not only for checkers: pygls looks at the types of commands' handlers

if TYPE_CHECKING:
    from irlint.inspection.page import Page
    from irlint.rules.base import Model

ATTEMPTS = 4
WAYS = ("order", "edges")


def register(server: Server) -> None:
    handlers: dict[str, Any] = {
        "irlint.explain": _explain,
        "irlint.dryRun": _dry_run,
        "irlint.flatten": _flatten,
        "irlint.ngrams": _ngrams,
        "irlint.summary": _summary,
    }
    for name, handler in handlers.items():
        server.command(name)(handler)


async def _explain(ls: Server, *args: Any) -> str:
    found = registry.find(args[0]) if args and isinstance(args[0], str) else None
    if found is None:
        raise JsonRpcException(f"unknown rule {args[0] if args else '(none given)'}", code=INVALID_PARAMS)
    return page.render_markdown(found)


async def _dry_run(ls: Server, *args: Any) -> Plain:
    """Return the types of all values, up to a node if one is given."""
    from irlint.inspection.page import types_page

    return await _page(ls, args, partial(types_page, upto=_argument(args, str)))


async def _flatten(ls: Server, *args: Any) -> Plain:
    from irlint.inspection.page import flat_page

    return await _page(ls, args, flat_page)


async def _ngrams(ls: Server, *args: Any) -> Plain:
    """Return the n-grams of operators, by default of 3 in order of calls."""
    from irlint.inspection.page import ngrams_page

    size, along = _argument(args, int) or 3, args[2] if len(args) > 2 and args[2] in WAYS else "order"
    return await _page(ls, args, partial(ngrams_page, n=min(max(size, 1), 9), along=along))


async def _summary(ls: Server, *args: Any) -> Plain:
    from irlint.inspection.page import summary_page

    return await _page(ls, args, summary_page)


def _argument(args: tuple[Any, ...], kind: type) -> Any:
    return args[1] if len(args) > 1 and type(args[1]) is kind else None


async def _page(ls: Server, args: tuple[Any, ...], make: Callable[[Model], Page]) -> Plain:
    from irlint_lsp.pages import page_of

    document = ls.opened(args[0] if args else None)
    found: object = None
    for _ in range(ATTEMPTS):  # a lint that ends meanwhile takes the model apart that the page is made of
        if document is None or not await ls.linter.fresh(document) or (analysis := document.analysis) is None:
            raise JsonRpcException("this model is not open", code=INVALID_PARAMS)
        found = await ls.linter.in_thread(partial(page_of, analysis.result, make))
        if document.analysis is analysis:
            break
    if not isinstance(found, dict):
        raise JsonRpcException(f"no table could be made: {found}", code=REQUEST_FAILED)
    return Plain({"uri": args[0], **found})
