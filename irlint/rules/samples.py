"""Small valid files that rules' examples are made from, by changing what the rule is about."""

from __future__ import annotations

LIGHTNET = """\
{
  "ops": [
    {
      "name": "load", "optype": "create", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "image"}],
      "params": [
        {"arg_name": "dtype", "value": "TL_FLOAT"},
        {"arg_name": "dims", "value": [2, 3]},
        {"arg_name": "ran", "value": [0, 0]},
        {"arg_name": "data", "value": [1, 2, 3, 4, 5, 6]},
        {"arg_name": "from_file", "value": false}
      ]
    },
    {
      "name": "cut", "optype": "slice",
      "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "part"}],
      "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}]
    },
    {
      "name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "part"}], "tensors_out": [],
      "params": [{"arg_name": "msg", "value": "part:"}]
    }
  ]
}
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each first string, at the one place where it stands, replaced by the second."""
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in the sample")
        text = text.replace(old, new)
    return text


def lightnet(*changes: tuple[str, str]) -> str:
    return changed(LIGHTNET, *changes)
