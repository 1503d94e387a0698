"""Models with findings by schemas of a configuration, what the command line reports of them, and the validators for an interpreter.

schemas.py FOLDER SITE_PACKAGES: the .vsix does not hold jsonschema and lxml; a user installs them.
"""

import json
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lsp.binaries import DIGITS, binary
from lsp.samples import nnvm, openvino

VALIDATORS = ("jsonschema", "jsonschema-specifications", "referencing", "rpds-py", "attrs", "typing-extensions", "lxml")
NAMES = {
    "properties": {
        "nodes": {"items": {"properties": {"name": {"pattern": "_v[0-9]$", "description": "Names end with a version"}}}}
    }
}
PLAN = {"properties": {"epochs": {"type": "integer"}}, "required": ["name"]}
NET = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="net"><xs:complexType>
    <xs:sequence><xs:any processContents="skip" maxOccurs="unbounded"/></xs:sequence>
    <xs:attribute name="name"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="ours-.*"/></xs:restriction></xs:simpleType></xs:attribute>
    <xs:attribute name="version"/>
  </xs:complexType></xs:element>
</xs:schema>
"""
CONFIG = {
    "weights": "optional",
    "select": ["T008"],
    "schemas": [
        {"schema": "names.schema.json", "of": "graph", "severity": "warning"},
        {"schema": "plan.schema.json", "files": "*.plan.json"},
        {"schema": "net.xsd", "files": "*.xml", "severity": "info"},
    ],
}  # fmt: skip

folder, packages = Path(sys.argv[1]), Path(sys.argv[2])
folder.mkdir()
(folder / "irlint.yaml").write_text(json.dumps(CONFIG))
(folder / "names.schema.json").write_text(json.dumps(NAMES))
(folder / "plan.schema.json").write_text(json.dumps(PLAN))
(folder / "net.xsd").write_text(NET)
(folder / "own-symbol.json").write_text(nnvm(), encoding="utf-8")
(folder / "own.xml").write_text(openvino(), encoding="utf-8")
(folder / "own.onnx").write_bytes(binary(DIGITS))
(folder / "own.plan.json").write_text('{"epochs": "ten"}\n')
command = [sys.executable, "-m", "irlint", "check", ".", "--output-format", "json", "--show-all", "--no-cache"]
done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
if done.returncode != 1:
    sys.exit(done.stderr or "irlint reports nothing")
(folder / "findings.txt").write_text(done.stdout)

for name in VALIDATORS:
    for file in distribution(name).files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), packages / file)
