"""Samples of an IR of version 11, of version 10, and of one of the versions before."""

from __future__ import annotations

from irlint.formats.samples import Sample
from irlint.rules.samples import OPENVINO

_DIM = "<dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim>"
_LEGACY = f"""\
<?xml version="1.0"?>
<net name="sample" version="7" batch="1">
	<layers>
		<layer id="0" name="image" type="Input" precision="FP32">
			<output>
				<port id="0">{_DIM}</port>
			</output>
		</layer>
		<layer id="1" name="positive" type="ReLU" precision="FP32">
			<input>
				<port id="0">{_DIM}</port>
			</input>
			<output>
				<port id="1">{_DIM}</port>
			</output>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
	</edges>
</net>
"""
_NAMES = ("sample", "image", "scale", "scaled", "classes", "result")
_OLD = OPENVINO.replace('version="11"', 'version="10"').replace('version="opset8"', 'version="opset1"')

SAMPLES = (
    Sample("ir11", "model.xml", OPENVINO.encode(), _NAMES, {"model.bin": bytes(12)}),
    Sample("ir10", "ten.xml", _OLD.encode(), _NAMES, {"ten.bin": bytes(12)}),
    Sample("ir7", "seven.xml", _LEGACY.encode(), ("sample", "image", "positive"), codes=("C301",)),
)
