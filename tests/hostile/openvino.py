"""An OpenVINO IR with very much of one thing."""

from __future__ import annotations

from collections.abc import Callable

from rule_cases.texts import OPENVINO

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


def _ir(old: str, new: Callable[[int], str]) -> Callable[[int], str]:
    assert old in OPENVINO
    return lambda size: OPENVINO.replace(old, new(size), 1)


def _add_ir(name: str, old: str, new: Callable[[int], str], size: int = 2000) -> None:
    FAMILIES[f"openvino {name}"] = Family("openvino", _ir(old, new), size)


_END = "</net>"
_DATA = '<data shape="1,3,8,8"'
_NAMES = '<port id="0" precision="FP32"'
_PARAMETER = '<layer id="9#" name="p#" type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>'
_RELU = '<layer id="9#" name="p#" type="ReLU" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim></port></input><output><port id="1" precision="FP32"><dim>1</dim></port></output></layer>'
_FIRST = '<edges><edge from-layer="0" from-port="0"'

_add_ir("attributes of net", "<net ", lambda n: "<net " + each(n, 'a#="" '))
_add_ir("attributes of data", _DATA, lambda n: _DATA + each(n, ' a#=""'))
_add_ir("attributes of a port", _NAMES, lambda n: _NAMES + each(n, ' a#=""'))
_add_ir("one attribute many times", _DATA, lambda n: _DATA + ' a="1"' * n)
_add_ir("commas in names", _NAMES, lambda n: _NAMES + ' names="' + "," * n + '"', 20000)
_add_ir("escaped commas in names", _NAMES, lambda n: _NAMES + ' names="a' + (chr(92) + ",") * n + '"', 20000)
_add_ir("names of one output", _NAMES, lambda n: _NAMES + ' names="' + each(n, "n#", ",") + '"', 20000)
_add_ir("a long name", 'name="scaled"', lambda n: 'name="' + "x" * n + '"', 400000)
_add_ir("a long shape", 'shape="1,3,8,8"', lambda n: 'shape="' + "1," * n + '1"', 10000)
_add_ir("a long odd value", 'shape="1,3,8,8"', lambda n: 'shape="' + "a" * n + '"', 200000)
_add_ir("a long type", 'type="Multiply"', lambda n: 'type="' + "M" * n + '"', 200000)
_add_ir("dimensions", "<dim>1</dim>", lambda n: "<dim>1</dim>" * n, 5000)
_add_ir("odd dimensions", "<dim>1</dim>", lambda n: "<dim>x</dim>" * n)
_add_ir("a long number", "<dim>1</dim>", lambda n: f"<dim>{'9' * n}</dim>", 100000)
_add_ir("references in a name", 'name="scaled"', lambda n: 'name="' + "&#1;" * n + '"', 20000)
_add_ir("long references", 'name="scaled"', lambda n: 'name="&#' + "9" * n + ';"', 200000)
_add_ir("bare ampersands", 'name="scaled"', lambda n: 'name="' + "&" * n + '"', 20000)
_add_ir("control characters", 'name="scaled"', lambda n: 'name="' + chr(1) * n + '"', 20000)
_add_ir("NUL characters", "</layers>", lambda n: "</layers>" + "\0" * n, 100000)
_add_ir("entities", "<net", lambda n: "<!DOCTYPE net [" + each(n, '<!ENTITY e# "&e@;&e@;">') + "]><net", 10000)
_add_ir("uses of an entity", _END, lambda n: f"<rt_info>{'<a>&e;</a>' * n}</rt_info>{_END}")
_add_ir("brackets in a DOCTYPE", "<net", lambda n: f"<!DOCTYPE net [{'<' * n}{'>' * n}]><net", 20000)
_add_ir("an open DOCTYPE", "<net", lambda n: "<!DOCTYPE " * n + "<net")
_add_ir("comments", "<layers>", lambda n: "<layers>" + "<!-- x -->" * n, 20000)
_add_ir("odd comments", "<layers>", lambda n: f"<layers><!-- {'--' * n} -->", 100000)
_add_ir("instructions", "<layers>", lambda n: "<layers>" + "<?x y?>" * n, 20000)
_add_ir("pieces of CDATA", "<dim>1</dim>", lambda n: f"<dim>{'<![CDATA[1]]>' * n}</dim>", 5000)
_add_ir("depth", _END, lambda n: f"<rt_info>{'<a>' * n}{'</a>' * n}</rt_info>{_END}", 5000)
_add_ir("depth that is not closed", _END, lambda n: "<a>" * n, 5000)
_add_ir("end tags", _END, lambda n: "</a>" * n + _END, 5000)
_add_ir("start tags that are cut", "<layers>", lambda n: "<layers>" + "<a " * n, 5000)
_add_ir("quotes", "<layers>", lambda n: "<layers>" + '<a b="' * n, 5000)
_add_ir("angles", "<layers>", lambda n: "<layers>" + "<" * n, 20000)
_add_ir("runtime information", _END, lambda n: "<rt_info>" + each(n, '<a# value="#"/>') + "</rt_info></net>", 5000)
_add_ir("unknown elements", "</layers>", lambda n: each(n, "<a#/>") + "</layers>")
_add_ir("unknown sections", _END, lambda n: each(n, "<a#/>") + _END)
_add_ir("sections", _END, lambda n: "<layers><x/></layers>" * n + _END)
_add_ir("roots", _END, lambda n: _END + "<net/>" * n, 5000)
_add_ir("inputs that nobody reads", "</layers>", lambda n: each(n, _PARAMETER) + "</layers>", 500)
_add_ir("layers that nothing feeds", "</layers>", lambda n: each(n, _RELU) + "</layers>", 500)
_add_ir("layers of one id", "</layers>", lambda n: each(n, _RELU.replace("9#", "9")) + "</layers>", 500)
_add_ir(
    "edges to one port",
    "<edges>",
    lambda n: "<edges>" + '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>' * n,
)
_add_ir(
    "edges to nowhere",
    "<edges>",
    lambda n: "<edges>" + each(n, '<edge from-layer="0" from-port="0" to-layer="9#" to-port="0"/>'),
)
_add_ir(
    "ports that nobody feeds",
    "<output>",
    lambda n: "<input>" + each(n, '<port id="9#" precision="FP32"><dim>1</dim></port>') + "</input><output>",
)
_add_ir("ports of one id", "<output>", lambda n: "<output>" + '<port id="7" precision="FP32"><dim>1</dim></port>' * n)
_add_ir("suppressions", "<layers>", lambda n: "<layers>" + "<!-- irlint: ignore[G001] -->" * n)
_add_ir("suppressions that do not end", "<layers>", lambda n: "<layers>" + "<!-- irlint: ignore " * n, 5000)


def _bodies(size: int) -> str:
    """Graphs in graphs, as deep as elements are kept."""
    head = '<layer id="9" name="l" type="Loop" version="opset5"><body><layers>'
    one = head * 100 + "</layers></body></layer>" * 100
    return OPENVINO.replace("</layers>", one * size + "</layers>", 1)


FAMILIES["openvino bodies in bodies"] = Family("openvino", _bodies, 4)
