"""One file per harness: `seeds()` are inputs to begin with, `check(data)` raises if an invariant does not hold."""
