"""Protobuf's wire format, read and written with every byte that need not change; here are the messages of ONNX's schema.

Their fields have names and numbers. Paths of places are made of these names.
"""

from __future__ import annotations

from irlint.text.prototext.messages import Field, messages

_SCHEMA = """
Model ir_version:1:int producer_name:2:string producer_version:3:string domain:4:string model_version:5:int doc_string:6:string
  graph:7:Graph opset_import:8:OperatorSetId* metadata_props:14:Entry* training_info:20:TrainingInfo* functions:25:Function*
  configuration:26:DeviceConfiguration*
Graph node:1:Node* name:2:string initializer:5:Tensor* doc_string:10:string input:11:ValueInfo* output:12:ValueInfo*
  value_info:13:ValueInfo* quantization_annotation:14:Annotation* sparse_initializer:15:SparseTensor* metadata_props:16:Entry*
Node input:1:string* output:2:string* name:3:string op_type:4:string attribute:5:Attribute*! doc_string:6:string domain:7:string
  overload:8:string metadata_props:9:Entry* device_configurations:10:NodeDeviceConfiguration*
Attribute name:1:string f:2:float i:3:int s:4:bytes t:5:Tensor g:6:Graph floats:7:float* ints:8:int* strings:9:bytes*
  tensors:10:Tensor* graphs:11:Graph* doc_string:13:string tp:14:Type type_protos:15:Type* type:20:AttributeType ref_attr_name:21:string
  sparse_tensor:22:SparseTensor sparse_tensors:23:SparseTensor*
ValueInfo name:1:string type:2:Type! doc_string:3:string metadata_props:4:Entry*
Tensor dims:1:int* data_type:2:int~ segment:3:Segment float_data:4:float* int32_data:5:int*~ string_data:6:bytes* int64_data:7:int*
  name:8:string raw_data:9:bytes double_data:10:double* uint64_data:11:uint* doc_string:12:string external_data:13:Entry*
  data_location:14:DataLocation metadata_props:16:Entry*
SparseTensor values:1:Tensor indices:2:Tensor dims:3:int*
Segment begin:1:int end:2:int
Type (tensor_type:1:TensorType sequence_type:4:ElementType map_type:5:MapType opaque_type:7:Opaque sparse_tensor_type:8:TensorType
  optional_type:9:ElementType) denotation:6:string
TensorType elem_type:1:int~ shape:2:Shape
ElementType elem_type:1:Type
MapType key_type:1:int~ value_type:2:Type
Opaque domain:1:string name:2:string
Shape dim:1:Dimension*
Dimension (dim_value:1:int dim_param:2:string) denotation:3:string
OperatorSetId domain:1:string version:2:int
Entry key:1:string value:2:string
Annotation tensor_name:1:string quant_parameter_tensor_names:2:Entry*
TrainingInfo initialization:1:Graph algorithm:2:Graph initialization_binding:3:Entry* update_binding:4:Entry*
Function name:1:string input:4:string* output:5:string* attribute:6:string* node:7:Node* doc_string:8:string
  opset_import:9:OperatorSetId* domain:10:string attribute_proto:11:Attribute* value_info:12:ValueInfo* overload:13:string
  metadata_props:14:Entry*
DeviceConfiguration name:1:string num_devices:2:int~ device:3:string*
NodeDeviceConfiguration configuration_id:1:string sharding_spec:2:ShardingSpec* pipeline_stage:3:int~
ShardingSpec tensor_name:1:string device:2:int* index_to_device_group_map:3:IntIntListEntry* sharded_dim:4:ShardedDim*
IntIntListEntry key:1:int value:2:int*
ShardedDim axis:1:int simple_sharding:2:SimpleSharding*
SimpleSharding (dim_value:1:int dim_param:2:string) num_shards:3:int
"""
# What a type number of a tensor is called, here and in the textual form
ELEMENT_NAMES = {
    1: "float", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string", 9: "bool",
    10: "float16", 11: "double", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
    17: "float8e4m3fn", 18: "float8e4m3fnuz", 19: "float8e5m2", 20: "float8e5m2fnuz", 21: "uint4", 22: "int4",
    23: "float4e2m1", 24: "float8e8m0", 25: "uint2", 26: "int2", 27: "float6e2m3", 28: "float6e3m2",
}  # fmt: skip
ELEMENT_NUMBERS = {name: number for number, name in ELEMENT_NAMES.items()}
DTYPES = {  # as irlint names them
    **ELEMENT_NAMES, 1: "float32", 11: "float64", 17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2",
    20: "float8_e5m2fnuz", 23: "float4_e2m1fn", 24: "float8_e8m0fnu", 27: "float6_e2m3fn", 28: "float6_e3m2fn",
}  # fmt: skip
DTYPE_NUMBERS = {dtype: number for number, dtype in DTYPES.items()}

# What an attribute's type number is called, and the field that holds its value
ATTRIBUTE_TYPES = {
    1: ("float", "f"), 2: ("int", "i"), 3: ("string", "s"), 4: ("tensor", "t"), 5: ("graph", "g"), 6: ("floats", "floats"),
    7: ("ints", "ints"), 8: ("strings", "strings"), 9: ("tensors", "tensors"), 10: ("graphs", "graphs"),
    11: ("sparse_tensor", "sparse_tensor"), 12: ("sparse_tensors", "sparse_tensors"), 13: ("type_proto", "tp"),
    14: ("type_protos", "type_protos"),
}  # fmt: skip
# The attribute of Constant that has a value of a type. onnxruntime 1.32 takes the first attribute that a Constant has, whatever its name
CONSTANT_NAMES = {
    1: "value_float",
    2: "value_int",
    3: "value_string",
    4: "value",
    6: "value_floats",
    7: "value_ints",
    8: "value_strings",
    11: "sparse_value",
}
ATTRIBUTE_NUMBERS = {name: number for number, (name, _) in ATTRIBUTE_TYPES.items()}
_ENUMS = {  # the integers that have names in protobuf's own text formats
    "AttributeType": {**{name.upper(): number for name, number in ATTRIBUTE_NUMBERS.items()}, "UNDEFINED": 0},
    "DataLocation": {"DEFAULT": 0, "EXTERNAL": 1},
}
MESSAGES = messages(_SCHEMA, _ENUMS)
MODEL = MESSAGES["Model"]
# What checks call a part whose name depends on what is there: the value of an attribute, the data of a tensor
PARTS = {
    "value": tuple(field for _, field in ATTRIBUTE_TYPES.values()),
    "data": tuple(name for name in MESSAGES["Tensor"].fields if name.endswith("_data")),
}


def enum_name(field: Field, value: int) -> str | int:
    """Return the name of an enumeration's value; a value that has none as it is."""
    return next((name for name, number in (field.names or {}).items() if number == value), value)
