"""Formats: one folder each, found by folder and by the entry point group irlint.formats."""

from irlint.formats.base import Dialect, Format, Head, Recognition, all_formats, by_name

__all__ = ["Dialect", "Format", "Head", "Recognition", "all_formats", "by_name"]
