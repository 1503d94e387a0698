"""The dry run: shapes and types without values, or all of it in NumPy."""
