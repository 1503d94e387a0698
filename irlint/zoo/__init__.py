"""Model zoos: all models in object stores, listed, linted and reported."""
