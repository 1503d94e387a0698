"""Rules that have a meaning in the NNVM family only."""
