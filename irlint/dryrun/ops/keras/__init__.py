"""Shapes of Keras's layers."""
