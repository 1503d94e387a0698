"""Rules about files that could harm who opens them."""
