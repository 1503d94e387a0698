"""A rule and a format of our own."""
