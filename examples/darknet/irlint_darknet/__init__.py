"""Darknet's .cfg files for irlint."""
