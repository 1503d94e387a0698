"""Comments the changes of models in a pull request for the GitHub Action (action.yml): one comment, which later runs replace.

All inputs are in the environment. With DRY_RUN=true, the comment is printed and nothing is sent.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any
from urllib.request import Request, urlopen

MARK = "<!-- irlint: changes of models -->"
LONGEST = 65_000  # letters; GitHub takes 65,536
SHOWN = 100  # findings
PAGES = 30  # of 100 comments
SECONDS = 30


def main() -> int:
    paths = [line.strip() for line in os.environ["PATHS"].splitlines() if line.strip()]
    try:
        against = ["--against", _revision(os.environ["BASE"])]
        changes = _output("diff", *against, "--output-format", "markdown", "--diagram", "--", *paths)
        broken = _output("breaking", *against, "--output-format", "concise", "--show-all", "--exit-zero", "--", *paths)
        found = [line for line in broken.splitlines() if ": B0" in line]
        text = body(changes, found)
        if os.environ["DRY_RUN"] == "true":
            sys.stdout.write(text)
        else:
            send(text, is_needed=bool(changes.strip() or found))
    except subprocess.CalledProcessError as error:
        print(f"::warning::irlint does not comment: `{' '.join(error.cmd[:4])}` failed with status {error.returncode}")
    except OSError as error:
        print(f"::warning::irlint cannot comment: {error}; the job needs the permission `pull-requests: write`")
    return 0


def body(changes: str, found: list[str]) -> str:
    """Return the text of the comment: what changed, as far as the models can be read, after lines of what that breaks."""
    if not changes.strip() and not found:
        return f"{MARK}\n### irlint\n\nNo models changed.\n"
    parts = [f"{MARK}\n### irlint: changes of models\n"]
    if found:
        fence = "`" * 4
        found = [*found[:SHOWN], *([f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else ())]
        parts.append(f"What programs that use them have to know:\n\n{fence}text\n{_plain(found)}\n{fence}\n")
    parts.append(changes.replace("@", "&#64;"))  # nobody is mentioned because a node is called so
    text = "\n".join(parts)
    if len(text) <= LONGEST:
        return text
    cut = text[:LONGEST].rpartition("\n")[0]
    fence = "\n```" if cut.count("\n```") % 2 else ""  # of a diagram
    return f"{cut}{fence}\n\nThe rest is left out; `irlint diff --against` shows it.\n"


def _plain(lines: list[str]) -> str:
    return "\n".join(lines).replace("````", "'''")


def _revision(base: str) -> str:
    """Return the newest commit of the branch that the pull request is for."""
    name = f"refs/remotes/origin/{base}"
    command = ["git", "fetch", "--quiet", "--no-tags", "--depth=1", "origin", f"+refs/heads/{base}:{name}"]
    subprocess.run(command, check=True)
    return f"origin/{base}"


def _output(*words: str) -> str:
    """Return what irlint prints. It fails where a model cannot be read: a comment without it would be wrong."""
    done = subprocess.run(
        [sys.executable, "-m", "irlint", *words], stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    if done.returncode not in (0, 1):
        raise subprocess.CalledProcessError(done.returncode, ["irlint", *words])
    return done.stdout


def send(text: str, is_needed: bool) -> None:
    """Write the comment, or replace the one of an earlier run. One that is not needed only replaces an earlier one."""
    api = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}"
    issue = f"{api}/issues/{int(os.environ['NUMBER'])}/comments"
    known = _known(issue)
    if known is not None:
        _call("PATCH", f"{api}/issues/comments/{known}", {"body": text})
    elif is_needed:
        _call("POST", issue, {"body": text})


def _known(issue: str) -> int | None:
    """Return the number of the comment of an earlier run."""
    for page in range(1, PAGES + 1):
        comments = _call("GET", f"{issue}?per_page=100&page={page}")
        for comment in comments:
            if str(comment["body"]).startswith(MARK) and comment["user"]["type"] == "Bot":
                return int(comment["id"])
        if len(comments) < 100:
            return None
    return None


def _call(method: str, url: str, value: Any = None) -> Any:
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['TOKEN']}",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    data = None if value is None else json.dumps(value).encode()
    with urlopen(Request(url, data, headers, method=method), timeout=SECONDS) as answer:
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main())
