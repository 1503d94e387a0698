"""`irlint schema --validate`: what jsonschema or lxml says of a file by a schema, beside irlint's own verdict."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irlint.cli.model import lint_model
from irlint.cli.output import show
from irlint.cli.status import FOUND, OK, UsageError
from irlint.codes import R
from irlint.findings import Severity
from irlint.formats.base import by_name
from irlint.records import replace
from irlint.settings import Settings, UserSchema
from irlint.text.base import Document
from irlint.text.safe import visible
from irlint.text.words import count
from irlint.user_schemas.process import Failure, ask

_SHOWN = 20  # errors


def validate(file: str, given: str | None, published: Mapping[str, Path]) -> int:
    """Print the verdicts on a file, and the errors; `given` is the name of a published schema, or the path of another one."""
    if file.endswith((".yaml", ".yml", ".toml")):
        raise UsageError(
            f"{visible(file)}: expected JSON, XML or a model; irlint checks its own configuration when it reads it"
        )
    name = given or _usual(file)
    path = os.path.realpath(name if given and os.path.isfile(given) else published[name])
    try:
        kind, said = ask(path, os.path.dirname(path), formats=False)
    except Failure as failure:
        raise UsageError(f"schema {visible(name)} {failure}") from failure
    if kind == "mistake":
        raise UsageError(f"{said[0]}: {said[2]}")
    digest, is_json, files = said
    schema = UserSchema(name, path, os.path.dirname(path), is_json=is_json, files=tuple(files), digest=digest)
    settings = Settings(select=("S", R.user_schema.code, R.check_incomplete.code), schemas=(schema,), shapes=False)
    result = lint_model(file, settings)
    if result.document is not None and (result.document.is_binary or result.document.syntax not in ("json", "xml")):
        result = lint_model(file, replace(settings, schemas=(schema._replace(of="graph"),)))
    found = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    rows = [("jsonschema" if is_json else "lxml", len(found))]
    if (
        path == os.path.realpath(published.get(name, ""))
        and result.document is not None
        and not result.document.guesses
    ):
        rows.insert(0, ("irlint", _own(name, result.document)))
    width = max(len(who) for who, _ in rows)
    show([f"{visible(file)} by {visible(name)}"])
    for who, number in rows:
        show([f"  {who:{width}}  {'invalid, ' + count(number, 'error') if number else 'valid'}"])
    for finding in found[:_SHOWN]:
        line, column = result.lines.position(finding.span.start)
        show([f"{visible(file)}:{line}:{column}: {visible(finding.message)}"])
    if len(found) > _SHOWN:
        show([f"and {len(found) - _SHOWN:,} more"])
    return FOUND if any(n for _, n in rows) else OK


def _usual(file: str) -> str:
    """Return the schema of a file's dialect."""
    result = lint_model(file, Settings(select=("S",), shapes=False))
    format_ = by_name(result.format or "")
    dialects = () if format_ is None else format_.dialects
    schema = next((dialect.schema for dialect in dialects if dialect.name == result.dialect), None)
    if schema is None:
        what = f"{result.format} has no schema" if format_ else result.why
        raise UsageError(f"{visible(file)}: {what}; name one with --schema")
    return schema


def _own(name: str, document: Document) -> int:
    """Return the number of errors that irlint finds by one of its schemas."""
    value: Any = document
    if document.syntax == "json":
        from irlint.schema import problems

        return len(list(problems(name, value.value)))
    from irlint.schema.xsd import violations
    from irlint.text.xml.document import XmlDocument

    root = XmlDocument(document.text).root  # without what the reader of models leaves out
    return 1 if root is None else len(list(violations(name, root)))
