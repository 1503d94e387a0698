"""Kernels of boxes and regions."""
