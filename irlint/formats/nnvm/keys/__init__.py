"""Keys and lists of a file: what the schema says, what is missing or lost, and repairs."""
