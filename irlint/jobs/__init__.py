"""Many files: what is to be done with each, here or in several processes, and what is known of their findings."""
