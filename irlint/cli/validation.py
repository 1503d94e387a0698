"""`irlint schema --validate`: what jsonschema or lxml says of a file by a schema, beside irlint's own verdict."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irlint.cli.model import lint_model, refusal, verify_is_model
from irlint.cli.output import show
from irlint.cli.status import FOUND, OK, UsageError
from irlint.codes import R
from irlint.config.schemas import mistake
from irlint.engine import Result
from irlint.findings import Finding, Severity
from irlint.formats.base import by_name
from irlint.settings import Settings, UserSchema
from irlint.text.base import Document
from irlint.text.safe import visible
from irlint.text.sniff import is_binary
from irlint.text.words import count, more_than
from irlint.user_schemas.bounds import Mistake
from irlint.user_schemas.process import Failure, loaded

_SHOWN = 20  # errors


def validate(file: str, given: str | None, published: Mapping[str, Path], of: str | None = None) -> int:
    """Print the verdicts on a file, and the errors; `given` is the name of a published schema, or the path of another one."""
    if file.endswith((".yaml", ".yml", ".toml")):
        return _configuration(file)
    name = given or _usual(file)
    schema = _loaded(name, os.path.realpath(published.get(name, name)))
    result = _linted(file, schema, of)
    found = [f for f in result.findings if f.severity == Severity.ERROR or f.name == R.check_incomplete.name]
    verdicts = {"jsonschema" if schema.is_json else "lxml": sum(f.severity == Severity.ERROR for f in found)}
    if name in published:
        verdicts = {**_own(name, result.document), **verdicts}
    show([f"{visible(file)} by {visible(name)}"])
    width = max(map(len, verdicts))
    for who, number in verdicts.items():
        sound = "incomplete" if found and who != "irlint" else "valid"
        show([f"  {who:{width}}  {'invalid, ' + count(number, 'error') if number else sound}"])
    show(_lines(visible(file), result, found))
    return FOUND if found or any(verdicts.values()) else OK


def _configuration(file: str) -> int:
    """Print what irlint says of its own configuration."""
    from irlint.config.find import NAMES, build_from, load
    from irlint.config.source import ConfigError

    if os.path.basename(file) not in NAMES:
        raise UsageError(f"{visible(file)}: expected JSON, XML, a model, or a configuration ({', '.join(NAMES)})")
    try:
        source = load(file)
        if source is None:
            raise UsageError(f"{visible(file)}: missing table `[tool.irlint]`")
        build_from(source, os.path.dirname(os.path.abspath(file)))
    except ConfigError as error:
        show([f"{visible(file)} by irlint-config", "  irlint  invalid", *error.args])
        return FOUND
    show([f"{visible(file)} by irlint-config", "  irlint  valid"])
    return OK


def _lines(file: str, result: Result, found: list[Finding]) -> list[str]:
    """Return a line for each error."""
    places = (result.lines.position(finding.span.start) for finding in found[:_SHOWN])
    lines = [f"{file}:{at.line}:{at.column}: {visible(f.message)}" for at, f in zip(places, found, strict=False)]
    return [*lines, *more_than(_SHOWN, found)]


def _loaded(name: str, path: str) -> UserSchema:
    try:
        return loaded(UserSchema(name, path, os.path.dirname(path)))
    except Failure as failure:
        raise UsageError(f"schema {visible(name)} {failure}") from failure
    except Mistake as found:
        raise mistake(found) from found


def _linted(file: str, schema: UserSchema, of: str | None) -> Result:
    """Return what a schema says of a file, or of the graph: of one that is not JSON or XML, or if that is asked for."""
    codes = ("S", R.user_schema.code, R.check_incomplete.code)
    if of == "graph":
        return lint_model(file, Settings(select=codes, schemas=(schema._replace(of="graph"),)))
    result = lint_model(file, Settings(select=codes, schemas=(schema,), shapes=False))
    document = result.document
    if document is None or not (document.is_binary or document.syntax not in ("json", "xml")):
        return result
    return lint_model(file, Settings(select=codes, schemas=(schema._replace(of="graph"),)))


def _usual(file: str) -> str:
    """Return the schema of a file's dialect."""
    result = lint_model(file, Settings(select=("S",), shapes=False))
    format_ = by_name(result.format or "")
    dialects = () if format_ is None else format_.dialects
    schema = next((dialect.schema for dialect in dialects if dialect.name == result.dialect), None)
    if schema is None:
        if format_ is None and is_binary(result.text):
            verify_is_model(result)
            raise refusal(result, "text", result.findings)
        what = f"{result.format} has no schema" if format_ else result.why
        raise UsageError(f"{visible(file)}: {what}; name one with --schema")
    return schema


def _own(name: str, document: Document | None) -> dict[str, int]:
    """Return the number of errors that irlint finds by one of its schemas, if the syntax leaves no doubt."""
    if document is None or document.guesses:
        return {}
    value: Any = document
    if document.syntax == "json":
        from irlint.schema import problems

        return {"irlint": len(list(problems(name, value.value)))}
    from irlint.schema.xsd import violations
    from irlint.text.xml.document import XmlDocument

    root = XmlDocument(document.text).root  # without what the reader of models leaves out
    return {"irlint": 1 if root is None else len(list(violations(name, root)))}
