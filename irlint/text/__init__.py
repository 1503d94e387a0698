"""Documents: one file's bytes, its values, and the way from any part of it to a span and back."""
