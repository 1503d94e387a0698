"""Tells configurations of Keras from other JSON: objects with a class, its module and arguments, of which a list are layers."""

from __future__ import annotations

from typing import Any

from irlint.formats.base import CERTAIN, LIKELY, POSSIBLE, Head, Recognition
from irlint.text.base import Path
from irlint.tools import later

_CLASS = later(r'"class_name"\s*:\s*"')
_OF_KERAS = later(
    r'"(?:keras_version|inbound_nodes|registered_name|batch_input_shape|input_layers)"\s*:|"module"\s*:\s*"(?:tf_)?keras'
)
_MODELS = ("Sequential", "Functional", "Model")
_SAMPLE = 50  # as many layers decide
_WHOLE = ("registered_name", "build_config", "compile_config", "keras_version")  # keys next to the arguments of a model


def recognize(head: Head) -> Recognition | None:
    if head.text.startswith("PK\x03\x04"):
        return Recognition(POSSIBLE, "a zip archive") if head.name.lower().endswith(".keras") else None
    if "class_name" not in head.text or not _CLASS.search(head.text):
        return None
    if head.is_prose(".json", ("{",)):
        return None
    return Recognition(LIKELY if _OF_KERAS.search(head.text) else POSSIBLE, "objects with `class_name` and `config`")


def kind_of(value: Any, is_archive: bool = False) -> Recognition | None:
    """Return the dialect of a JSON value; None if it is not a model of Keras."""
    if not isinstance(value, dict) or not isinstance(value.get("class_name"), str):
        return Recognition(CERTAIN, "an archive with `config.json`", "keras-3") if is_archive else None
    if str(value.get("keras_version", "")).startswith("1."):
        return None  # whose arguments have other names
    config, dialect = value.get("config"), "keras-2" if is_of_2(value) else "keras-3"
    if _lists_layers(value):
        return Recognition(CERTAIN, "a list of layers", dialect)
    if is_archive:
        return Recognition(CERTAIN, "an archive with `config.json`", dialect)
    if isinstance(config, dict) and any(key in value for key in _WHOLE) and not _is_part(value):
        return Recognition(LIKELY, f"a model of the class `{value['class_name'][:40]}`", dialect)
    return None


def layers_of(value: dict[str, Any]) -> tuple[list[Any], Path] | None:
    """Return the list of layers of a model, and where it is in it; None for another object."""
    config = value.get("config")
    if isinstance(config, dict):
        return (config["layers"], ("config", "layers")) if isinstance(config.get("layers"), list) else None
    return (config, ("config",)) if isinstance(config, list) and value["class_name"] == "Sequential" else None


def _lists_layers(value: dict[str, Any]) -> bool:
    found = layers_of(value)
    if found is None or not (found[0] or value["class_name"] in _MODELS):
        return False
    sample = found[0][:_SAMPLE]
    return sum(map(is_object, sample)) * 2 >= len(sample)


def _is_part(value: dict[str, Any]) -> bool:
    """Return whether this is a layer, an optimizer or another part of a model, which may be in a file of its own."""
    module = value.get("module")
    return isinstance(module, str) and module.startswith("keras.") and ".models" not in module


def is_object(value: Any) -> bool:
    """Return whether a value is a class of Keras with its arguments."""
    return isinstance(value, dict) and isinstance(value.get("class_name"), str) and "config" in value


def is_of_2(value: dict[str, Any]) -> bool:
    """Return whether Keras 2 has written a model: it says so, or its calls are lists and its inputs have a `batch_input_shape`."""
    if isinstance(version := value.get("keras_version"), str):
        return version[:1] == "2"
    found = layers_of(value)
    if found is None:
        return False
    for layer in found[0][:_SAMPLE]:
        if isinstance(layer, dict):
            calls, arguments = layer.get("inbound_nodes"), layer.get("config")
            if isinstance(calls, list) and calls and isinstance(calls[0], dict | list):
                return isinstance(calls[0], list)
            if isinstance(arguments, dict) and "batch_input_shape" in arguments:
                return True
            if isinstance(arguments, dict) and isinstance(arguments.get("dtype"), dict):
                return False
    return "module" not in value
