"""Samples of an IR of version 11, of version 10, and of one of the versions before."""

from __future__ import annotations

from irlint.formats.samples import Sample

OPENVINO = """\
<?xml version="1.0"?>
<net name="sample" version="11">
	<layers>
		<layer id="0" name="image" type="Parameter" version="opset1">
			<data shape="1,3,8,8" element_type="f32"/>
			<output>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</output>
		</layer>
		<layer id="1" name="scale" type="Const" version="opset1">
			<data element_type="f32" shape="1, 3, 1, 1" offset="0" size="12"/>
			<output>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>1</dim>
					<dim>1</dim>
				</port>
			</output>
		</layer>
		<layer id="2" name="scaled" type="Multiply" version="opset1">
			<data auto_broadcast="numpy"/>
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
				<port id="1" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>1</dim>
					<dim>1</dim>
				</port>
			</input>
			<output>
				<port id="2" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</output>
		</layer>
		<layer id="3" name="classes" type="SoftMax" version="opset8">
			<data axis="1"/>
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</input>
			<output>
				<port id="1" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</output>
		</layer>
		<layer id="4" name="result" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
		<edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
	</edges>
	<rt_info/>
</net>
"""

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
