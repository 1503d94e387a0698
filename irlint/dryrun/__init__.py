"""The dry run: shapes and types without values, or a full run in NumPy."""
