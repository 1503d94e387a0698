"""Rules that only Glacier listings and events know."""
