"""Rules that apply only to the NNVM family."""
