"""A small IR for the rules about shapes: a convolution, a sum, a reshape."""

from __future__ import annotations

IR = """\
<net name="small" version="11">
  <layers>
    <layer id="0" name="image" type="Parameter" version="opset1">
      <data shape="1,3,8,8" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output>
    </layer>
    <layer id="1" name="filters" type="Parameter" version="opset1">
      <data shape="4,3,3,3" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>4</dim><dim>3</dim><dim>3</dim><dim>3</dim></port></output>
    </layer>
    <layer id="2" name="conv" type="Convolution" version="opset1">
      <data strides="1,1" dilations="1,1" pads_begin="0,0" pads_end="0,0" auto_pad="explicit"/>
      <input>
        <port id="0"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port>
        <port id="1"><dim>4</dim><dim>3</dim><dim>3</dim><dim>3</dim></port>
      </input>
      <output><port id="2" precision="FP32"><dim>1</dim><dim>4</dim><dim>6</dim><dim>6</dim></port></output>
    </layer>
    <layer id="3" name="act" type="SoftMax" version="opset8">
      <data axis="1"/>
      <input><port id="0"><dim>1</dim><dim>4</dim><dim>6</dim><dim>6</dim></port></input>
      <output><port id="1" precision="FP32"><dim>1</dim><dim>4</dim><dim>6</dim><dim>6</dim></port></output>
    </layer>
    <layer id="4" name="out" type="Result" version="opset1">
      <input><port id="0"><dim>1</dim><dim>4</dim><dim>6</dim><dim>6</dim></port></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
    <edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
  </edges>
</net>
"""
