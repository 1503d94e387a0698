"""The root element, its version, and the releases of OpenVINO that can read the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.openvino.reading.layers import unsigned
from irlint.formats.openvino.reading.opsets import (
    Release,
    parse_release,
    release_name,
    release_of,
    release_of_element_type,
)
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.formats.openvino.state import state_of
from irlint.graph import Node, label
from irlint.operators import nearest
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.xml.tree import Element

READABLE = ("10", "11")
TARGET = "openvino"
FIRST = {"ir10": (2020, 1), "ir11": (2022, 1)}  # releases that first read a version


def root_problems(root: Element) -> Iterator[Problem]:
    if root.tag != "net":
        # OpenVINO 2026.4.1 takes <Net>, and no root of another name
        at, message = Place((), "name"), f"expected root element `<net>`, got `<{root.tag}>`"
        fix = writing(at, "net", "Rename to `<net>`", "safe")
        yield Problem(R.unknown_key, at, message, fix=fix, severity=error_if(root.tag.lower() != "net"))
    for attribute in root.attributes:
        if attribute.name == "xmlns":  # a prefix of a namespace changes no name
            message = "unexpected XML namespace; other tools may not find the elements by name"
            yield Problem(R.unknown_key, Place((), f"@{attribute.name}.name"), message, severity=Severity.WARNING)
    yield from _version(root)
    if not root.get("name"):
        at = Place((), "tag" if root.attribute("name") is None else "@name")
        yield Problem(R.empty_name, at, "the model has no name")


def _version(root: Element) -> Iterator[Problem]:
    version, at = root.get("version"), Place((), "@version")
    if version is None:
        others = [attribute.name for attribute in root.attributes if attribute.name != "name"]
        if nearest("version", others) is None:  # else that is the finding
            message = "missing required attribute `version` for `<net>`; expected `10` or `11`"
            yield Problem(R.missing_key, Place((), "tag"), message)
        return
    if version in READABLE:
        return
    # OpenVINO 2026.4.1 takes '011'; '11.0', 'v11' and '11 ' it refuses without naming the version
    number = unsigned(version)
    is_taken = number in READABLE
    better = number if is_taken else "".join(c for c in version.partition(".")[0] if c.isdecimal())
    fix = writing(at, better, f"Set `version` to `{better}`", "safe") if better in READABLE else None
    if is_taken:
        message = f"expected `{number}` for `version` of `<net>`, got `{version}`"
    else:
        message = f"unsupported IR version `{version}`" if version else "empty IR version"
        message += "; OpenVINO reads 10 and 11"
    rule = R.wrong_type if number is None else R.value_not_allowed
    yield Problem(rule, at, message, fix=fix, severity=error_if(not is_taken))


def needed_releases(node: Node) -> Iterator[tuple[Release, str, str]]:
    """Yield the releases that first read the operator and the element types of a layer, with what needs each, and the
    part of the node."""
    found = release_of(node.op, node.version)
    if found is not None:
        yield found, f"{node.op} of {node.version}", "version"
    for key, value in node.attrs.items():
        if key.endswith("type") and (release := release_of_element_type(str(value))) is not None:
            yield release, f"element type {value}", f"attr:{key}"


def lowest_release(model: Model) -> str | None:
    """Return the first release that reads a file, and why."""
    sections = state_of(model).sections
    if not sections or model.dialect not in FIRST:  # the text that refuses an older version says what reads it
        return None
    release, reason = FIRST[model.dialect], f"IR version {model.dialect[2:]}"
    nodes = [node for section in sections for node in section.graph.nodes]
    for found, why in sorted({(found, why) for node in nodes for found, why, _ in needed_releases(node)}):
        if found > release:
            release, reason = found, why
    return f"OpenVINO {release_name(release)} and later (required by {reason})"


def target_problems(sections: list[IrSection], version: int, targets: Mapping[str, str]) -> Iterator[Problem]:
    """Report what the target release cannot read."""
    name = targets.get(TARGET, "")
    wanted, needed = parse_release(name), FIRST[f"ir{version}"]
    if wanted is None:
        return
    if wanted < needed:
        message = f"IR version {version} requires OpenVINO {release_name(needed)} or later; the target is {name}"
        yield Problem(R.target_cannot_read, Place((), "@version"), message)
        return
    for section in sections:
        for node in section.graph.nodes:
            for release, why, part in needed_releases(node):
                if release > wanted:
                    what = f"{label(node)} of `{node.version}`" if part == "version" else f"{why} of {label(node)}"
                    message = f"{what} requires OpenVINO {release_name(release)} or later; the target is {name}"
                    yield Problem(R.target_lacks_operator, section.graph.place(node, part), message, node.name)
