"""Starts the bundled language server, or the one of the environment, with whichever Python runs this file."""

import importlib.util
import os
import sys

if sys.version_info < (3, 10):  # noqa: UP036 - whichever Python the user has runs this file
    sys.exit(f"irlint needs Python 3.10 or newer; this is {sys.version.split()[0]} ({sys.executable})")

HERE = os.path.dirname(os.path.abspath(__file__))
BUNDLED = [os.path.join(HERE, "libs"), os.path.join(HERE, "platform")]

# This file's own folder is no place to import from, and neither is the workspace
sys.path[:] = [path for path in sys.path if path and os.path.abspath(path) not in (HERE, os.getcwd())]

if "--from-environment" in sys.argv:
    sys.argv.remove("--from-environment")
    if importlib.util.find_spec("irlint_lsp") is None:
        sys.path[:0] = BUNDLED
else:
    sys.path[:0] = BUNDLED

from irlint_lsp.main import main  # noqa: E402

sys.exit(main())
