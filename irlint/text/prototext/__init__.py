"""Protobuf's text format, of any messages."""
