"""`python -m irlint_lsp`: what an editor starts."""

from irlint_lsp.main import main

raise SystemExit(main())
