"""The official tests of JSON Schema give jsonschema's verdicts through `schemas:` of a configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing import jsonschema as specifications
from referencing.exceptions import NoSuchResource

from irlint.config.find import Configurations
from irlint.engine import lint
from user_schemas.suite import DRAFTS, HOST, cases, unpacked

DIALECTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("suite"))


@pytest.mark.parametrize("draft", DRAFTS)
def test_verdicts(draft: str, suite: Path, tmp_path: Path) -> None:
    host = tmp_path.resolve().as_uri()
    remotes = {}
    for path in (suite / "remotes").rglob("*.json"):
        name = path.relative_to(suite / "remotes")
        if name.parts[0].startswith("draft") and name.parts[0] != draft:
            continue
        text = path.read_text("utf-8").replace(HOST, host)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
        remotes[f"{host}/{name.as_posix()}"] = json.loads(text)
    entries, found = [], []
    for number, (name, case) in enumerate(cases(suite, draft)):
        schema = json.loads(json.dumps(case["schema"]).replace(HOST, host))
        if isinstance(schema, dict):
            schema.setdefault("$schema", DIALECTS[draft])
        (tmp_path / f"case-{number}.schema.json").write_text(json.dumps(schema), "utf-8")
        entries.append({"schema": f"case-{number}.schema.json", "files": f"case-{number}-*.json"})
        found.append((name, schema, case["tests"]))
    (tmp_path / "irlint.yaml").write_text(json.dumps({"schemas": entries}), "utf-8")
    config = Configurations().of_folder(str(tmp_path))
    wrong, count = [], 0
    for number, (name, schema, tests) in enumerate(found):
        for k, test in enumerate(tests):
            path = str(tmp_path / f"case-{number}-{k}.json")
            findings = lint(json.dumps(test["data"]), path, config.settings(path)).findings
            if _is_valid(schema, test["data"], DIALECTS[draft], remotes) != (not findings):
                wrong.append((name, test["description"], test["data"], [f.message for f in findings]))
            count += 1
    assert not wrong, (len(wrong), count, wrong[:10])
    assert count > 500


def _is_valid(schema: Any, value: Any, dialect: str, remotes: dict[str, Any]) -> bool:
    specification = specifications.specification_with(dialect)

    def retrieve(uri: str) -> Any:
        if uri not in remotes:
            raise NoSuchResource(uri)
        return Resource.from_contents(remotes[uri], default_specification=specification)

    default = jsonschema.validators.validator_for({"$schema": dialect})
    kind = jsonschema.validators.validator_for(schema, default=default)
    return bool(kind(schema, registry=Registry(retrieve=retrieve)).is_valid(value))
