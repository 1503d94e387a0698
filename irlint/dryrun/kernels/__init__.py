"""NumPy kernels that are too long to stand beside their shape functions."""
