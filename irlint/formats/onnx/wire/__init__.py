"""Protobuf's wire format: read, and written again with every byte that need not change."""
