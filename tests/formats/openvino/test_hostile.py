"""Files made to hurt: an answer in bounded time and memory, or the subprocess that asks for it is ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .models import model

LIMIT = 120  # seconds; each takes a few at the very most
SCRIPT = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from pathlib import Path
from irlint import engine
path = Path(sys.argv[1])
result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
print(json.dumps([[f.code, str(f.severity)] for f in result.findings]))
"""


def text() -> str:
    return model("opset1.Add").text


def entities() -> str:
    inner = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 12))
    return (
        text()
        .replace("<net ", f'<!DOCTYPE net [<!ENTITY a0 "ha">{inner}]><net ', 1)
        .replace('name="op"', 'name="&a11;"')
    )


HOSTILE = {
    "entity bomb": entities,
    "a million nested elements": lambda: '<net name="a" version="11"><layers>' + "<a>" * 1_000_000,
    "a million nested bodies": lambda: (
        '<net name="a" version="11"><layers>' + '<layer id="0" name="l" type="Loop" version="opset5"><body>' * 100_000
    ),
    "an attribute of 11 MB": lambda: text().replace('name="op"', f'name="{"x" * 11_000_000}"'),
    "twenty thousand attributes": lambda: text().replace(
        "<layers>", "<layers " + " ".join(f'a{k}="1"' for k in range(20_000)) + ">"
    ),
    "five million axes": lambda: text().replace('shape="2,3"', f'shape="{"2," * 5_000_000}2"'),
    "edges to layers that are not there": lambda: text().replace(
        "<edges>",
        "<edges>"
        + "".join(f'<edge from-layer="{k}" from-port="0" to-layer="2" to-port="0"/>' for k in range(9, 20_009)),
    ),
    "a shape beyond 64 bits": lambda: text().replace('shape="2,3"', 'shape="4294967296,4294967296,3"'),
    "an axis of 10000 digits": lambda: text().replace('id="0"', f'id="{"9" * 10_000}"', 1),
    "twenty thousand layers of one id": lambda: text().replace(
        "</layers>", '<layer id="0" name="a" type="ReLU" version="opset1"/>' * 20_000 + "</layers>"
    ),
    "bare brackets": lambda: "<net version='11'>" + "<" * 1_000_000,
    "quotes": lambda: "<net version='11' " + "a='" * 500_000,
    "instructions before no root": lambda: "<?a b?>" * 9_000 + "<net" * 2 + "<",
    "comments before no root": lambda: "<!-- a - b -->\n" * 4_000 + "<",
    "text before no root": lambda: "\n" * 60_000 + "<net><",
    "comments": lambda: "<net version='11'>" + "<!--" * 500_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(HOSTILE[name]())
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert json.loads(done.stdout) or name in ("an attribute of 11 MB", "five million axes")
