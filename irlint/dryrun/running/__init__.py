"""A run: its inputs, its order, its memory and what it keeps."""
