"""Operators on one sample, without an axis of batches: ncnn's."""
