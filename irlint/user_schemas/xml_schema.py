"""An XML Schema (XSD 1.0) or RELAX NG schema, and what it finds in a document, by lxml."""

from __future__ import annotations

import os
import re
from io import BytesIO
from pathlib import Path
from typing import Any

from irlint.user_schemas.bounds import MOST, Files, Mistake

_XSD, _RELAX_NG = "http://www.w3.org/2001/XMLSchema", "http://relaxng.org/ns/structure/1.0"
_REFERENCES = {
    **{f"{{{_XSD}}}{tag}": "schemaLocation" for tag in ("include", "import", "redefine")},
    **{f"{{{_RELAX_NG}}}{tag}": "href" for tag in ("include", "externalRef")},
}
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_SUBJECT = re.compile(r"(?:Element '(?P<tag>[^']*)'(?:, attribute '(?P<attribute>[^']*)')?: )?(?:\[facet '\w+'\] )?")
_UNKNOWN = re.compile(r"Invalid attribute (?P<attribute>\S+) for element (?P<tag>\S+)")


class XmlSchema:
    is_json = False

    def __init__(self, path: str, files: Files) -> None:
        from lxml import etree

        self.files, self._trees = files, list[Any]()
        tree = self._read(path)
        kinds = {f"{{{_XSD}}}schema": etree.XMLSchema}
        kind = kinds.get(tree.getroot().tag) or (etree.RelaxNG if f"{{{_RELAX_NG}}}" in tree.getroot().tag else None)
        if kind is None:
            raise Mistake(
                path, (1, 1), f"expected a JSON Schema, an XML Schema or RELAX NG, got <{tree.getroot().tag}>"
            )
        self._follow(path, tree)
        try:
            self._schema = kind(tree)
        except (etree.XMLSchemaParseError, etree.RelaxNGParseError) as error:
            first = error.error_log[0] if len(error.error_log) else None
            at = (first.line, 1) if first is not None and first.line else None
            raise Mistake(path, at, (first.message if first is not None else str(error)).rstrip(". \n")) from error

    def _read(self, path: str) -> Any:
        from lxml import etree

        try:
            tree = etree.parse(BytesIO(self.files.content(path)), _parser(), base_url=Path(path).as_uri())
        except etree.XMLSyntaxError as error:
            raise Mistake(path, (error.lineno or 1, error.offset or 1), f"not well-formed: {error.msg}") from error
        if tree.docinfo.internalDTD is not None:  # libxml2 expands its entities where another schema includes the file
            raise Mistake(path, (1, 1), "a document type is not allowed in a schema")
        self._trees.append(tree)
        return tree

    def _follow(self, path: str, root: Any) -> None:
        """Read all files that a schema includes, so that none is elsewhere: libxml2 itself would open any."""
        work, seen = [(path, root)], {path}
        while work:
            here, tree = work.pop()
            for element in tree.iter("{*}*"):
                if element.get(_BASE) is not None:
                    raise Mistake(here, (element.sourceline, 1), "`xml:base` is not allowed in a schema")
                key = _REFERENCES.get(element.tag)
                if key is None or (location := element.get(key)) is None:
                    continue
                target = self.files.path_of(location.strip(), os.path.dirname(here))
                is_read = target is not None and os.path.isfile(target)
                if target is None or not is_read or (tree is not root and "//" in location):
                    raise Mistake(
                        here,
                        (element.sourceline, 1),
                        f"`{location[:200]}` is not a file below the configuration's folder",
                    )
                if tree is root:
                    element.set(key, Path(target).as_uri())
                if target not in seen:
                    seen.add(target)
                    work.append((target, self._read(target)))

    def check(self, text: str) -> tuple[list[dict[str, Any]], list[str], bool]:
        """Return the errors of a document, nothing (no regular expression is left out), and whether there are more errors."""
        from lxml import etree

        try:
            root = etree.fromstring(text.encode("utf-8", "replace"), _parser("utf-8"))
        except etree.XMLSyntaxError as error:
            return (
                [{"path": (), "part": "name", "message": f"not well-formed for lxml: {error.msg}", "note": ""}],
                [],
                False,
            )
        self._schema.validate(root)
        found, seen = [], set[Any]()
        for entry in self._schema.error_log:
            record = self._record(root.getroottree(), entry)
            if (key := (record["path"], record["part"])) not in seen:  # a facet, and then the type that has it
                seen.add(key)
                found.append(record)
            if len(found) > MOST:
                break
        return found[:MOST], [], len(found) > MOST

    def _record(self, tree: Any, entry: Any) -> dict[str, Any]:
        subject = _SUBJECT.match(entry.message)
        assert subject is not None
        known = _UNKNOWN.match(entry.message) or subject
        message = entry.message[subject.end() :].rstrip(". \n")
        tag, attribute = ((known[name] or "").rpartition("}")[2] for name in ("tag", "attribute"))
        part = "name"
        if attribute:
            part = f"@{attribute}.name" if "is not allowed" in message or known is not subject else f"@{attribute}"
        elif message.startswith(("'", "The value", "Character content", "The character content")):
            part = "text"
        path, found = _path_of(tree, entry)
        return {"path": path, "part": part, "message": message, "note": self._note(tag or found, attribute)}

    def _note(self, tag: str, attribute: str) -> str:
        """Return what the schema's documentation says of an attribute or element."""
        space = {"x": _XSD}
        for tree in self._trees:
            found = [tree]
            for kind, name in (("element", tag), ("attribute", attribute)):
                if name:
                    found = [
                        inner for outer in found for inner in outer.iterfind(f".//{{{_XSD}}}{kind}[@name='{name}']")
                    ]
            for declared in found if found != [tree] and "'" not in tag + attribute else ():
                named = (declared.get("type") or "").rpartition(":")[2]
                types = [t for t in tree.iterfind("x:simpleType", space) if t.get("name") == named]
                for owner in (declared, *declared.iterfind("x:simpleType", space), *types):
                    if (text := owner.findtext("x:annotation/x:documentation", namespaces=space)) is not None:
                        return " ".join(text.split())
        return ""


def _parser(encoding: str | None = None) -> Any:
    from lxml import etree

    return etree.XMLParser(encoding=encoding, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)


def _path_of(tree: Any, entry: Any) -> tuple[tuple[int, ...], str]:
    """Return the indices of elements that lead to where an error is, and the name of that element."""
    from lxml import etree

    try:
        (node,) = tree.xpath(entry.path or "/*", namespaces={k: v for k, v in tree.getroot().nsmap.items() if k})
    except (etree.XPathError, ValueError):
        return (), ""
    steps = []
    element = node if isinstance(node.tag, str) else node.getparent()
    name = etree.QName(element).localname
    while (parent := element.getparent()) is not None:
        steps.append(sum(1 for before in element.itersiblings(preceding=True) if isinstance(before.tag, str)))
        element = parent
    return tuple(reversed(steps)), name
