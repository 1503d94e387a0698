"""The recipes of docs/schemas-elsewhere.md as the page has them: each accepts a right file and refuses a wrong one.

Addresses of the site are those of a server on this machine, and the repository of check-jsonschema, unless IRLINT_TRY_REPO is set,
one with a hook that runs the check-jsonschema that is installed. What Red Hat's extension for XML and JetBrains' IDEs are given is
read as they read it; xmllint or lxml validates in their place. Tools: `make elsewhere`.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from cli.helpers import ROOT, environment
from local_server import served
from lxml import etree

from irlint import engine
from irlint.config.read_yaml import read_yaml

from .machine import ONLINE, shell
from .repository import commit_all, git

PAGE = (ROOT / "docs/schemas-elsewhere.md").read_text(encoding="utf-8")
SITE = "https://irlint.readthedocs.io/schemas/"
LIMIT = 300  # seconds
SYMBOL = (ROOT / "examples/nnvm/lenet-symbol.json").read_text(encoding="utf-8")
IR = (ROOT / "examples/openvino/digits.xml").read_text(encoding="utf-8")
WRONG_SYMBOL = SYMBOL.replace('"op": "null"', '"op": 3', 1)
WRONG_IR = IR.replace(' version="opset1"', "", 1)


def recipes(section: str, kind: str) -> list[str]:
    """Return the blocks of a kind in a section of the page."""
    parts = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")}
    (title,) = [title for title in parts if title.startswith(section)]
    found = re.findall(rf"^```{kind}\n(.*?)^```$", parts[title], re.MULTILINE | re.DOTALL)
    assert found, f"no recipe in {kind} for {section}"
    return found


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the files that recipes name: right ones."""
    (tmp_path / "net-symbol.json").write_text(SYMBOL)
    (tmp_path / "model.xml").write_text(IR)
    return tmp_path


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address at which the schemas are published here."""
    with served(ROOT / "schemas") as address:
        yield address


def path() -> str:
    """A PATH with the programs of this Python and of node."""
    modules = os.environ.get("IRLINT_NODE_MODULES")
    programs = [str(Path(sys.executable).parent), *([f"{modules}/.bin"] if modules else []), os.environ.get("PATH", "")]
    return os.pathsep.join(programs)


def accepts(script: str, folder: Path) -> bool:
    """Run a recipe for the shell; the packages that it installs are those of the tests."""
    lines = [line for line in script.splitlines() if not line.startswith("pip install")]
    done = shell("\n".join(lines), folder, environment(PATH=path()))
    assert done.returncode in (0, 1, 3), done.stderr  # 3: xmllint's invalid
    return done.returncode == 0


def spoil(folder: Path) -> None:
    assert WRONG_SYMBOL != SYMBOL
    assert WRONG_IR != IR
    (folder / "net-symbol.json").write_text(WRONG_SYMBOL)
    (folder / "model.xml").write_text(WRONG_IR)


def needs(program: str) -> None:
    if shutil.which(program, path=path()) is None:
        pytest.skip(f"{program} is not installed (make elsewhere)")


def test_every_schema_is_on_the_page() -> None:
    names = {path.name for path in (ROOT / "schemas").glob("*.schema.json")}
    names |= {path.name for path in (ROOT / "schemas").glob("*.xsd")} | {"catalog.json", "catalog.xml"}
    assert names == set(re.findall(r"`([\w-]+\.(?:schema\.json|json|xsd|xml))`", PAGE)) - {
        "jsonSchemas.xml",
        "genai_config.json",
    }
    used = re.findall(rf"{re.escape(SITE)}([\w.-]+)", PAGE)
    assert set(used) == names, "each is listed with its address"


def test_the_patterns_of_the_page_are_those_of_the_catalog() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([^|]*) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    shown = {
        name: set(re.findall("`([^`]+)`", patterns))
        for patterns, cell in rows
        for name in re.findall("`([^`]+)`", cell)
    }
    for entry in json.loads((ROOT / "schemas/catalog.json").read_text())["schemas"]:
        expected = {pattern for pattern in entry["fileMatch"] if not pattern.endswith(".yml")}
        assert shown[entry["url"].rpartition("/")[2]] == expected


def test_schemas_are_written(here: Path) -> None:
    (script,) = recipes("Get a schema", "sh")
    assert accepts(script, here)
    assert (here / "mxnet-symbol.schema.json").read_bytes() == (ROOT / "schemas/mxnet-symbol.schema.json").read_bytes()
    assert etree.XMLSchema(etree.parse(str(here / "openvino-ir-11.xsd"))).validate(etree.parse(str(here / "model.xml")))


def test_check_jsonschema(here: Path, site: str) -> None:
    needs("check-jsonschema")
    script = recipes("check-jsonschema", "sh")[0].replace(SITE, site)
    assert accepts(script, here)
    spoil(here)
    assert not accepts(script, here)


def test_the_hook_of_check_jsonschema(here: Path, site: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    needs("check-jsonschema")
    needs("pre-commit")
    (text,) = recipes("check-jsonschema", "yaml")
    ((repository,),) = read_yaml("", text.encode()).values.values()
    if not ONLINE:
        text = text.replace(repository["repo"], str(_hooks(tmp_path_factory.mktemp("hooks"), repository["rev"])))
    (here / ".pre-commit-config.yaml").write_text(text.replace(SITE, site))
    (here / "other.json").write_text("{}")
    git(here, "init", "--quiet")
    script = "pre-commit run --all-files"
    env = environment(PATH=path(), PRE_COMMIT_HOME=str(tmp_path_factory.mktemp("home")), GIT_CONFIG_GLOBAL=os.devnull)
    for is_right in (True, False):
        if not is_right:
            spoil(here)
        commit_all(here, "a symbol")
        done = shell(script, here, env)
        assert done.returncode == (0 if is_right else 1), done.stdout + done.stderr
        assert f"MXNet symbols{'.' * 20}" in done.stdout
        assert ("net-symbol.json" in done.stdout) == (not is_right)


def _hooks(folder: Path, tag: str) -> Path:
    """Return a repository with the hook of check-jsonschema, for the program that is installed."""
    hook = {"id": "check-jsonschema", "name": "check", "entry": "check-jsonschema", "language": "system"}
    (folder / ".pre-commit-hooks.yaml").write_text(json.dumps([{**hook, "types_or": ["json", "yaml"]}]))
    git(folder, "init", "--quiet")
    commit_all(folder, "the hook")
    git(folder, "tag", tag)
    return folder


def test_ajv(here: Path) -> None:
    needs("ajv")  # the program of the package ajv-cli, which npx would fetch
    script = recipes("ajv", "sh")[0].replace("npx ajv-cli", "ajv")
    assert accepts(script, here)
    spoil(here)
    assert not accepts(script, here)


@pytest.mark.parametrize("number", [0, 1], ids=["file", "catalog"])
def test_xmllint(here: Path, number: int) -> None:
    needs("xmllint")
    script = recipes("xmllint", "sh")[number].replace("xmllint ", "xmllint --nonet ")
    assert accepts(script, here)
    spoil(here)
    assert not accepts(script, here)


@pytest.mark.parametrize("number", [0, 1], ids=["jsonschema", "lxml"])
def test_python(here: Path, number: int) -> None:
    script, library = recipes("Python", "python")[number], ("jsonschema", "lxml")[number]
    import_module(library)
    assert len(script.strip().splitlines()) <= 6
    assert accepts(recipes("Get a schema", "sh")[0], here)
    assert _said(script, here) == ""
    spoil(here)
    assert re.search(r"3 is not of type 'string'|attribute 'version' is required", _said(script, here))


def _said(script: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


def _settings() -> dict[str, Any]:
    (text,) = recipes("VS Code", "json")
    settings = json.loads(text)
    assert set(settings) == {"json.schemas", "yaml.schemas", "xml.fileAssociations"}
    return settings


def test_vs_code_with_json_and_yaml(here: Path) -> None:
    modules = os.environ.get("IRLINT_NODE_MODULES")
    if not modules or not Path(modules, "yaml-language-server").is_dir():
        pytest.skip("no language services of VS Code here (make elsewhere)")
    (here / "wrong-symbol.json").write_text(WRONG_SYMBOL)
    (here / "package.json").write_text('{"nodes": 3}')
    (here / "irlint.yaml").write_text("select: [A]\n")
    (here / ".irlint.yaml").write_text("selct: [A]\n")
    files = sorted(str(file) for file in here.iterdir() if file.suffix != ".xml")
    published = {SITE + file.name: str(file) for file in (ROOT / "schemas").iterdir()}
    (here / "job").write_text(json.dumps({"settings": _settings(), "files": files, "published": published}))
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("editor.cjs")), str(here / "job")],
        env={**os.environ, "NODE_PATH": modules}, capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    problems = {Path(file).name: messages for file, messages in json.loads(done.stdout).items()}
    assert {name for name, messages in problems.items() if messages} == {"wrong-symbol.json", ".irlint.yaml"}
    assert "selct" in problems[".irlint.yaml"][0]


def test_vs_code_with_xml() -> None:
    """A pattern that begins with no slash or wildcard holds in every folder; `*` ends at a slash."""
    (association,) = _settings()["xml.fileAssociations"]
    assert set(association) == {"pattern", "systemId"}
    assert not association["pattern"].startswith(("*", "/", "**"))
    assert fnmatch.fnmatch("models/digits.xml", association["pattern"])
    assert not fnmatch.fnmatch("pom.xml", association["pattern"])
    schema = _published(association["systemId"])
    assert schema.validate(etree.fromstring(IR.encode()))
    assert not schema.validate(etree.fromstring(WRONG_IR.encode()))


def _published(address: str) -> etree.XMLSchema:
    """Return the XSD of an address by the published catalog."""
    catalog = etree.parse(str(ROOT / "schemas/catalog.xml"))
    name = {"c": "urn:oasis:names:tc:entity:xmlns:xml:catalog"}
    (found,) = catalog.xpath(f"//c:system[@systemId='{address}']/@uri", namespaces=name)
    return etree.XMLSchema(etree.parse(str(ROOT / "schemas" / found)))


def test_the_mapping_of_jetbrains() -> None:
    mapping, _ = recipes("IntelliJ", "xml")
    project = etree.fromstring(mapping.encode())
    (component,) = project.findall("component")
    assert component.get("name") == "JsonSchemaMappingsProjectConfiguration"
    (schema,) = project.iter("SchemaInfo")
    options = {option.get("name"): option.get("value") for option in schema.findall("option")}
    assert project.xpath("//entry/@key") == [options["name"]]
    items = [{option.get("name"): option.get("value") for option in item} for item in schema.iter("Item")]
    (catalog,) = [
        entry
        for entry in json.loads((ROOT / "schemas/catalog.json").read_text())["schemas"]
        if entry["url"] == options["relativePathToSchema"]
    ]
    assert items == [{"pattern": "true", "path": path, "mappingKind": "Pattern"} for path in catalog["fileMatch"]]


def test_an_ir_that_names_its_schema(here: Path) -> None:
    """It is as valid as without, to irlint too."""
    _, start = recipes("IntelliJ", "xml")
    text = re.sub("<net .*?>\n", start, IR, count=1, flags=re.DOTALL)
    assert text.count(SITE) == 1
    root = etree.fromstring(text.encode())
    (address,) = root.xpath("@*[local-name() = 'noNamespaceSchemaLocation']")
    assert _published(address).validate(root)
    codes = [[finding.code for finding in engine.lint(ir, "digits.xml").findings] for ir in (text, IR)]
    assert codes[0] == codes[1]
