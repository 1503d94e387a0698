"""The schemas that a configuration brings, each loaded once so that its mistakes are known before any file is checked."""

from __future__ import annotations

import os
import re
from typing import Any

from irlint.config.check import Checker
from irlint.config.source import ConfigError, LineColumn
from irlint.files.globs import Globs
from irlint.findings import Severity
from irlint.settings import UserSchema
from irlint.user_schemas.bounds import Mistake


def user_schemas(checker: Checker, records: list[dict[str, Any]]) -> tuple[tuple[Globs, UserSchema], ...]:
    """Return the schemas with the files that each holds for."""
    return tuple(
        (_globs(record.get("files", "*")), schema)
        for at, record in enumerate(records)
        if (schema := _loaded(checker, record, at)) is not None
    )


def _globs(files: str | list[str]) -> Globs:
    """Return globs of files; if all begin with !, those of all other files."""
    globs = [re.sub(r"^(!?)\./", r"\1", glob) for glob in ([files] if isinstance(files, str) else files)]
    return Globs(["*", *globs] if all(glob.startswith("!") for glob in globs) else globs)


def _loaded(checker: Checker, record: dict[str, Any], at: int) -> UserSchema | None:

    from irlint.user_schemas.process import Failure, loaded

    name, where = record["schema"], ("schemas", at, "schema")
    base = os.path.dirname(os.path.abspath(checker.source.path))
    try:
        path = os.path.realpath(os.path.join(base, name))
    except ValueError:  # NUL, half a character
        checker.report(where, "expected the path of a file")
        return None
    given = record.get("of", "file"), Severity.parse(record.get("severity", "error")), record.get("formats", False)
    schema = UserSchema(name, path, base, *given)
    if not path.startswith(os.path.join(os.path.realpath(base), "")):
        checker.report(where, f"expected a file below the configuration's folder, got `{name}`")
    elif not os.path.isfile(path):
        checker.report(where, f"schema `{name}` not found")
    else:
        try:
            schema = loaded(schema)
        except Failure as failure:
            checker.report(where, f"schema `{name}` {failure}")
            return None
        except Mistake as found:
            raise mistake(found) from found
        if schema.of == "graph" and not schema.is_json:
            checker.report(("schemas", at, "of"), f"expected a JSON Schema for graphs, got `{name}`")
        return schema
    return None


def mistake(found: Mistake) -> ConfigError:
    """Return the error of a schema, at its place in its own file."""
    path, at, words = found.args
    if at and at[0] == "":
        from irlint.files.read import read
        from irlint.text.base import Place, decode
        from irlint.text.json.document import JsonDocument

        document = JsonDocument.parse(decode(read(path))[0], path)
        at = document.lines.position(document.span(Place(tuple(at[1:]))).start)[:2]
    shown = os.path.relpath(path)
    return ConfigError(path if shown.startswith(os.pardir) else shown, [(at and LineColumn(*at), words)])
