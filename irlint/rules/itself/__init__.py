"""Rules about the check itself."""
