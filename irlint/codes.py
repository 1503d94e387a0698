"""Every rule for all formats: its code, its name and its severity."""

from __future__ import annotations

from enum import IntEnum

from irlint.records import NamedTuple


class Severity(IntEnum):
    """error: the runtime refuses it, crashes or computes something else; warning: almost certainly unintended; info: style or cost;
    pedantic: what a converter wrote and the runtime handles, off unless asked for. docs/configuration.md defines them."""

    PEDANTIC = 0
    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, word: str) -> Severity:
        return cls[word.upper()]


class RuleRow(NamedTuple):
    """A rule's row in the table."""

    code: str
    name: str
    severity: Severity = Severity.ERROR


class R:
    """The table of rules, which formats extend. A rule's page is in `irlint/rules/pages/`, or where its check is."""

    unknown_attribute = RuleRow("A001", "unknown-attribute")
    missing_attribute = RuleRow("A002", "missing-attribute")
    wrong_attribute_type = RuleRow("A003", "wrong-attribute-type")
    bool_string = RuleRow("A004", "bool-string")
    value_not_in_enum = RuleRow("A005", "value-not-in-enum")
    value_out_of_range = RuleRow("A006", "value-out-of-range")
    wrong_value_length = RuleRow("A007", "wrong-value-length")
    duplicate_attribute = RuleRow("A008", "duplicate-attribute")
    ignored_attribute = RuleRow("A009", "ignored-attribute", Severity.WARNING)
    lossy_number = RuleRow("A010", "lossy-number", Severity.WARNING)

    no_longer_loads = RuleRow("B001", "no-longer-loads")
    newer_runtime_needed = RuleRow("B002", "newer-runtime-needed", Severity.INFO)
    removed_input = RuleRow("B010", "removed-input")
    new_required_input = RuleRow("B011", "new-required-input")
    removed_output = RuleRow("B012", "removed-output")
    changed_order = RuleRow("B013", "changed-order", Severity.WARNING)
    changed_dtype = RuleRow("B014", "changed-dtype")
    narrowed_shape = RuleRow("B015", "narrowed-shape")
    changed_state = RuleRow("B016", "changed-state")
    changed_metadata = RuleRow("B017", "changed-metadata", Severity.WARNING)
    changed_computation = RuleRow("B020", "changed-computation", Severity.INFO)
    changed_weights = RuleRow("B021", "changed-weights", Severity.INFO)

    target_lacks_operator = RuleRow("C001", "target-lacks-operator")
    target_cannot_read = RuleRow("C002", "target-cannot-read")
    constant_overflows = RuleRow("C010", "constant-overflows", Severity.WARNING)
    constant_vanishes = RuleRow("C011", "constant-vanishes", Severity.WARNING)
    integer_clamped = RuleRow("C012", "integer-clamped", Severity.WARNING)

    shape_mismatch = RuleRow("D001", "shape-mismatch")
    dtype_mismatch = RuleRow("D002", "dtype-mismatch")
    wrong_rank = RuleRow("D003", "wrong-rank")
    axis_out_of_range = RuleRow("D004", "axis-out-of-range")
    empty_output = RuleRow("D005", "empty-output")
    declared_shape_differs = RuleRow("D006", "declared-shape-differs", Severity.WARNING)
    declared_dtype_differs = RuleRow("D007", "declared-dtype-differs", Severity.WARNING)
    element_count_mismatch = RuleRow("D008", "element-count-mismatch")
    too_large = RuleRow("D009", "too-large")
    shape_not_followed = RuleRow("D010", "shape-not-followed", Severity.INFO)

    unknown_tensor = RuleRow("F001", "unknown-tensor")
    tensor_left_out = RuleRow("F002", "tensor-left-out")
    other_dtype = RuleRow("F003", "other-dtype")
    other_shape = RuleRow("F004", "other-shape")
    other_class_count = RuleRow("F005", "other-class-count")
    missing_file = RuleRow("F006", "missing-file")
    contradictory_settings = RuleRow("F007", "contradictory-settings")
    other_value = RuleRow("F008", "other-value")

    unreachable_node = RuleRow("G001", "unreachable-node", Severity.WARNING)
    unused_output = RuleRow("G002", "unused-output", Severity.WARNING)
    duplicate_name = RuleRow("G003", "duplicate-name", Severity.WARNING)
    empty_name = RuleRow("G004", "empty-name", Severity.WARNING)
    unused_suppression = RuleRow("G005", "unused-suppression", Severity.INFO)

    unknown_operator = RuleRow("O001", "unknown-operator")
    wrong_input_count = RuleRow("O002", "wrong-input-count")
    wrong_output_count = RuleRow("O003", "wrong-output-count")
    unknown_argument = RuleRow("O004", "unknown-argument")
    duplicate_argument = RuleRow("O005", "duplicate-argument")
    operator_not_in_version = RuleRow("O006", "operator-not-in-version")

    internal_error = RuleRow("I001", "internal-error")
    check_incomplete = RuleRow("I002", "check-incomplete", Severity.WARNING)

    undefined_reference = RuleRow("R001", "undefined-reference")
    used_before_defined = RuleRow("R002", "used-before-defined")
    self_reference = RuleRow("R003", "self-reference")
    cycle = RuleRow("R004", "cycle")
    duplicate_definition = RuleRow("R005", "duplicate-definition")
    index_out_of_range = RuleRow("R006", "index-out-of-range")
    output_out_of_range = RuleRow("R007", "output-out-of-range")

    syntax_error = RuleRow("S001", "syntax-error")
    duplicate_key = RuleRow("S002", "duplicate-key", Severity.WARNING)
    non_finite_number = RuleRow("S003", "non-finite-number")
    number_out_of_range = RuleRow("S004", "number-out-of-range")
    invalid_utf8 = RuleRow("S005", "invalid-utf8")
    byte_order_mark = RuleRow("S006", "byte-order-mark")
    lone_surrogate = RuleRow("S007", "lone-surrogate")
    nul_character = RuleRow("S008", "nul-character")
    trailing_text = RuleRow("S009", "trailing-text")
    too_deep = RuleRow("S010", "too-deep")
    empty_file = RuleRow("S011", "empty-file")
    unrecognized_file = RuleRow("S012", "unrecognized-file")
    comment = RuleRow("S013", "comment")
    control_character = RuleRow("S014", "control-character")
    unusual_number = RuleRow("S015", "unusual-number")
    truncated_file = RuleRow("S016", "truncated-file")
    unusual_encoding = RuleRow("S017", "unusual-encoding")
    unusual_escape = RuleRow("S018", "unusual-escape")
    duplicate_xml_attribute = RuleRow("S020", "duplicate-xml-attribute", Severity.WARNING)
    bare_ampersand = RuleRow("S021", "bare-ampersand", Severity.WARNING)
    second_root = RuleRow("S022", "second-root", Severity.WARNING)
    text_outside_root = RuleRow("S023", "text-outside-root", Severity.WARNING)
    loose_markup = RuleRow("S024", "loose-markup", Severity.WARNING)
    wrong_magic = RuleRow("S501", "wrong-magic")

    wrong_type = RuleRow("T001", "wrong-type")
    missing_key = RuleRow("T002", "missing-key")
    unknown_key = RuleRow("T003", "unknown-key")
    wrong_length = RuleRow("T004", "wrong-length")
    key_case = RuleRow("T005", "key-case", Severity.WARNING)
    value_not_allowed = RuleRow("T006", "value-not-allowed")
    empty_model = RuleRow("T007", "empty-model", Severity.WARNING)
    user_schema = RuleRow("T008", "user-schema")
    wrong_layer_count = RuleRow("T501", "wrong-layer-count")
    wrong_blob_count = RuleRow("T502", "wrong-blob-count")
    wrong_name_count = RuleRow("T503", "wrong-name-count")

    missing_weights = RuleRow("W001", "missing-weights")
    weights_too_short = RuleRow("W002", "weights-too-short")
    weights_format = RuleRow("W003", "weights-format")
    unused_weights = RuleRow("W004", "unused-weights", Severity.INFO)
    weights_mismatch = RuleRow("W005", "weights-mismatch")
    nan_weights = RuleRow("W006", "nan-weights", Severity.PEDANTIC)
    zero_weights = RuleRow("W007", "zero-weights", Severity.PEDANTIC)
    denormal_weights = RuleRow("W008", "denormal-weights", Severity.PEDANTIC)

    document_type = RuleRow("X001", "document-type", Severity.WARNING)
    unsafe_path = RuleRow("X002", "unsafe-path")


# Rules about what changed between two models, which `irlint breaking` checks and `irlint check` does not
# Rules about files beside a model, which companions of models have
BESIDE = frozenset(row.code for row in vars(R).values() if isinstance(row, RuleRow) and row.code[0] == "F")
COMPARING = frozenset(row.code for row in vars(R).values() if isinstance(row, RuleRow) and row.code[0] == "B")


def rows(table: type[R]) -> list[RuleRow]:
    """Return the rows of a table and of those that it extends."""
    return [row for part in table.__mro__ for row in vars(part).values() if isinstance(row, RuleRow)]
