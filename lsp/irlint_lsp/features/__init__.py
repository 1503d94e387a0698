"""One file per kind of request; each registers its handlers."""
