"""Inputs and outputs of the model of which another name is read: whether the reader is wrong, or the name."""

from __future__ import annotations

import pytest

from irlint import api
from irlint.findings import Fix
from tests.formats.onnx.build import HEADER

NAMES = [f"{layer}.{kind}" for layer in (0, 1) for kind in ("key", "value")]
LINE = ",\n   "
CACHE = f"""{HEADER}g (
   float[1,2,4] image,
   float[1,2,4] bias,
   {LINE.join(f'float[1,3,4] "past.{name}"' for name in NAMES)}
) => (
   {LINE.join(f'float[1,5,4] "present.{name}"' for name in NAMES)},
   float[1,5,4] y,
   float[1,2,4] z
) {{
   scale = Sigmoid (image)
   moved = Add (scale, bias)
   z = Add (moved, bias)
   {"   ".join(f'"present.{name}" = Concat <axis: int = 1> ("past.{name}", moved){chr(10)}' for name in NAMES)}\
   y = Relu ("present.1.value")
}}
"""
WRONG_NAMES = {
    "a part of a series": ('float[1,3,4] "past.0.key"', 'float[1,3,4] "past.0.keys"', "proven"),
    "the first part of a series": ('float[1,3,4] "past.0.key"', 'float[1,3,4] "pasts.0.key"', "proven"),
    "a number of a series": ('float[1,3,4] "past.0.key"', 'float[1,3,4] "past.2.key"', "unsafe"),
    "another word of a series": ('float[1,3,4] "past.0.key"', 'float[1,3,4] "before.0.key"', "unsafe"),
    "a name that two nodes read": ("float[1,2,4] bias", "float[1,2,4] biases", "unsafe"),
    "a slip in a name that two nodes read": ("float[1,2,4] bias", "float[1,2,4] bia", "proven"),
}
WRONG_READERS = {
    "a part of a series": ('("past.0.key"', '("past.0.keys"', "past.0.key", "proven"),
    "a name that one node reads": ("(image)", "(images)", "image", "unsafe"),  # or the input has a wrong name
    "a name that two nodes read": ("(moved, bias)", "(moved, bia)", "bias", "proven"),
    "an output of which the name has changed": ('"present.1.value"', '"present.2.value"', "present.2.value", "unsafe"),
}


def only_fix(text: str) -> tuple[str, str]:
    (fix,) = [found.fix for found in api.lint(text, as_format="onnx") if found.fix is not None]
    assert isinstance(fix, Fix)
    return fix.title, fix.safety


def test_the_model_is_sound() -> None:
    assert api.lint(CACHE, as_format="onnx") == []


@pytest.mark.parametrize(("old", "new", "safety"), WRONG_NAMES.values(), ids=WRONG_NAMES)
def test_an_input_is_renamed_where_the_file_speaks_for_the_name_that_is_read(old: str, new: str, safety: str) -> None:
    broken = CACHE.replace(old, new)
    title, grade = only_fix(broken)
    assert title.startswith("Rename input")
    assert grade == safety
    assert api.fix(broken, unsafe=True, as_format="onnx") == CACHE


@pytest.mark.parametrize(("old", "new", "meant", "safety"), WRONG_READERS.values(), ids=WRONG_READERS)
def test_a_reader_is_mended_where_the_file_speaks_for_the_input(old: str, new: str, meant: str, safety: str) -> None:
    broken = CACHE.replace(old, new)
    if meant not in CACHE:  # all that is left of the old name is what reads it
        broken = broken.replace(f'Relu ("{meant}")', f"Relu ({old})")
    assert only_fix(broken) == (f"Replace with {meant!r}", safety)


def test_keys_are_not_values() -> None:
    """A name that has all parts of a series is not taken for another one of it that is in use."""
    broken = CACHE.replace('float[1,3,4] "past.0.key"', 'float[1,3,4] "before"')
    assert all("value" not in str(found.message) for found in api.lint(broken, as_format="onnx"))
