"""Schemas that a configuration brings: what they say of a model file, of any other JSON or XML file, or of a model's graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from irlint.findings import Problem
from irlint.settings import UserSchema
from irlint.text.base import Place, Span

if TYPE_CHECKING:
    from irlint.rules.base import Model


def problems(model: Model, schemas: Sequence[UserSchema]) -> Iterator[Problem]:
    """Yield the errors of a file by the schemas that hold for it."""
    from irlint.user_schemas.process import Failure
    from irlint.user_schemas.words import incomplete

    for schema in schemas:
        try:
            yield from _by_schema(model, schema)
        except Failure as failure:
            yield incomplete(schema, f"the schema {failure}")
        except RecursionError:
            yield incomplete(schema, "the graph is nested too deeply for the schema")


def _by_schema(model: Model, schema: UserSchema) -> Iterator[Problem]:
    from irlint.text.json.document import JsonDocument
    from irlint.user_schemas.words import json_place, json_problems, problem, xml_problems

    document: Any = model.document
    if document.guesses:
        return  # what is broken comes first
    if schema.of == "graph":
        from irlint.user_schemas.graph_form import GraphForm

        form = GraphForm(model)
        yield from json_problems(schema, form.value, form.place)
    elif document.is_binary or document.syntax != ("json" if schema.is_json else "xml"):
        wanted = "JSON" if schema.is_json else "XML"
        yield problem(
            schema, Span(0, 0), f"expected {wanted}, got another file; `of: graph` checks graphs of all formats"
        )
    elif schema.is_json:
        own = document if isinstance(document, JsonDocument) else JsonDocument.parse(document.text, document.name)
        for found in json_problems(schema, own.value, lambda error: json_place(error, own.value)):
            if own is not document and isinstance(found.at, Place):  # ONNX's JSON has places of its own
                found.at = own.span(found.at)
            yield found
    else:
        yield from xml_problems(schema, document)
