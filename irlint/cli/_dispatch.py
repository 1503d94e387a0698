"""From arguments to the command that they name."""

from __future__ import annotations

import argparse
from importlib import import_module

from irlint.cli import DEFAULT, commands


def dispatch(arguments: list[str]) -> int:
    """Runs the command that the first argument names, else `check`."""
    name = DEFAULT
    if arguments and arguments[0] in commands():
        name, *arguments = arguments
    module = import_module(f"irlint.cli.{name}")
    parser = argparse.ArgumentParser(prog=f"irlint {name}", description=module.__doc__)
    module.add_arguments(parser)
    status: int = module.run(parser.parse_args(arguments))
    return status
