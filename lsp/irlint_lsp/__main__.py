"""`python -m irlint_lsp`: the entry point for editors."""

from irlint_lsp.main import main

raise SystemExit(main())
