"""NumPy kernels that are too long for the modules of their shape functions."""
