"""What releases of runtimes load: tables of their kernels, and what a model asks of them."""
