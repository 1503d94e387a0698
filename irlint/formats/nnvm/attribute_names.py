"""Which attribute of an operator was meant by one that it does not have: by its name, and by what its value can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irlint.findings import Safety
from irlint.formats.nnvm.repair import takes
from irlint.operators import Attribute, Operator
from irlint.records import NamedTuple
from irlint.tools.names import abbreviated, distance, is_sure, nearest, plain

_ANY = frozenset(("string", "char", "pointer"))  # kinds of which any text is a value


class MeantName(NamedTuple):
    name: str
    safety: Safety = "unsafe"
    by_value: bool = False


def meant(
    operator: Operator, key: str, attrs: Mapping[str, str], missing: Sequence[str], is_only: bool
) -> MeantName | None:
    """`missing`: required attributes that are not there; `is_only`: there is no other unknown attribute."""
    absent = {name: attribute for name, attribute in operator.attributes.items() if name not in attrs}
    fitting = [name for name, attribute in absent.items() if takes(attribute, attrs[key])]
    needed = [name for name in missing if name in fitting]
    for names in (needed, fitting, missing):
        if (found := nearest(key, names)) is not None:
            return MeantName(found, _safety(key, found, operator, found in needed, found in fitting))
    if (found := abbreviated(key, fitting)) is not None:
        return MeantName(found)
    known = list(operator.attributes)
    if (twin := nearest(key, known) or abbreviated(key, known)) is not None and twin in attrs:
        return None
    if len(missing) == len(needed) == 1 and is_only:
        return MeantName(needed[0], by_value=True)
    only = _only(absent, fitting)
    return MeantName(only, by_value=True) if only is not None and not missing else None


def _safety(key: str, found: str, operator: Operator, is_needed: bool, fits: bool) -> Safety:
    """Safe where the loader refuses the name, the value fits, and no other name is near."""
    if not fits:
        return "unsafe"
    names = list(operator.attributes)
    others = [name for name in names if name != found and distance(plain(key), plain(name)) <= 3]
    close = len(found) > 4 and key[0] == found[0] and distance(plain(key), plain(found)) <= 2 and not others
    return "safe" if is_sure(key, found, names) or (is_needed and close) else "unsafe"


def _only(absent: Mapping[str, Attribute], fitting: Sequence[str]) -> str | None:
    """The only attribute that can have the value: a word of an enum is one of few."""
    words = [name for name in fitting if absent[name].kind == "enum"]
    found = words or fitting
    return found[0] if len(found) == 1 and absent[found[0]].kind not in _ANY else None
