"""From a file to its graph, and what kind of file it is."""
