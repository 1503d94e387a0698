"""Rules that apply only to Glacier listings and events."""
