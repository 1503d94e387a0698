"""Rules that have a meaning in LightNet only."""

CHECKED = {  # rules with a check of their own
    "A101": "division_by_zero",
    "A102": "pool_padding",
    "D101": "memory_plan",
    "G101": "print_order",
    "G102": "awkward_name",
    "O101": "compiled_operator",
    "R101": "overwritten_tensor",
    "T101": "half_pair",
    "X101": "output_path",
}
