"""Rules about attributes and their values."""
