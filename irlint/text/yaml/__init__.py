"""YAML as a tree of nodes with places: no tag runs code, and nothing blows up a file."""

from __future__ import annotations

import re
from typing import Any

MAX_BRACKETS = 200  # open at once: what ruamel.yaml does with them grows with their square


class YamlError(ValueError):
    """Why a text is not YAML, and the mark of the place where that shows, if there is one."""

    def __init__(self, words: str, mark: Any = None) -> None:
        super().__init__(words)
        self.words, self.mark = words, mark


def compose(text: str) -> Any:
    """Return the outermost node of a text; None if there is none. Raise YamlError if it is not YAML."""
    from ruamel.yaml import YAML
    from ruamel.yaml import error as errors

    try:
        if _brackets(text) > MAX_BRACKETS:
            raise RecursionError
        yaml = YAML(typ="safe", pure=True)
        yaml.composer.warn_double_anchors = False  # an anchor may be defined again; warnings write to stderr themselves
        return yaml.compose(text)
    except errors.MarkedYAMLError as error:
        raise YamlError(f"not valid YAML: {error.problem}", error.problem_mark) from error
    except errors.YAMLError as error:
        raise YamlError(f"not valid YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise YamlError("nested too deeply") from error
    except (ArithmeticError, AssertionError, LookupError, ValueError) as error:  # of \\U00110000, %YAML 1.3, %YAML 9.9
        raise YamlError("not valid YAML: invalid escape or unsupported version") from error


def _brackets(text: str) -> int:
    """Return the maximum number of open brackets."""
    depth = most = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        most = max(most, depth)
    return most
