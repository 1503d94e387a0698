"""Rules about the structure that a schema describes."""
