"""Other values for the attributes of a node, values for those that it lacks, and the node without those that it has."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import shortened
from irlint.findings import EVIDENT, SURE, Candidate
from irlint.operators import Attribute
from irlint.repairs.site import Kind, Site
from irlint.repairs.values import values

_POINTED, _EACH, _MISSING = (
    60,
    24,
    4,
)  # values of the attribute that an error is at, of each other, attributes that are added


def attribute_candidates(site: Site, at: str | None = None) -> Iterator[Candidate]:
    """Yield other values of the attribute that an error is at, then of the others; the missing ones among them."""
    found = [*_all(site, at)]
    yield from sorted(found, key=lambda one: one.likelihood)


def _all(site: Site, at: str | None) -> Iterator[Candidate]:
    known = site.operator.attributes if site.operator is not None else {}
    written = site.attributes
    for name in sorted(written, key=lambda name: name != at):
        far = 0 if name == at else 1 if at is None else 2
        yield from _written(site, name, known.get(name), far)
    missing = [record for name, record in known.items() if name not in written and site.may_be_added(record)]
    missing.sort(key=lambda record: not record.required)
    for record in missing[:_MISSING] if at is None or at not in written else ():
        yield from _added(site, record)


def _written(site: Site, name: str, record: Attribute | None, far: int) -> Iterator[Candidate]:
    old = site.attributes[name]
    kind = site.kind(record, old)
    is_guess = kind is not None and site.is_unchecked(record, kind)
    for value, likelihood in values(site, name, record, old, _EACH if far else _POINTED):
        new = site.spelled(value, record, old)
        if repr(new) != repr(old):
            ranked = likelihood if likelihood == SURE else likelihood + far
            is_spelled = kind is not None and kind.item == "word" and likelihood <= EVIDENT
            title = f"Set `{name}` to `{shortened(new)}`"
            yield Candidate(title, site.with_attribute(name, new), ranked, is_guess and not is_spelled)
    if site.may_be_removed(name) and (record is None or not (record.required or _has_default(record, kind))):
        likelihood = 2 if record is not None else 1
        yield Candidate(f"Remove `{name}`", site.without_attribute(name), likelihood + far, site.is_lost(name, record))


def _has_default(record: Attribute, kind: Kind | None) -> bool:
    """Return whether the default is among the values, so that leaving the attribute out would be the same change once more."""
    return kind is not None and record.default not in (None, "None")


def _added(site: Site, record: Attribute) -> Iterator[Candidate]:
    kind = site.kind(record, None)
    is_guess = kind is not None and site.is_unchecked(record, kind)
    far = 0 if record.required else 2
    for value, likelihood in values(site, record.name, record, None, _EACH):
        if record.required or value != record.default:
            new = site.spelled(value, record, None)
            title = site.adding.format(record.name, shortened(new))
            yield Candidate(title, site.with_attribute(record.name, new), likelihood + far, is_guess)
