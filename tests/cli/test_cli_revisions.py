"""--against REV and `irlint init --git`, in real repositories: renames, deleted files, Git LFS, worktrees, bare ones, git diff itself."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irlint.formats.ncnn.samples import NETWORK
from irlint.formats.nnvm.samples import SYMBOL
from irlint.formats.onnx.samples import ONNX
from irlint.formats.openvino.samples import OPENVINO
from irlint.formats.samples import samples
from tests.formats.openvino.notation import Net

from .helpers import Done, Irlint, environment

IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n"


def git(*words: str, at: str | Path = ".", **more: str) -> str:
    env = environment(**more)
    done = subprocess.run(("git", *IDENTITY, *words), cwd=at, check=True, capture_output=True, env=env)
    return done.stdout.decode("utf-8", "surrogateescape")


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def root(here: Path) -> Path:
    """A repository with one commit."""
    Path("sub dir").mkdir()
    Path("a.onnxtxt").write_text(ONNX)
    Path("sub dir/-m-symbol.json").write_text(SYMBOL)
    Path("x.xml").write_text(OPENVINO)
    Path("x.bin").write_bytes(bytes(12))
    Path("gone.param").write_text(NETWORK)
    Path("tsconfig.json").write_text('{"compilerOptions": {}}')
    git("init", "-q")
    commit()
    return here


def commit() -> None:
    git("add", "-A")
    git("commit", "-q", "-m", "models")


def edit(name: str, old: str, new: str) -> None:
    path = Path(name)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def compared(irlint: Irlint, *words: str) -> list[tuple[str | None, str | None]]:
    done = irlint("diff", "--against", "HEAD", "--output-format", "json", *words)
    assert done.err == ""
    return [(one["old"], one["new"]) for one in json.loads(done.out)]


OTHER = '<ir_version: 8, opset_import: ["" : 17]>\nother (float[2] x) => (float[2] y) { y = Neg (x) }\n'


def test_nothing_changed(root: Path, irlint: Irlint) -> None:
    assert irlint("diff", "--against", "HEAD") == Done(0, "no models changed since HEAD\n", "")
    done = irlint("breaking", "--against", "HEAD", "-q")
    assert (done.status, done.err) == (0, "")


def test_changed_renamed_deleted_and_new_models(root: Path, irlint: Irlint) -> None:
    edit("a.onnxtxt", "Relu (", "Sigmoid (")
    edit("sub dir/-m-symbol.json", '"relu"', '"tanh"')
    git("mv", "x.xml", "y.xml")
    git("mv", "x.bin", "y.bin")
    os.unlink("gone.param")
    edit("tsconfig.json", "{}", "[]")
    Path("new.onnxtxt").write_text(ONNX.replace("Relu (", "Neg (").replace("scores", "other"))
    git("add", "-N", "new.onnxtxt")
    assert compared(irlint) == [
        ("HEAD:a.onnxtxt", "a.onnxtxt"),
        ("HEAD:gone.param", None),
        (None, "new.onnxtxt"),
        ("HEAD:sub dir/-m-symbol.json", os.path.join("sub dir", "-m-symbol.json")),
        ("HEAD:x.xml", "y.xml"),
    ]
    assert compared(irlint, "gone.param") == [("HEAD:gone.param", None)]
    missing = irlint("diff", "--against", "HEAD", "nowhere.onnx")
    assert (missing.status, "neither here nor in HEAD" in missing.err) == (2, True)
    assert compared(irlint, "sub dir") == [("HEAD:sub dir/-m-symbol.json", os.path.join("sub dir", "-m-symbol.json"))]
    done = irlint("diff", "--against", "HEAD")
    assert (done.status, "y.xml (was HEAD:x.xml):\n  no differences in " in done.out) == (1, True)
    assert "HEAD:gone.param:\n  removed" in done.out
    broken = irlint("breaking", "--against", "HEAD", "--output-format", "json")
    assert [(one["file"], one["code"]) for one in broken.findings] == [
        ("a.onnxtxt", "B020"),
        ("gone.param", "B001"),
        ("sub dir/-m-symbol.json", "B020"),
    ]
    assert (broken.status, "new.onnxtxt: a new model, which breaks nothing" in broken.err) == (1, True)


def test_models_that_git_does_not_track_are_new(root: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".gitignore").write_text("ignored.onnxtxt\n")
    commit()
    Path("other").mkdir()
    for name in ("new.onnxtxt", "other/new.onnxtxt", "ignored.onnxtxt"):
        Path(name).write_text(ONNX)
    Path("package.json").write_text('{"nodes": 1, "name": "x"}')
    Path("link.onnxtxt").symlink_to("a.onnxtxt")
    Path("y.bin").write_bytes(bytes(12))
    assert compared(irlint) == [(None, "new.onnxtxt"), (None, os.path.join("other", "new.onnxtxt"))]
    assert irlint("diff", "--against", "HEAD").out == (
        f"new.onnxtxt:\n  new model\n{os.path.join('other', 'new.onnxtxt')}:\n  new model\n"
    )
    done = irlint("breaking", "--against", "HEAD")
    assert (done.status, "new.onnxtxt: a new model, which breaks nothing" in done.err) == (0, True)
    monkeypatch.chdir("sub dir")
    assert compared(irlint, ".") == []
    assert compared(irlint, "../other") == [(None, os.path.join("..", "other", "new.onnxtxt"))]


def test_a_model_that_git_does_not_track_may_be_a_renamed_one(root: Path, irlint: Irlint) -> None:
    index = Path(".git/index").read_bytes()
    Path("moved").mkdir()
    os.rename("x.bin", "moved/y.bin")
    os.rename("x.xml", "moved/y.xml")
    edit("moved/y.xml", 'type="SoftMax"', 'type="Sigmoid"')
    assert compared(irlint) == [("HEAD:x.xml", os.path.join("moved", "y.xml"))]
    done = irlint("diff", "--against", "HEAD")
    assert f"{os.path.join('moved', 'y.xml')} (was HEAD:x.xml):\n" in done.out
    assert "operator: SoftMax -> Sigmoid" in done.out
    assert "weights" not in done.out
    assert Path(".git/index").read_bytes() == index


def test_a_model_that_is_none_any_more(root: Path, irlint: Irlint) -> None:
    Path("sub dir/-m-symbol.json").write_text('{"compilerOptions": {}}')
    Path("package.json").write_text('{"nodes": 1, "name": "x"}')
    git("add", "-N", "package.json")
    found = irlint("breaking", "--against", "HEAD", "--output-format", "json").findings
    assert [(one["file"], one["code"], one["message"].partition(":")[0]) for one in found] == [
        (os.path.join("sub dir", "-m-symbol.json"), "B001", "the model is not recognized any more")
    ]


@pytest.mark.parametrize("setting", ["false", "true"])
def test_in_a_folder_of_the_repository(
    root: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    git("config", "diff.relative", setting)
    edit("sub dir/-m-symbol.json", '"relu"', '"tanh"')
    edit("a.onnxtxt", "Relu (", "Sigmoid (")
    monkeypatch.chdir("sub dir")
    assert compared(irlint, ".") == [("HEAD:sub dir/-m-symbol.json", "-m-symbol.json")]
    assert compared(irlint, "../a.onnxtxt") == [("HEAD:a.onnxtxt", "../a.onnxtxt")]


def test_in_a_hook(root: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    """git names the repository relative to the folder in which it starts a hook."""
    edit("sub dir/-m-symbol.json", '"relu"', '"tanh"')
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_PREFIX", "")
    assert len(compared(irlint, "sub dir")) == 1


def test_the_configuration_excludes_models(root: Path, irlint: Irlint) -> None:
    edit("a.onnxtxt", "Relu (", "Sigmoid (")
    Path("irlint.yaml").write_text('extend-exclude: ["*.onnxtxt"]\n')
    assert compared(irlint) == []


def test_revisions_that_are_none(root: Path, irlint: Irlint, tmp_path_factory: pytest.TempPathFactory) -> None:
    for words in (["nothing"], ["HEAD~7"], ["HEAD:a.onnxtxt"], ["--", "x"][1:]):
        done = irlint("diff", "--against", *words)
        assert (done.status, "no such revision" in done.err) == (2, True)
    assert (
        irlint("diff", "--against", ":/" + git("log", "-1", "--format=%s").strip()).status == 0
    )  # a revision by its message
    done = irlint("diff", "--against=--output=stolen")
    assert (done.status, Path("stolen").exists()) == (2, False)
    elsewhere = str(tmp_path_factory.mktemp("elsewhere"))
    for paths, why in (([elsewhere], "not a git repository"), (["a.onnxtxt", elsewhere], "not in the repository")):
        done = irlint("breaking", "--against", "HEAD", *paths)
        assert (done.status, why in done.err) == (2, True)


def test_weights_are_those_of_the_same_revision(root: Path, irlint: Irlint) -> None:
    Path("x.bin").write_bytes(b"\0\0\x80\x3f" * 3)
    (changed,) = json.loads(irlint("diff", "--against", "HEAD", "--output-format", "json").out)
    assert [(one["name"], one["changes"][0]["what"]) for one in changed["changed"]] == [("scale", "weights")]
    found = irlint("breaking", "--against", "HEAD", "--select", "changed-weights", "--output-format", "json").findings
    assert [(one["file"], one["code"]) for one in found] == [("x.xml", "B021")]


def test_a_named_model_has_the_files_next_to_it(root: Path, irlint: Irlint) -> None:
    Path("x.bin").write_bytes(b"\0\0\x80\x3f" * 3)
    assert compared(irlint, "x.xml") == compared(irlint, "x.bin") == [("HEAD:x.xml", "x.xml")]
    assert compared(irlint, "a.onnxtxt") == []
    words = ["breaking", "--against", "HEAD", "x.xml", "--pedantic", "--output-format", "json"]
    assert irlint(*words).codes == ["B021"]


def test_weights_that_were_deleted_break_a_model(root: Path, irlint: Irlint) -> None:
    os.unlink("x.bin")
    for words in ([], ["x.xml"]):
        found = irlint("breaking", "--against", "HEAD", *words, "--output-format", "json").findings
        assert [(one["file"], one["code"]) for one in found] == [("x.xml", "B001")]


AXES = """\
x: f32[2,4]
axes: i64[1] = 1
mean: f32[2] = opset1.ReduceMean(x, axes) keep_dims=false
"""


def test_values_that_are_gone_are_not_other_computations(root: Path, irlint: Irlint) -> None:
    net = Net(AXES)
    Path("axes.xml").write_text(net.text)
    Path("axes.bin").write_bytes(net.data)
    commit()
    words = "breaking", "--against", "HEAD", "--pedantic", "--output-format", "json"
    os.unlink("axes.bin")
    assert irlint(*words).codes == ["B001"]
    Path("axes.bin").write_text(lfs(net.data, stored=False))
    said = "axes.xml: weights not compared: the values of 1 node are missing in one version or in both"
    done = irlint(*words)
    assert (done.codes, said in done.err) == ([], True)
    commit()
    edit("axes.xml", 'name="mean"', 'name="means"')
    done = irlint(*words)
    assert said in done.err
    git("checkout", "-q", ".")
    Path("other.xml").write_text(net.text)
    assert irlint("diff", "axes.xml", "other.xml").out == (
        "no differences in 4 nodes; the values of 1 node are missing, and not compared\n"
    )


def test_a_new_model_that_does_not_load_is_said_to_be_one(root: Path, irlint: Irlint) -> None:
    Path("new.onnxtxt").write_text(ONNX.replace("Relu (", "Reul ("))
    done = irlint("breaking", "--against", "HEAD")
    assert done.status == 0
    assert "new.onnxtxt: a new model, which does not load: O001 " in done.err


def test_weights_that_were_renamed_break_a_model(root: Path, irlint: Irlint) -> None:
    git("mv", "x.bin", "k.bin", at=root)
    found = irlint("breaking", "--against", "HEAD", "--output-format", "json").findings
    assert [(one["file"], one["code"]) for one in found] == [("x.xml", "B001")]


def test_weights_that_git_does_not_track_any_more_break_a_model(root: Path, irlint: Irlint) -> None:
    Path("ignored.xml").write_text(OPENVINO)
    git("add", "ignored.xml")
    git("commit", "-q", "-m", "a model whose weights are elsewhere")
    git("rm", "-q", "x.bin")
    for revision in ("HEAD", "HEAD~1"):
        found = irlint("breaking", "--against", revision, "--output-format", "json").findings
        assert [(one["file"], one["code"]) for one in found] == [("x.xml", "B001")]
        git("commit", "-q", "--allow-empty", "-m", "without weights")
    assert irlint("breaking", "--against", "HEAD~2", "--weights", "optional", "-q") == Done(0, "", "")
    Path("ignored.xml").write_text(OPENVINO + "\n")
    assert irlint("breaking", "--against", "HEAD", "-q") == Done(0, "", "")


@pytest.mark.parametrize("kind", ["folder", "link to nothing"])
def test_a_model_that_something_else_replaced_was_removed(root: Path, irlint: Irlint, kind: str) -> None:
    os.unlink("a.onnxtxt")
    if kind == "folder":
        Path("a.onnxtxt").mkdir()
        Path("a.onnxtxt/inner.onnxtxt").write_text(OTHER)
    else:
        Path("a.onnxtxt").symlink_to("nowhere")
    inner = [(None, os.path.join("a.onnxtxt", "inner.onnxtxt"))] if kind == "folder" else []
    for words in ([], ["a.onnxtxt"]):
        assert compared(irlint, *words) == [("HEAD:a.onnxtxt", None), *inner]
        found = irlint("breaking", "--against", "HEAD", *words, "--output-format", "json").findings
        assert [(one["code"], one["message"]) for one in found] == [("B001", "the model was removed")]


def test_an_older_revision_and_a_file_that_was_not_there(root: Path, irlint: Irlint) -> None:
    edit("a.onnxtxt", "scores", "odds")
    Path("b.onnxtxt").write_text(ONNX.replace("Relu (", "Neg ("))
    commit()
    done = irlint("breaking", "--against", "HEAD~1", "--output-format", "concise")
    assert "a.onnxtxt:8:16: B012[removed-output] output 'scores' was renamed to 'odds'" in done.out
    assert irlint("breaking", "--against", "HEAD", "-q").out == ""


def lfs(data: bytes, stored: bool) -> str:
    """Return the pointer of a file, which is stored as git-lfs does if it has been fetched."""
    oid = hashlib.sha256(data).hexdigest()
    if stored:
        path = Path(".git/lfs/objects", oid[:2], oid[2:4], oid)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return POINTER.format(oid, len(data))


def test_pointers_of_git_lfs_stand_for_their_files(root: Path, irlint: Irlint) -> None:
    Path("big.onnx").write_text(lfs(samples()["onnx:binary"].data, stored=True))
    Path("x.bin").write_text(lfs(b"\0\0\x80\x3f" * 3, stored=True))
    commit()
    Path("big.onnx").write_bytes(samples()["onnx:binary"].data.replace(b"scores", b"result"))
    Path("x.bin").write_bytes(bytes(12))
    found = irlint("breaking", "--against", "HEAD", "--pedantic", "--output-format", "json").findings
    assert [(one["file"], one["code"]) for one in found] == [("big.onnx", "B012"), ("x.xml", "B021")]


def test_weights_whose_files_are_not_here(root: Path, irlint: Irlint) -> None:
    """Both versions are compared without them."""
    Path("x.bin").write_text(lfs(b"\0\0\x80\x3f" * 3, stored=False))
    commit()
    edit("x.xml", 'type="SoftMax"', 'type="SoftMaks"')
    assert irlint("breaking", "--against", "HEAD", "--level", "loads", "--output-format", "json").codes == ["B001"]
    why = "HEAD:x.bin: a Git LFS pointer whose file is not here; run `git lfs fetch origin HEAD` to fetch it"
    for command in ("diff", "breaking"):
        assert why in irlint(command, "--against", "HEAD").err


def test_pointers_whose_files_are_not_here(root: Path, irlint: Irlint) -> None:
    Path("big.onnx").write_text(lfs(samples()["onnx:binary"].data, stored=False))
    commit()
    Path("big.onnx").write_bytes(samples()["onnx:binary"].data)
    for command in ("diff", "breaking"):
        done = irlint(command, "--against", "HEAD")
        why = "a Git LFS pointer whose file is not here; run `git lfs fetch origin HEAD` to fetch it"
        assert (done.status, why in done.err) == (2, True), done


def test_links_and_submodules_are_left_out(root: Path, irlint: Irlint) -> None:
    git("init", "-q", "inner")
    Path("inner/i.onnxtxt").write_text(ONNX)
    git("add", "-A", at="inner")
    git("commit", "-q", "-m", "1", at="inner")
    git("submodule", "--quiet", "add", "./inner", "inner")
    Path("link.onnxtxt").symlink_to("a.onnxtxt")
    commit()
    edit("inner/i.onnxtxt", "Relu (", "Neg (")
    git("commit", "-q", "-a", "-m", "2", at="inner")
    Path("link.onnxtxt").unlink()
    Path("link.onnxtxt").symlink_to("x.xml")
    assert compared(irlint) == []


def test_worktrees_and_bare_repositories(root: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    git("worktree", "add", "-q", "../tree", "-b", "other")
    monkeypatch.chdir("../tree")
    edit("a.onnxtxt", "Relu (", "Sigmoid (")
    assert compared(irlint) == [("HEAD:a.onnxtxt", "a.onnxtxt")]
    commit()
    git("clone", "-q", "--bare", ".", "../bare.git")
    monkeypatch.chdir("../bare.git")
    done = irlint("diff", "--against", "HEAD~1", "--output-format", "json")
    assert [(one["old"], one["new"]) for one in json.loads(done.out)] == [("HEAD~1:a.onnxtxt", "HEAD:a.onnxtxt")]
    assert [one["code"] for one in irlint("breaking", "--against", "HEAD~1", "--output-format", "json").findings] == [
        "B020"
    ]


def test_names_that_are_not_utf_8(root: Path, irlint: Irlint) -> None:
    for name in ("ä ö.onnxtxt", "line\nend.onnxtxt", "-rf.onnxtxt"):
        Path(name).write_text(ONNX)
    with open(b"\xff.onnxtxt", "w") as file:
        file.write(ONNX)
    commit()
    for name in (os.fsencode("ä ö.onnxtxt"), b"line\nend.onnxtxt", b"-rf.onnxtxt", b"\xff.onnxtxt"):
        with open(name, "w") as file:
            file.write(ONNX.replace("Relu (", "Neg ("))
    found = irlint("breaking", "--against", "HEAD", "--output-format", "json").findings
    assert [one["code"] for one in found] == ["B020"] * 4


def test_without_git(root: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = irlint("diff", "--against", "HEAD")
    assert (done.status, done.err) == (2, "irlint: this requires git, which cannot be started\n")


def test_drivers_of_git_come_and_go(root: Path, irlint: Irlint) -> None:
    settings = Path(".git/config").read_bytes()
    for before in (None, b"*.bin binary\n", b"*.bin binary", b"*.bin binary\r\n", b"*.onnx filter=lfs\n\n"):
        if before is not None:
            Path(".gitattributes").write_bytes(before)
        assert irlint("init", "--git").status == 0
        once = Path(".gitattributes").read_bytes(), Path(".git/config").read_bytes()
        assert once[0].startswith(before or b"#")
        assert irlint("init", "--git").status == 0
        assert (Path(".gitattributes").read_bytes(), Path(".git/config").read_bytes()) == once
        assert not Path("irlint.yaml").exists()
        assert irlint("init", "--git", "--undo").status == 0
        assert Path(".git/config").read_bytes() == settings
        assert (
            Path(".gitattributes").read_bytes() == before if before is not None else not Path(".gitattributes").exists()
        )
    assert irlint("init", "--git", "--undo").status == 0
    assert irlint("init", "--undo").status == 2


def test_drivers_of_others_are_kept(root: Path, irlint: Irlint) -> None:
    git("config", "diff.irlint.textconv", "cat")
    done = irlint("init", "--git")
    assert (done.status, "diff.irlint.textconv is `cat`" in done.err, Path(".gitattributes").exists()) == (
        2,
        True,
        False,
    )
    assert irlint("init", "--git", "--undo").status == 0
    assert git("config", "diff.irlint.textconv") == "cat\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that starts Python by its path")
def test_git_shows_models(root: Path, irlint: Irlint) -> None:
    data = samples()["onnx:binary"].data
    Path("m.onnx").write_bytes(data)
    Path("-dash.onnx").write_bytes(data)
    Path("broken.onnx").write_bytes(b"\0\1\2")
    Path("far.onnx").write_text(lfs(data.replace(b"positive", b"negative"), stored=False))
    Path("near.onnx").write_text(lfs(data, stored=True))
    commit()
    assert irlint("init", "--git").status == 0
    git("mv", "m.onnx", "moved.onnx")
    Path("moved.onnx").write_bytes(data.replace(b"scores", b"result"))
    Path("near.onnx").write_text(lfs(data.replace(b"scores", b"result"), stored=True))
    Path("-dash.onnx").write_bytes(data.replace(b"scores", b"result"))
    Path("far.onnx").write_text(lfs(data.replace(b"positive", b"modified"), stored=False))
    Path("broken.onnx").write_bytes(b"\0\1\3")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    shown = git("diff", "-M40%", "HEAD", PATH=path)
    assert "rename from m.onnx\nrename to moved.onnx\n" in shown
    assert shown.count("\n-   float[1,10] scores\n+   float[1,10] result\n") == 3
    assert "+oid sha256:" in shown
    tool = git("difftool", "-y", "--tool=irlint", "-M40%", "HEAD", "--", "moved.onnx", "m.onnx", PATH=path)
    assert tool.startswith("m.onnx:\n  ")
    tool = git("difftool", "-y", "--tool=irlint", "HEAD", "--", "./-dash.onnx", PATH=path)
    assert tool.startswith("-dash.onnx:\n  ")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that starts Python by its path")
def test_git_needs_no_path_and_no_irlint(root: Path, irlint: Irlint) -> None:
    data = samples()["onnx:binary"].data
    Path("m.onnx").write_bytes(data)
    commit()
    assert irlint("init", "--git").status == 0
    Path("m.onnx").write_bytes(data.replace(b"scores", b"result"))
    path = os.path.dirname(str(shutil.which("git"))) + os.pathsep + "/bin"
    assert "\n+   float[1,10] result\n" in git("diff", PATH=path)
    command = git("config", "diff.irlint.textconv").strip()
    assert os.path.dirname(sys.executable) in command
    git("config", "diff.irlint.textconv", command.replace(os.path.dirname(sys.executable), "/gone"))
    assert git("diff", PATH=path).count("a model that irlint cannot show; run irlint init --git again: ") == 2
    assert irlint("init", "--git").status == 0
    assert git("config", "diff.irlint.textconv").strip() == command


def test_entries_of_earlier_versions_are_replaced(root: Path, irlint: Irlint) -> None:
    for command in ("irlint", "'/a b/python' -m irlint", "'/a b/irlint'", "/opt/irlint.exe"):
        git("config", "diff.irlint.textconv", f"{command} show --textconv")
        git("config", "difftool.irlint.cmd", f'{command} diff "$LOCAL" "$REMOTE"')
        assert irlint("init", "--git").status == 0
        assert irlint("init", "--git", "--undo").status == 0
        assert "irlint" not in Path(".git/config").read_text()


def test_a_difftool_names_files_that_are_not_models(root: Path, irlint: Irlint) -> None:
    Path("old.bin").write_bytes(bytes(8))
    done = irlint("diff", "--difftool", "x.bin", "old.bin", "x.bin")
    words = "`irlint diff --against HEAD x.xml` compares them with the work tree"
    assert done == Done(0, f"x.bin: weights of x.xml: 8 bytes -> 12 bytes; {words}\n", "")
    done = irlint("diff", "--difftool", "tsconfig.json", os.devnull, "tsconfig.json")
    assert done == Done(0, "tsconfig.json: not a model: no file -> 23 bytes\n", "")
    Path("broken.xml").write_text(OPENVINO[:-9])
    assert irlint("diff", "--difftool", "x.xml", "x.xml", "broken.xml").status == 0
    Path("other.xml").write_text(OPENVINO.replace('type="SoftMax"', 'type="Sigmoid"'))
    done = irlint("diff", "--difftool", "x.xml", "x.xml", "other.xml")
    assert (done.status, "operator: SoftMax -> Sigmoid" in done.out) == (0, True)
    assert done.out.startswith("x.xml:\n  0 added, ")


def test_a_difftool_has_the_weights_of_each_revision(root: Path, irlint: Irlint, tmp_path: Path) -> None:
    """git hands over one file in a temporary place."""
    old = tmp_path / "old.xml"
    shutil.copy("x.xml", old)
    edit("x.xml", 'type="SoftMax"', 'type="Sigmoid"')
    Path("x.bin").write_bytes(b"\0\0\x80\x3f" * 3)
    done = irlint("diff", "--difftool", "x.xml", str(old), "x.xml")
    assert ("other values" in done.out, "SoftMax -> Sigmoid" in done.out, done.err) == (True, True, "")
    commit()
    new = tmp_path / "new.xml"
    shutil.copy("x.xml", new)
    for name in ("x.xml", "x.bin"):
        os.unlink(name)
    assert irlint("diff", "--difftool", "x.xml", str(old), str(new)).out == done.out
    new.write_text(new.read_text().replace("Sigmoid", "ReLU"))
    done = irlint("diff", "--difftool", "x.xml", str(old), str(new))
    assert done.err == "irlint: weights of one version are not compared: no commit has this version of x.xml\n"
    assert "SoftMax -> ReLU" in done.out


def test_weights_that_are_gone_are_named_so(root: Path, irlint: Irlint) -> None:
    git("rm", "-q", "x.bin")
    assert "weights: their values are missing in the new version\n" in irlint("diff", "--against", "HEAD").out


def test_a_pointer_names_no_file_elsewhere(root: Path, irlint: Irlint) -> None:
    Path("big.onnx").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:../../../../a.onnxtxt\nsize 1\n"
    )
    commit()
    shutil.copy("a.onnxtxt", "big.onnx")
    assert irlint("diff", "--against", "HEAD").status == 2
