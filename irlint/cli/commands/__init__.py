"""The commands of `irlint`, a file each; the first line of its docstring is what `irlint --help` shows."""
