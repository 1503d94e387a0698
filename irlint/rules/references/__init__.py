"""Rules about references between parts of a model, and their order."""
