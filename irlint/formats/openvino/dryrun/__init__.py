"""How operators map to the dry run."""
