"""The irlint language server."""
