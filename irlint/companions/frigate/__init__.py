"""Frigate's `config.yml`: the model that finds objects, its input and its labels."""
