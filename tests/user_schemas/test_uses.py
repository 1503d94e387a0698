"""What users do with findings by their schemas: suppress, accept, report, select, cache and hook them."""

from __future__ import annotations

import json
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from cli.helpers import Done, Irlint, spawn
from rule_cases.texts import GRAPH, LIGHTNET, NETWORK, ONNX, OPENVINO, SYMBOL, changed

from irlint import engine
from irlint.cache import TICK
from irlint.cli.commands import check
from irlint.formats.onnx.samples import TREE
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole

NAMES = {
    "properties": {"nodes": {"items": {"properties": {"name": {"not": {"enum": ["relu0", "cut", "scaled", "relu"]}}}}}}
}
JOB = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="job"><xs:complexType><xs:attribute name="n" type="xs:int"/></xs:complexType></xs:element></xs:schema>'
CONFIG: dict[str, Any] = {
    "weights": "optional",
    "schemas": [
        {"schema": "schemas/names.json", "of": "graph", "severity": "warning"},
        {"schema": "schemas/data.json", "files": "*.data.json"},
        {"schema": "schemas/job.xsd", "files": ["*.job.xml"]},
    ],
}  # fmt: skip
RUN = '{"epochs": "ten"}\n'


@pytest.fixture
def project(here: Path) -> Path:
    """A folder with schemas of all kinds, a symbol with one finding, and JSON and XML files that are not models."""
    (here / "schemas").mkdir()
    (here / "schemas/names.json").write_text(json.dumps(NAMES))
    (here / "schemas/data.json").write_text(json.dumps({"properties": {"epochs": {"$ref": "parts.json#/count"}}}))
    (here / "schemas/parts.json").write_text(json.dumps({"count": {"type": "integer"}}))
    (here / "schemas/job.xsd").write_text(JOB)
    _configure(here)
    (here / "net-symbol.json").write_text(SYMBOL)
    (here / "run.data.json").write_text(RUN)
    (here / "night.job.xml").write_text('<job n="x"/>\n')
    return here


def _configure(folder: Path, **more: Any) -> None:
    (folder / "irlint.yaml").write_text(json.dumps({**CONFIG, **more}))


def _found(done: Done) -> list[tuple[str, str, int, int]]:
    return [(f["file"], f["severity"], f["line"], f["column"]) for f in done.findings if f["code"] == "T008"]


ALL = [("net-symbol.json", "warning", 12, 35), ("night.job.xml", "error", 1, 9), ("run.data.json", "error", 1, 12)]
JSON = ("--output-format", "json")


def test_a_run(project: Path, irlint: Irlint) -> None:
    done = irlint(*JSON)
    assert done.status == 1
    assert _found(done) == ALL
    assert len(done.findings) == 3
    assert {f["node"] for f in done.findings} == {"relu0", None}
    out = irlint("--output-format", "concise").out
    assert (
        'run.data.json:1:12: T008[user-schema] expected an integer for `epochs`, got `"ten"` (by schemas/data.json)\n'
        in out
    )
    full = irlint("net-symbol.json").out
    assert '"relu0"' in full
    assert "^^^^^^^" in full


SUPPRESSED = {
    "mxnet": ("a-symbol.json", SYMBOL, ('{"act_type": "relu"}', '{"act_type": "relu", "__irlint__": "ignore[T008]"}')),
    "lightnet": ("a.json", LIGHTNET, ('"name": "cut", "optype": "slice",', '"name": "cut", "optype": "slice",  // irlint: ignore[user-schema]')),
    "openvino": ("a.xml", OPENVINO, ('\t\t<layer id="2"', '\t\t<!-- irlint: ignore[T008] -->\n\t\t<layer id="2"')),
    "openvino, whole file": ("a.xml", OPENVINO, ("<net ", "<!-- irlint: ignore -->\n<net ")),
    "ncnn": ("a.param", NETWORK, ("out 0=0\n", "out 0=0\n# irlint: ignore[user-schema] relu\n")),
    "pnnx": ("a.pnnx.param", changed(GRAPH, (" mul 1", " cut 1")), ("out 1 0 1 #1=(1,3)f32\n", "out 1 0 1 #1=(1,3)f32\n# irlint: ignore[T008] cut\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", SUPPRESSED)
def test_suppressions(name: str, project: Path, irlint: Irlint) -> None:
    file, text, change = SUPPRESSED[name]
    (project / file).write_text(text)
    assert [f["code"] for f in irlint(file, *JSON).findings] == ["T008"]
    (project / file).write_text(changed(text, change))
    assert irlint(file, *JSON).findings == []
    wrong = Path(file).read_text().replace("T008", "T007").replace("user-schema", "unknown-key")
    if wrong != Path(file).read_text():
        (project / file).write_text(wrong)
        assert "T008" in irlint(file, *JSON).codes


def test_suppressions_of_files_that_are_not_models(project: Path, irlint: Irlint) -> None:
    Path("night.job.xml").write_text('<!-- irlint: ignore[T008] -->\n<job n="x"/>\n')
    assert irlint("night.job.xml", *JSON).findings == []


def test_suppressions_are_added(project: Path, irlint: Irlint) -> None:
    models = {"a-symbol.json": SYMBOL, "a.json": LIGHTNET, "a.xml": OPENVINO, "a.param": NETWORK, "a.onnxtxt": ONNX}
    for name, text in models.items():
        (project / name).write_text(text)
    (project / "a.onnx").write_bytes(whole(MODEL, TREE))
    names = [*models, "a.onnx"]
    assert irlint(*names, *JSON).codes == ["T008"] * len(names)
    assert irlint("--add-ignore=agreed", *names).status == 0
    assert irlint(*names, *JSON).findings == []


def test_settings(project: Path, irlint: Irlint) -> None:
    settings: list[tuple[dict[str, Any], list[str]]] = [
        ({"per-file-ignores": {"*-symbol.json": ["T008"]}}, ["error", "error"]),
        ({"per-file-ignores": {"!*-symbol.json": ["T"]}}, ["warning"]),
        ({"ignore": ["user-schema"]}, []),
        ({"ignore": ["T"]}, []),
        ({"select": ["A"]}, []),
        ({"select": ["T008"]}, ["warning", "error", "error"]),
        ({"severity": {"user-schema": "info"}}, ["info"] * 3),
        ({"severity": {"T008": "error"}}, ["error"] * 3),
    ]
    for more, expected in settings:
        _configure(project, **more)
        assert [severity for _, severity, _, _ in _found(irlint(*JSON))] == expected, more
    _configure(project, severity={"T008": "info"})
    assert irlint(".").status == 0
    _configure(project, **{"fail-on": "warning"})
    assert irlint("net-symbol.json").status == 1
    _configure(project)
    assert irlint("net-symbol.json").status == 0


def test_selected(project: Path, irlint: Irlint) -> None:
    assert _found(irlint("--select", "T008", *JSON)) == ALL
    assert _found(irlint("--select", "user-schema", *JSON)) == ALL
    assert irlint("--select", "A,R", *JSON).findings == []
    assert irlint("--ignore", "T008", *JSON).findings == []
    assert _found(irlint("--ignore", "T", "--extend-select", "user-schema", *JSON)) == ALL


def test_statistics_and_the_page_of_the_rule(project: Path, irlint: Irlint) -> None:
    done = irlint("--statistics")
    assert done.out.split()[:2] == ["2", "T008"] or done.out.split()[:2] == ["3", "T008"], done.out
    assert sum(row["count"] for row in json.loads(irlint("--statistics", *JSON).out)) == 3
    page = irlint("rule", "T008").out
    assert page.startswith("T008 user-schema\n")
    assert irlint("rule", "user-schema").out == page
    assert "T008" in irlint("rules").out


def test_baseline(project: Path, irlint: Irlint) -> None:
    assert irlint("--baseline", "known.json", "--write-baseline", ".").status == 0
    assert irlint("--baseline", "known.json", *JSON, ".").findings == []
    (project / "net-symbol.json").write_text(SYMBOL.replace('"fc0"', '"cut"'))
    done = irlint("--baseline", "known.json", *JSON, ".")
    assert [f["node"] for f in done.findings] == ["cut"]
    (project / "known.json").unlink()
    _configure(project, baseline="known.json")
    assert irlint("--write-baseline", ".").status == 0
    assert irlint(".").status == 0
    (project / "run.data.json").write_text('{"epochs": 1}\n')
    assert "no longer found" in irlint(".").err + irlint(".").out


def test_reports(project: Path, irlint: Irlint) -> None:
    run = json.loads(irlint("--output-format", "sarif").out)["runs"][0]
    found = [
        (r["ruleId"], r["level"], r["locations"][0]["physicalLocation"]["region"]["startColumn"])
        for r in run["results"]
    ]
    assert found == [("T008", "warning", 35), ("T008", "error", 9), ("T008", "error", 12)]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["T008"]
    for form in ("full", "concise", "overview", "agent", "jsonl", "github", "gitlab", "junit", "html"):
        assert "T008" in irlint("--output-format", form).out, form


@pytest.fixture
def lints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were really linted, none of which is too small for the cache."""
    names: list[str] = []
    real = engine.linted_bytes

    def linted_bytes(data: bytes, request: engine.Request) -> engine.Result:
        names.append(Path(request.name).name)
        return real(data, request)

    monkeypatch.setattr(engine, "linted_bytes", linted_bytes)
    monkeypatch.setattr(check, "WORTH_CACHING", 0)
    return names


def test_cache(project: Path, irlint: Irlint, lints: list[str]) -> None:
    sleep(2 * TICK)
    first = irlint(*JSON)
    assert len(lints) == 3
    lints.clear()
    again = irlint(*JSON)
    assert again == first
    assert lints == []
    (project / "schemas/parts.json").write_text(json.dumps({"count": {"enum": ["one", "ten"]}}))
    assert _found(irlint(*JSON)) == ALL[:2]
    assert lints == ["run.data.json"]
    lints.clear()
    (project / "schemas/names.json").write_text("{}")
    assert _found(irlint(*JSON)) == ALL[1:2]
    assert sorted(lints) == ["net-symbol.json", "night.job.xml", "run.data.json"]
    lints.clear()
    (project / "schemas/job.xsd").write_text(JOB.replace("xs:int", "xs:string"))
    assert irlint(*JSON).findings == []
    (project / "schemas/parts.json").write_text(json.dumps({"count": {"type": "integer"}}))
    assert _found(irlint(*JSON)) == ALL[2:]
    lints.clear()
    _configure(project, schemas=[{**entry, "severity": "info"} for entry in CONFIG["schemas"]])
    assert [severity for _, severity, _, _ in _found(irlint(*JSON))] == ["info"]


def test_jobs(project: Path) -> None:
    for k in range(20):
        (project / f"{k}-symbol.json").write_text(SYMBOL)
        (project / f"{k}.data.json").write_text(RUN)
    one, two = (spawn("check", str(project), *JSON, "--no-cache", "--jobs", jobs) for jobs in ("1", "2"))
    assert one.out == two.out
    assert len(two.findings) == 43


def test_stdin(project: Path) -> None:
    def given(text: str, *arguments: str) -> Done:
        return spawn("check", "-", *arguments, *JSON, input=text.encode())

    named = ("--stdin-filename", str(project / "other.data.json"))
    assert [f["message"] for f in given(RUN, *named).findings] == [
        'expected an integer for `epochs`, got `"ten"` (by schemas/data.json)'
    ]
    assert given('{"epochs": 3}', *named).findings == []
    assert given(SYMBOL, "--stdin-filename", str(project / "x-symbol.json")).codes == ["T008"]
    assert given(SYMBOL).codes == ["T008"]
    assert given(RUN).codes != ["T008"]


def test_pyproject(project: Path, irlint: Irlint) -> None:
    (project / "irlint.yaml").unlink()
    (project / "pyproject.toml").write_text(
        '[tool.irlint]\nweights = "optional"\n\n[[tool.irlint.schemas]]\nschema = "schemas/names.json"\nof = "graph"\n\n'
        '[[tool.irlint.schemas]]\nschema = "schemas/data.json"\nfiles = ["*.data.json"]\nseverity = "info"\n'
    )
    assert _found(irlint(*JSON)) == [("net-symbol.json", "error", 12, 35), ("run.data.json", "info", 1, 12)]


def test_a_hook_names_files(project: Path, irlint: Irlint) -> None:
    """pre-commit gives the changed files, also those that are not models, below the repository's root."""
    (project / "models").mkdir()
    (project / "models/deep-symbol.json").write_text(SYMBOL)
    (project / "models/x.data.json").write_text(RUN)
    (project / "package.json").write_text('{"name": "x", "epochs": "ten"}')
    names = ["models/deep-symbol.json", "models/x.data.json", "package.json", "run.data.json"]
    done = irlint("--skip-unrecognized", "--force-exclude", *names, *JSON)
    assert [file for file, *_ in _found(done)] == ["models/deep-symbol.json", "models/x.data.json", "run.data.json"]
    assert len(done.findings) == 3


def test_files_are_found(project: Path, irlint: Irlint) -> None:
    """A schema of files makes irlint look at files that it does not know; one of graphs does not."""
    (project / "package.json").write_text('{"name": "x"}')
    assert sorted(irlint("--show-files").out.split()) == ["net-symbol.json", "night.job.xml", "run.data.json"]
    _configure(project, schemas=[{"schema": "schemas/names.json", "of": "graph"}])
    assert irlint("--show-files").out.split() == ["net-symbol.json"]
    assert _found(irlint(*JSON)) == [("net-symbol.json", "error", 12, 35)]


def test_another_configuration(project: Path, irlint: Irlint) -> None:
    """With --config, schemas are beside the configuration, and globs are relative to the current folder."""
    (project / "irlint.yaml").rename(project / "schemas/team.yaml")
    config = json.loads((project / "schemas/team.yaml").read_text())
    for entry in config["schemas"]:
        entry["schema"] = entry["schema"].removeprefix("schemas/")
    (project / "schemas/team.yaml").write_text(json.dumps(config))
    assert irlint(*JSON).findings == []
    assert _found(irlint("--config", "schemas/team.yaml", *JSON)) == ALL


def test_isolated(project: Path, irlint: Irlint) -> None:
    assert irlint("--isolated", *JSON).findings == []
    (project / "schemas/names.json").unlink()
    assert irlint("--isolated").status == 0


def test_folders_have_their_own(project: Path, irlint: Irlint) -> None:
    (project / "inner").mkdir()
    (project / "inner/irlint.yaml").write_text("schemas: [{schema: only.json, of: graph, files: 'a*'}]\n")
    (project / "inner/only.json").write_text(
        '{"required": ["versions"], "errorMessage": {"required": "name the version"}}'
    )
    for name in ("a-symbol.json", "b-symbol.json", "x.data.json"):
        (project / "inner" / name).write_text(SYMBOL)
    done = irlint("inner", *JSON)
    assert [(f["file"], f["message"]) for f in done.findings] == [
        ("inner/a-symbol.json", "name the version (by only.json)")
    ]


def test_fixes_do_not_wait_for_schemas(project: Path, irlint: Irlint) -> None:
    (project / "net-symbol.json").write_text(
        changed(SYMBOL, ('"inputs": [[3, 0, 0]]\n    }\n', '"inputs": [[3, 0, 0]]\n    },\n'))
    )
    irlint("--fix", "net-symbol.json")
    assert (project / "net-symbol.json").read_text() == SYMBOL
    assert irlint("net-symbol.json", *JSON).codes == ["T008"]
