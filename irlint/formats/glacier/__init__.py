"""Glacier: flat listings of a model's calls, and the events that measure them."""

from irlint.formats.glacier.format import GlacierFormat

FORMAT = GlacierFormat()
