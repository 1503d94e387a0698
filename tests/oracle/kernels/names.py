"""The names that irlint has for element types of ONNX; all others are spelled alike."""

TYPES = {
    "float": "float32", "double": "float64", "float8e4m3fn": "float8_e4m3fn", "float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz", "float8e8m0": "float8_e8m0fnu", "float4e2m1": "float4_e2m1fn", "float6e2m3": "float6_e2m3fn",
    "float6e3m2": "float6_e3m2fn",
}  # fmt: skip


def type_of(text: str) -> str:
    """Return `float32` for `tensor(float)`; types of other values, and parameters, keep their spelling."""
    inner = text.removeprefix("tensor(").removesuffix(")")
    return TYPES.get(inner, inner) if text.startswith("tensor(") else text
