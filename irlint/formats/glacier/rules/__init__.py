"""Rules that only Glacier listings and events know."""

CHECKED = {  # rules with a check of their own
    "D401": "size_mismatch",
    "R402": "post_order",
    "R403": "unknown_session",
    "R404": "missing_events",
    "T401": "id_as_text",
    "T402": "type_on_call",
}
