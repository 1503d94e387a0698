"""The comment of the GitHub Action: what it says of a pull request, and the requests with which it is written, against a recorded API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cli.helpers import ROOT, environment

from irlint.formats.onnx.samples import ONNX

sys.path.insert(0, str(ROOT / "ci"))
import comment

Call = tuple[str, str, Any]


class Api:
    """The part of GitHub's API that is used: answers as it gives them, and what was asked."""

    def __init__(self, comments: list[dict[str, Any]], status: int = 200) -> None:
        self.calls: list[Call] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                sent = json.loads(self.rfile.read(length)) if length else None
                assert self.headers["Authorization"] == "Bearer secret"
                api.calls.append((self.command, self.path, sent))
                page = int(self.path.rpartition("page=")[2] or 1) if self.command == "GET" else 1
                found: Any = comments[100 * (page - 1) : 100 * page] if self.command == "GET" else {"id": 7}
                data = json.dumps(found).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


def said(text: str, kind: str = "Bot", number: int = 5) -> dict[str, Any]:
    return {"id": number, "body": text, "user": {"type": kind}}


def git(*words: str, at: Path) -> None:
    given = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *given, *words], cwd=at, check=True, capture_output=True)


@pytest.fixture
def pull_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of a repository, with a change that is not on its branch main."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    origin, work = tmp_path / "origin", tmp_path / "work"
    origin.mkdir()
    git("init", "-q", "-b", "main", at=origin)
    (origin / "net.onnxtxt").write_text(ONNX)
    git("add", ".", at=origin)
    git("commit", "-q", "-m", "1", at=origin)
    git("clone", "-q", "--depth=1", origin.as_uri(), str(work), at=tmp_path)
    (work / "net.onnxtxt").write_text(ONNX.replace("scores", "odds").replace("Relu (", "Sigmoid ("))
    return work


def run(work: Path, **more: str) -> subprocess.CompletedProcess[str]:
    given = {
        "BASE": "main",
        "NUMBER": "3",
        "TOKEN": "secret",
        "PATHS": ".",
        "GITHUB_REPOSITORY": "a/b",
        "DRY_RUN": "false",
    }
    env = environment(**given | more)
    command = [sys.executable, str(ROOT / "ci/comment.py")]
    return subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_a_dry_run_prints_the_comment(pull_request: Path) -> None:
    done = run(pull_request, DRY_RUN="true")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(comment.MARK)
    assert "net.onnxtxt:8:16: B012[removed-output] output 'scores' was renamed to 'odds'" in done.stdout
    assert "origin/main:net.onnxtxt" in done.stdout.replace("\\", "")
    assert "relu (Sigmoid)" in done.stdout
    assert "```mermaid\nflowchart TD\n" in done.stdout


def test_the_first_comment_is_written(pull_request: Path) -> None:
    api = Api([said("Nice."), said(f"{comment.MARK} as if", kind="User")])
    done = run(pull_request, GITHUB_API_URL=api.url)
    assert (done.returncode, [call[:2] for call in api.calls]) == (
        0,
        [("GET", "/repos/a/b/issues/3/comments?per_page=100&page=1"), ("POST", "/repos/a/b/issues/3/comments")],
    )
    assert api.calls[1][2]["body"].startswith(comment.MARK)


def test_the_comment_of_an_earlier_run_is_replaced(pull_request: Path) -> None:
    api = Api([*(said("Nice.") for _ in range(130)), said(f"{comment.MARK}\nold", number=42)])
    run(pull_request, GITHUB_API_URL=api.url)
    assert [call[:2] for call in api.calls[1:]] == [
        ("GET", "/repos/a/b/issues/3/comments?per_page=100&page=2"),
        ("PATCH", "/repos/a/b/issues/comments/42"),
    ]


def test_without_changes_nothing_is_written(pull_request: Path) -> None:
    (pull_request / "net.onnxtxt").write_text(ONNX)
    api = Api([])
    run(pull_request, GITHUB_API_URL=api.url)
    assert [call[0] for call in api.calls] == ["GET"]
    api = Api([said(comment.MARK)])
    run(pull_request, GITHUB_API_URL=api.url)
    assert "No models changed." in api.calls[1][2]["body"]


def test_a_token_that_may_not_write_is_a_warning(pull_request: Path) -> None:
    done = run(pull_request, GITHUB_API_URL=Api([], status=403).url)
    assert done.returncode == 0
    assert done.stdout.startswith("::warning::irlint cannot comment: HTTP Error 403")


def test_a_comment_that_would_be_wrong_is_not_written(pull_request: Path) -> None:
    (pull_request / "net.onnxtxt").write_text(
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 1\n"
    )
    api = Api([said(comment.MARK)])
    for more in ({}, {"BASE": "gone"}):
        done = run(pull_request, GITHUB_API_URL=api.url, **more)
        assert (done.returncode, api.calls, done.stdout.partition(":")[0]) == (0, [], "")
        assert done.stdout.startswith("::warning::irlint does not comment: `")


def test_a_model_that_does_not_load_any_more_is_a_change(pull_request: Path) -> None:
    (pull_request / "net.onnxtxt").write_text("")
    api = Api([])
    run(pull_request, GITHUB_API_URL=api.url)
    assert "net.onnxtxt:1:1: B001[no-longer-loads]" in api.calls[1][2]["body"]


def test_many_findings_are_counted() -> None:
    text = comment.body("changed", [f"a.onnx:1:{k}: B010 gone" for k in range(1000)])
    assert "\na.onnx:1:99: B010 gone\nand 900 more\n````\n" in text


def test_a_long_comment_is_cut_where_a_diagram_ends() -> None:
    text = comment.body("**a**\n\n```mermaid\n" + "  n0 --> n1\n" * 10_000 + "```\n", [])
    assert len(text) < 65_536
    assert text.count("\n```") == 2
    assert text.endswith("shows it.\n")


def test_names_mention_nobody_and_end_no_block() -> None:
    text = comment.body("- @octocat\n", ["a.onnx:1:1: B012[removed-output] output '````' was removed"])
    assert "@" not in text
    assert text.count("````") == 2
