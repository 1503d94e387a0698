"""Rules about what a target runtime can read."""
