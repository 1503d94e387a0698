"""Print a completion script for bash, zsh or fish."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from irlint.cli.dispatch import ALIASES, DEFAULT, commands
from irlint.cli.options import REPORT, RULES
from irlint.cli.status import OK
from irlint.records import NamedTuple
from irlint.report import FORMATS
from irlint.text.safe import put

EPILOG = """\
to use it:
  bash
    irlint completion bash > ~/.local/share/bash-completion/completions/irlint
  zsh
    irlint completion zsh > FOLDER/_irlint   (a folder in $fpath)
  fish
    irlint completion fish > ~/.config/fish/completions/irlint.fish
"""


class CompletionWords(NamedTuple):
    """The words that can follow a command."""

    options: dict[str, str]  # with what they do
    values: dict[str, list[str]]  # of options that have a fixed choice
    arguments: list[str]  # besides files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(args: argparse.Namespace) -> int:
    make = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]
    names = sorted({*commands(), *ALIASES})
    put(sys.stdout, make({name: words(ALIASES.get(name, name)) for name in names}))
    return OK


def words(command: str) -> CompletionWords:
    """Return the words of a command's parser and of its own `complete()`."""
    from irlint.cli.dispatch import parser_of

    found = CompletionWords({}, {}, getattr(import_module(f"irlint.cli.commands.{command}"), "complete", list)())
    for action in parser_of(command)._actions:
        choices = list(map(str, action.choices or ()))
        if not action.option_strings:
            found.arguments.extend(choices)
        for option in action.option_strings:
            if option.startswith("--") and action.help is not argparse.SUPPRESS:
                found.options[option] = (action.help or "").partition(";")[0]
                if choices:
                    found.values[option] = choices
                elif action.metavar == RULES:
                    found.values[option] = _selectors()
                elif action.metavar == REPORT:
                    found.values[option] = [*FORMATS]
    return found


def _selectors() -> list[str]:
    """Return what --select takes: codes, their prefixes and names."""
    from irlint.rules import registry

    rules = registry.all_rules()
    return ["ALL", "PEDANTIC", *sorted({code[0] for code in rules}), *rules, *(rule.name for rule in rules.values())]


def _bash(table: dict[str, CompletionWords]) -> str:
    names = " ".join(table)
    options = "".join(f'    {command}) words="{" ".join(w.options)}" ;;\n' for command, w in table.items())
    arguments = "".join(
        f'    {command}) words="{" ".join(w.arguments)}" ;;\n' for command, w in table.items() if w.arguments
    )
    values = "".join(
        f'    {command}:{option}) words="{" ".join(choices)}" ;;\n'
        for command, w in table.items()
        for option, choices in w.values.items()
    )
    return f"""\
_irlint() {{
  local command=check current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  COMPREPLY=()
  [ "$current" = = ] && current=""
  [ "$previous" = = ] && previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  case "${{COMP_WORDS[1]}}" in
    {"|".join(table)}) [ "$COMP_CWORD" -gt 1 ] && command="${{COMP_WORDS[1]}}" ;;
  esac
  case "$command:$previous" in
{values}  esac
  [ -n "$words" ] || case "$current" in
    -*) case "$command" in
{options}    esac
      [ "$COMP_CWORD" -eq 1 ] && words="--version $words" ;;
    *) case "$command" in
{arguments}    esac
      [ "$COMP_CWORD" -eq 1 ] && words="{names}" ;;
  esac
  case "$current" in *,*) words="${{words// / ${{current%,*}},}}" words="${{current%,*}},$words" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _irlint irlint
"""


def _zsh(table: dict[str, CompletionWords]) -> str:
    """Return the script for zsh, which reads the file at the first completion, as the body of _irlint."""
    script = _bash(table).replace("_irlint", "_irlint_bash")
    answer = '[ "$funcstack[1]" != _irlint ] || _bash_complete -o default -F _irlint_bash\n'
    return f"#compdef irlint\nautoload -U +X bashcompinit && bashcompinit\n{script}{answer}"


def _fish(table: dict[str, CompletionWords]) -> str:
    from irlint.cli.dispatch import title

    lines = [
        f"set -l commands {' '.join(table)}",
        "complete -c irlint -n __fish_use_subcommand -l version -d 'show the version of irlint'",
    ]
    for command, found in table.items():
        where = f"__fish_seen_subcommand_from {command}"
        if command == DEFAULT:
            where = f"not __fish_seen_subcommand_from $commands; or {where}"
        line = f"complete -c irlint -n {_quoted(where)}"
        lines.append(
            f"complete -c irlint -n __fish_use_subcommand -a {command} -d {_quoted(title(ALIASES.get(command, command)))}"
        )
        if found.arguments:
            lines.append(f"{line} -a {_quoted(' '.join(found.arguments))}")
        for option, text in found.options.items():
            choices = f" -x -a {_quoted(' '.join(found.values[option]))}" if option in found.values else ""
            lines.append(f"{line} -l {option[2:]} -d {_quoted(text)}{choices}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'"
