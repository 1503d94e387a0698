"""XML: reading, searching and repairing it, with the place of each part."""
