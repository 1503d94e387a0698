"""A toy text format for irlint."""
