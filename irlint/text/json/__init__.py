"""JSON: read fast if it is sound, with care if it is not; places, edits, mending."""
