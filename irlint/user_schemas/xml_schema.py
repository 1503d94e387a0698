"""An XML Schema (XSD 1.0) or RELAX NG schema, and what it finds in a document, by lxml."""

from __future__ import annotations

import os
import re
from io import BytesIO
from itertools import zip_longest
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
_VALUE = re.compile(r"(?:Type \S+ doesn't allow value '|Extra data in list: )(.*?)'?$", re.DOTALL)  # of RELAX NG
_OF_TEXT = re.compile(
    r"'|The (?:actual )?value|(?:The c|C)haracter content|Type |Error validating |Extra data|Did not expect text|.* extra content: text$"
)
_OF_NAME = ("The attribute ", "No matching global attribute declaration")
_KEYS = re.compile(r"key-sequence \[(.*)\]", re.DOTALL)


_WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"This element is not expected\. Expected is \( (\S+) \)", "unexpected element `{tag}`; expected `{0}`"),
        (
            r"This element is not expected\. Expected is (one of) \( (.+) \)",
            "unexpected element `{tag}`; expected {0} {1}",
        ),
        (r"This element is not expected", "unexpected element `{tag}`"),
        (
            r"Missing child element\(s\)\. Expected is (one of )?\( (.+) \)",
            "missing element in `{tag}`; expected {0}{1}",
        ),
        (r"The attribute '(.+)' is not allowed", "unknown attribute `{0}` of `{tag}`"),
        (r"The attribute '(.+)' is required but missing", "missing attribute `{0}` of `{tag}`"),
        # RELAX NG
        (r"Did not expect element (\S+) there", "unexpected element `{0}`"),
        (r"Expecting element (\S+), got (\S+)", "unexpected element `{1}`; expected `{0}`"),
        (r"Expecting an? element (\S*), got nothing", "missing element in `{tag}`"),
        (r"Did not expect text in element (\S+) content", "unexpected text in `{0}`"),
        (r"Invalid attribute (\S+) for element (\S+)", "unknown attribute `{0}` of `{1}`"),
        (r"Element (\S+) failed to validate (attributes|content)", "unexpected {1} of `{0}`"),
        (r"Error validating value", "unexpected value of `{tag}`"),
    )
)


class XmlSchema:
    is_json = False

    def __init__(self, path: str, files: Files) -> None:
        from lxml import etree

        self.files, self._trees = files, list[Any]()
        tree = self._read(path)
        self._is_relax_ng = f"{{{_RELAX_NG}}}" in tree.getroot().tag
        kinds = {f"{{{_XSD}}}schema": etree.XMLSchema}
        kind = kinds.get(tree.getroot().tag) or (etree.RelaxNG if self._is_relax_ng else None)
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
            known = {Path(one).as_uri(): one for one in self.files.read}
            raise Mistake(
                known.get(first.filename, path) if first is not None else path,
                at,
                (first.message if first is not None else str(error)).rstrip(". \n"),
            ) from error

    def _read(self, path: str) -> Any:
        from lxml import etree

        try:
            tree = etree.parse(BytesIO(self.files.content(path)), _parser(), base_url=Path(path).as_uri())
        except etree.XMLSyntaxError as error:
            words = str(error.msg).rpartition(", line ")[0] or error.msg
            raise Mistake(path, (error.lineno or 1, error.offset or 1), f"not well-formed: {words}") from error
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

    def check(self, data: bytes) -> tuple[list[dict[str, Any]], list[str], bool]:
        """Return the errors of a document, nothing (no regular expression is left out), and whether there are more errors."""
        from lxml import etree

        try:
            root = _root(data)
        except etree.XMLSyntaxError as error:
            at, words = (error.lineno or 1, max(error.offset or 1, 1)), f"not well-formed for libxml2: {error.msg}"
            return [{"path": (), "part": "", "at": at, "message": words, "note": ""}], [], False
        self._schema.validate(root)
        found, before, places = [], None, _Places()
        entries = list(self._schema.error_log)
        for entry, after in zip_longest(entries, entries[1:]):
            where = after if self._is_relax_ng and after is not None and not entry.path else entry
            record = self._record(root.getroottree(), entry, where, places)
            # in RELAX NG, what follows from an error comes next; after a facet, the type that has it
            key = record["path"] if self._is_relax_ng else (record["path"], record["part"])
            follows = self._is_relax_ng or "is not a valid value of the" in record["message"]
            if key != before or not follows:
                found.append(record)
            before = key
            if len(found) > MOST:
                break
        return found[:MOST], [], len(found) > MOST

    def _record(self, tree: Any, entry: Any, where: Any, places: _Places) -> dict[str, Any]:
        """Return what is known of an error; `where` is the entry that tells its place."""
        subject = _SUBJECT.match(entry.message)
        assert subject is not None
        known = _UNKNOWN.match(entry.message) or subject
        message = entry.message[subject.end() :].rstrip(". \n")
        element = _element(tree, where, subject["tag"])
        part, attribute = "name", known["attribute"]
        if (value := _VALUE.match(message)) is not None:
            holders = [key for key, held in element.items() if value[1] in (held, *held.split())]
            attribute = holders[0] if len(holders) == 1 else None  # libxml2 does not say which
        if attribute:
            is_name = known is not subject or message.startswith(_OF_NAME)
            part = f"@{_spelled(element, attribute, self._is_relax_ng)}{'.name' if is_name else ''}"
        elif _OF_TEXT.match(message) and "".join(element.xpath("text()")).strip():
            part = "text"
        note = self._note(_local(known["tag"] or element.tag), _local(attribute or ""))
        tag = element.tag if element.prefix is None else f"{element.prefix}:{_local(element.tag)}"
        return {
            "path": places.path_of(element),
            "part": part,
            "message": _worded(message, _local(tag), part),
            "note": note,
        }

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


def _worded(message: str, tag: str, part: str) -> str:
    """Return what libxml2 says in irlint's words."""
    for pattern, words in _WORDS:
        if (found := pattern.fullmatch(message)) is not None:
            return words.format(*found.groups(""), tag=tag)
    attribute = f"`{part[1:]}` of " if part.startswith("@") and not part.endswith(".name") else ""
    is_sentence = message[:1].isupper() and message[1:2].islower()
    return f"{attribute}`{tag}`: {message[0].lower() + message[1:] if is_sentence else message}"


def _parser(**more: Any) -> Any:
    from lxml import etree

    return etree.XMLParser(no_network=True, load_dtd=False, **{"resolve_entities": False, "huge_tree": False, **more})


def _root(data: bytes) -> Any:
    """Return the root of a document. Its own entities are expanded as far as libxml2 holds that to be harmless."""
    from lxml import etree

    try:
        return etree.fromstring(data, _parser(resolve_entities="internal"))
    except etree.XMLSyntaxError as error:
        if "huge" not in str(error).lower() and "too big" not in str(error):
            raise
        return etree.fromstring(data, _parser(huge_tree=True))


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _spelled(element: Any, name: str, is_local: bool) -> str:
    """Return the name of an attribute as the document has it, with its prefix."""
    space, _, local = name.lstrip("{").rpartition("}")
    query = "name(@*[local-name() = $local][namespace-uri() = $space or $is_local])"
    return str(element.xpath(query, local=local, space=space, is_local=is_local)) or local


def _element(tree: Any, entry: Any, tag: str | None) -> Any:
    """Return the element of an error: the root if it is not known."""
    if entry.path:
        path = re.sub(r"(?<=/)([^/\[]+:[^/\[]+)", r"*[name() = '\1']", entry.path)  # a prefix may be declared anywhere
        found = tree.xpath(path)
    elif (keys := _KEYS.search(entry.message)) is not None and tag:
        values = set(re.findall(r"'([^']*)'", keys[1]))
        found = [element for element in tree.iter(tag) if element.sourceline == entry.line]
        if len(found) > 1:
            found = [element for element in found if values <= {*element.xpath(".//@* | .//text()")}]
    else:
        found = []
    element = found[0] if len(found) == 1 else tree.getroot()
    return element if isinstance(element.tag, str) else element.getparent()


class _Places:
    """The places of elements: their numbers among the children of one parent are counted once."""

    def __init__(self) -> None:
        self._numbers: dict[Any, dict[Any, int]] = {}

    def path_of(self, element: Any) -> tuple[int, ...]:
        """Return the indices of elements that lead to an element."""
        steps = []
        while (parent := element.getparent()) is not None:
            if parent not in self._numbers:
                self._numbers[parent] = {child: k for k, child in enumerate(parent.iterchildren("*"))}
            steps.append(self._numbers[parent][element])
            element = parent
        return tuple(reversed(steps))
