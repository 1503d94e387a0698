"""Kernels of sliding windows."""
