"""Which releases of runtimes load a model: the command `irlint targets`."""
