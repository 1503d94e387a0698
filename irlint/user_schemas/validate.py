"""jsonschema and lxml in a process of their own, which the process that asks can end: `irlint.user_schemas.process`.

A request is (schema, base, folder of the published schemas, formats, seconds, document), where the document is in a
pickled tuple; with an empty one the schema is only loaded.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import Any

from irlint.user_schemas.bounds import MEMORY, Files, Mistake, Slow, clocked


def answer(known: dict[Any, Any], request: tuple[str, str, str, bool, float, bytes]) -> tuple[str, Any]:
    """Return what is to be said of a request."""
    path, base, published, formats, seconds, pickled = request
    key = path, base, formats
    try:
        with clocked(seconds):
            document = pickle.loads(pickled)
            if key not in known or not document:
                known[key] = _loaded(path, Files(base, published), formats)
            schema = known[key]
            if document:
                return "checked", schema.check(*document)
            return "loaded", (schema.files.digest, schema.is_json, [*schema.files.read])
    except Mistake as mistake:
        return "mistake", mistake.args
    except ImportError as error:
        return "missing", error.name
    except Slow:
        return "slow", None
    except RecursionError:
        return "deep", None
    except MemoryError:
        return "memory", None
    except BaseException as error:  # of a library; a panic in Rust is not an Exception
        return "failed", f"{type(error).__name__}: {error}"[:300]


def _loaded(path: str, files: Files, formats: bool) -> Any:
    if files.content(path).lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        from irlint.user_schemas.xml_schema import XmlSchema

        return XmlSchema(path, files)
    from irlint.user_schemas.json_schema import JsonSchema

    return JsonSchema(path, files, formats)


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass
    known: dict[Any, Any] = {}
    asked, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints
    while True:
        try:
            request = pickle.load(asked)
        except EOFError:
            return
        pickle.dump(answer(known, request), out)
        out.flush()
