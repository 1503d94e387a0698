"""Pages of rules about the keys of a schema and the types of their values."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class EmptyModel(Rule):
    """
    What it does
        Checks for model files without a single operator or node.

    Why is this bad
        Such a file loads and does nothing, which is almost certainly not intended.

        Graphs nested in an operator that takes none are not checked for this: MXNet loads them and OpenVINO ignores them.
    """

    row = R.empty_model


class KeyCase(Rule):
    """
    What it does
        Checks for keys whose letter case differs from the format's.

    Why is this bad
        LightNet accepts `OpType` as well as `optype`; every other program that reads the file does not.

    Fix safety
        Safe: writes the key as the format spells it, which is how the loader reads it. There is no fix where the object
        has the key in both spellings: other programs read the other one.
    """

    row = R.key_case
    fixable = "safe"


class MissingKey(Rule):
    """
    What it does
        Checks for objects without a key that the format's loader requires. If the object has a key that is probably a
        misspelling of it, or has another key twice, the finding points there.

    Why is this bad
        Loaders require these keys even where their value would be empty.

    Fix safety
        Renames the key that was probably meant. Unsafe: it is a guess. Keys that follow from the rest of an NNVM graph
        are inserted: `arg_nodes`, `node_row_ptr`, and the `inputs` or `op` of a variable (safe); `heads`, as the nodes
        that no other uses, and a node's `name` (unsafe). The `inputs` or `op` of an operator are inserted if exactly
        one of several candidates fits.
    """

    row = R.missing_key
    fixable = "mixed"


class UnknownKey(Rule):
    """
    What it does
        Checks for keys that the format's loader neither knows nor ignores.

    Why is this bad
        MXNet and TVM refuse the whole file because of one such key. It is usually misspelled.

    Fix safety
        Safe in OpenVINO IR where an attribute or element that the reader requires is missing and has a similar name,
        and for a root element that is not named `<net>`: the file could not be read, or means the same.

        Unsafe elsewhere: the key that is renamed to the similar name may have been meant for something else.
    """

    row = R.unknown_key
    fixable = "mixed"


class UserSchema(Rule):
    """
    What it does
        Reports what a schema of the configuration does not allow. The finding ends with the name of the schema. Its words
        are those of the schema's `errorMessage`, or irlint's with the schema's `description` or `title` (in an XML Schema:
        its `xs:documentation`). Each schema sets the severity of its findings.

    Why is this bad
        A team, a device or a pipeline wants more of a model than its format does: names, metadata, a set of operators.

    Example
        ```yaml
        schemas:
          - schema: schemas/names.schema.json
            of: graph
        ```
        ```json
        {
          "properties": {
            "nodes": {
              "items": {
                "properties": {"name": {"pattern": "^[a-z0-9_]+$", "errorMessage": "names are in snake case"}}
              }
            }
          }
        }
        ```
        ```text
        model.onnx:12:4: T008[user-schema] names are in snake case (by schemas/names.schema.json)
        ```

    Use instead
        A model that the schema allows, or another schema: [Schemas of your own](../own-schemas.md) describes both.
    """

    row = R.user_schema


class ValueNotAllowed(Rule):
    """
    What it does
        Checks for structural values that have the right type but are not allowed by the format: a word that is not in a
        list, a number below its minimum, a text in the wrong form.

    Why is this bad
        Loaders look such words up and stop if they find nothing.

    Fix safety
        Safe: in OpenVINO IR, the fix writes the precision or the version in the format's spelling: `FP32` for `f32`,
        `11` for `011`. The reader reads the same value, or refuses the file. Unsafe: an opset that does not exist becomes one with all
        operators of the model, which is proven if all else fits. Other values have no fix.
    """

    row = R.value_not_allowed
    fixable = "mixed"


class WrongType(Rule):
    """
    What it does
        Checks for parts of the file with a type other than the format requires: a list instead of an object, a number
        instead of a string.

    Why is this bad
        Loaders stop there; a few continue with an empty value instead.

    Fix safety
        Converts the value where that does not change it, such as a number in quotes. In an NNVM graph, a node's name or
        number becomes its entry, and an empty value becomes a list or an object. Safe: the file could not be read
        before. Unsafe where the value may have contained more, such as an output number.
    """

    row = R.wrong_type
    fixable = "mixed"
