"""What the world does to a command: odd names, odd files, closed pipes, faults of our own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from irlint import engine
from irlint.rules.checks.empty_name import EmptyName

from .helpers import CLEAN, COMMA, FOREIGN, MISSPELT, Irlint, command, environment, running, spawn


def test_a_missing_file_does_not_keep_the_others_from_being_checked(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    done = irlint("gone.json", "a.json", "--output-format", "json")
    assert (done.status, done.codes) == (2, ["R001"])
    assert done.err == "irlint: gone.json: no such file or folder\n"


def test_what_is_no_regular_file_is_said_and_never_waited_for(here: Path, irlint: Irlint) -> None:
    os.mkfifo(here / "fifo.json")
    done = irlint("fifo.json", "/dev/zero")
    assert done.status == 2
    assert done.err == (
        "irlint: /dev/zero: a device, not a regular file\nirlint: fifo.json: a FIFO, not a regular file\n"
    )
    assert irlint(".").status == 0


def test_hostile_names_stay_in_their_line(here: Path, irlint: Irlint) -> None:
    names = [b"a\nirlint: fine.json", b"\xff.json", b"\x1b[2J.json", b"-n.json", "\u202egpj.json".encode()]
    for name in names:
        (here / os.fsdecode(name)).write_text(MISSPELT)
    done = irlint(".", "--output-format", "concise")
    lines = done.out.split("\n")
    assert len(lines) == len(names) + 2
    assert all("R001" in line for line in lines[:-2])
    assert not set("\x1b\u202e\udcff") & set(done.out)
    assert len(irlint(".", "--output-format", "json").findings) == len(names)
    assert irlint("--", "-n.json").status == 1
    assert irlint(os.fsdecode(b"gone\n\xff.json")).err == "irlint: gone\\n\\xff.json: no such file or folder\n"


def test_non_utf8_names_on_a_real_command_line(here: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.json")
    (here / name).write_text(COMMA)
    done = spawn("--fix", name)
    assert (done.status, (here / name).read_text()) == (0, CLEAN)
    for locale in ("C", "C.UTF-8", "POSIX"):
        done = spawn("gone\udcff.json", "x\u2603.json", env=environment(LC_ALL=locale, PYTHONUTF8="0"))
        assert done.status == 2
        assert "Traceback" not in done.err


def test_a_fault_in_one_file_leaves_the_others(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    lint = engine.linted_bytes

    def faulty(data: bytes, request: engine.Request) -> engine.Result:
        if request.name == "b.json":
            raise KeyError("first line\nsecond line")
        return lint(data, request)

    monkeypatch.setattr(engine, "linted_bytes", faulty)
    monkeypatch.delenv("IRLINT_RAISE")
    for name in "abc":
        (here / f"{name}.json").write_text(MISSPELT)
    done = irlint(".", "--output-format", "json")
    assert (done.status, [f["file"] for f in done.findings]) == (1, ["a.json", "b.json", "c.json"])
    found = done.findings[1]
    assert (found["code"], found["line"], found["column"]) == ("I001", 1, 1)
    assert found["message"].startswith("internal error in irlint: KeyError: 'first line\\nsecond line' (irlint ")
    assert found["message"].endswith("; please report it at https://github.com/irlint/irlint/issues")
    assert done.err == ""
    assert irlint(".", "--exit-zero").status == 0
    monkeypatch.setenv("IRLINT_DEBUG", "1")
    assert "Traceback" in irlint(".").err


def test_a_fault_outside_of_any_file(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("irlint.cli.commands.check.write", faulty)
    (here / "a.json").write_text(CLEAN)
    monkeypatch.setenv("IRLINT_DEBUG", "1")
    done = irlint("a.json")
    assert (done.status, "Traceback" in done.err) == (3, True)
    monkeypatch.delenv("IRLINT_DEBUG")
    done = irlint("a.json")
    assert done.status == 3
    assert done.err.startswith("irlint: internal error: ZeroDivisionError: oh (irlint ")
    assert done.err.endswith(" (set IRLINT_DEBUG=1 for a traceback)\n")


def test_a_rule_that_recurses_without_end(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(model: object) -> object:
        return endless(model)

    monkeypatch.setattr(EmptyName, "check", endless)
    monkeypatch.delenv("IRLINT_RAISE")
    (here / "a.json").write_text(CLEAN)
    done = irlint("a.json", "--output-format", "json")
    assert (done.status, [f["code"] for f in done.findings], done.err) == (1, ["I001"], "")
    assert "RecursionError" in done.findings[0]["message"]


def test_the_reader_of_the_output_goes_away(here: Path) -> None:
    for number in range(300):
        (here / f"{number}.json").write_text(MISSPELT)
    with running(
        command(".", "--jobs", "1"), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_nobody_reads_the_help(here: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$0" -m irlint check --help | true', sys.executable],
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("argument", ["a.json", "--version", "rules"])
def test_the_output_cannot_be_written(here: Path, argument: str, unbuffered: str) -> None:
    (here / "a.json").write_text(MISSPELT)
    env = environment(PYTHONUNBUFFERED=unbuffered)
    with open("/dev/full", "w") as full:
        done = subprocess.run(command(argument), env=env, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == b"irlint: cannot write the output: no space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [("a.json --diff", 1), ("flatten -", 1), ("b.json", 2), ("--jobs x", 2), ("check - --fix", 2), ("a.json --fix", 0)],
)
def test_notes_that_cannot_be_written(here: Path, arguments: str, status: int, unbuffered: str) -> None:
    (here / "a.json").write_text(COMMA)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command(*arguments.split()),
            env=environment(PYTHONUNBUFFERED=unbuffered),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=full,
            timeout=60,
            check=False,
        )
    assert done.returncode == status


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_streams(here: Path, closed: str) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    (here / "a.json").write_text(COMMA)
    for arguments, status in (("a.json", 1), ("--version", 0), ("rules", 0), ("--fix a.json", 0)):
        line = f'"$0" -m irlint {arguments} {closed}'
        done = subprocess.run(["bash", "-c", line, sys.executable], env=environment(), capture_output=True, check=False)
        assert done.returncode == status
        assert b"Traceback" not in done.stderr
    assert (here / "a.json").read_text() == CLEAN


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_is_quiet(here: Path, jobs: str) -> None:
    """A rule plug-in says on standard output that it is at work, and never ends."""
    env = _with_plugin(here, "print('at work', flush=True)\n            time.sleep(600)")
    for number in range(3):
        (here / f"{number}.json").write_text(MISSPELT)
    (here / "odd.json").write_text(MISSPELT)
    with running(
        command(".", "--jobs", jobs),
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    ) as process:
        assert process.stdout
        assert any(b"at work" in line for line in process.stdout)
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=30)[1] == b""
    assert process.returncode == 130


def test_any_number_of_jobs_gives_the_same_output(here: Path) -> None:
    for number in range(60):
        (here / f"{number}.json").write_text((CLEAN, COMMA, MISSPELT, FOREIGN)[number % 4])
    outputs = {spawn(".", "--jobs", jobs, env=environment(PYTHONHASHSEED=seed)) for jobs in "128" for seed in "01"}
    assert len(outputs) == 1


def test_a_worker_that_is_killed_takes_one_file_with_it(here: Path) -> None:
    env = _with_plugin(here, "os.kill(os.getpid(), signal.SIGKILL)")
    for number in range(30):
        (here / f"{number}.json").write_text(MISSPELT)
    (here / "odd.json").write_text(MISSPELT)
    done = spawn(".", "--jobs", "2", "--output-format", "json", env=env)
    assert done.status == 3
    assert done.err == "irlint: odd.json: internal error: the process that checked it was killed\n"
    assert len(done.findings) == 30


def _with_plugin(here: Path, does: str) -> dict[str, str]:
    """An environment with a rule plug-in that `does` something to the process that checks the file called odd.json."""
    info = here / "plugin/odd-1.dist-info"
    info.mkdir(parents=True)
    (here / "plugin/odd.py").write_text(
        "import os, signal, time\n"
        "from irlint.rules import Rule\n"
        "class Odd(Rule):\n"
        "    '''Is odd.'''\n"
        "    code, name = 'X990', 'odd'\n"
        "    @classmethod\n"
        "    def check(cls, model):\n"
        "        if model.document.name == 'odd.json':\n"
        f"            {does}\n"
        "        return iter(())\n"
    )
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[irlint.rules]\nX990 = odd:Odd\n")
    return environment(PYTHONPATH=os.pathsep.join([environment()["PYTHONPATH"], str(here / "plugin")]))


def test_a_file_that_vanishes_while_walking(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    from irlint.jobs import FileOutcome, Job, JobOptions, pool

    (here / "a.json").write_text(CLEAN)
    (here / "b.json").write_text(MISSPELT)
    check = pool.check

    def late(one: Job, how: JobOptions) -> FileOutcome:
        (here / "b.json").unlink(missing_ok=True)
        return check(one, how)

    monkeypatch.setattr(pool, "check", late)
    done = irlint(".")
    assert (done.status, done.err) == (0, "")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read everything")
def test_what_may_not_be_read(here: Path, irlint: Irlint) -> None:
    (here / "x").mkdir()
    (here / "a.json").write_text(MISSPELT)
    (here / "b.json").write_text(MISSPELT)
    (here / "a.json").chmod(0)
    (here / "x").chmod(0)
    try:
        done = irlint(".", "--output-format", "json")
    finally:
        (here / "x").chmod(0o755)
    assert (done.status, done.codes) == (2, ["R001"])
    assert done.err == "irlint: x: permission denied\nirlint: a.json: permission denied\n"
