"""One mistake is one finding: what follows from another problem is left out, moved, regraded or joined with it."""
