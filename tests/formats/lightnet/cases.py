"""One change each to a base model, with the part of the file that is wrong then and how the real LightNet takes it.

Outcomes: "error" (refuses it or crashes, when it loads, compiles or runs for the cpu), "ok" (runs it although something is
wrong), "valid" (nothing is wrong).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .layout import Pairs, Path
from .models import create, model, op, show

Change = Callable[[dict[str, Any]], Path]


class Case(NamedTuple):
    name: str
    base: str
    outcome: str
    change: Change

    def document(self) -> tuple[Any, Path]:
        """The changed document, and the path of what is wrong in it."""
        document = copy.deepcopy(model(self.base))
        path = self.change(document)
        return document.get(ROOT, document), path


ROOT = "\0"  # the key under which a change leaves another root

_LISTS = {"in": "tensors_in", "out": "tensors_out"}


def find(document: dict[str, Any], name: str) -> int:
    return next(i for i, each in enumerate(document["ops"]) if each["name"] == name)


def _where(document: dict[str, Any], part: str) -> Path:
    """ "cut" (the operator), "cut.optype", "cut.in" (the list), "cut.in.src" (the entry), "cut.params.axis"."""
    name, *rest = part.split(".")
    i = find(document, name)
    path: Path = ("ops", i)
    if rest:
        path += (_LISTS.get(rest[0], rest[0]),)
    if len(rest) > 1:
        entries = document["ops"][i][path[2]]
        path += (next(k for k, entry in enumerate(entries) if entry["arg_name"] == rest[1]),)
    return path


def get(document: Any, path: Sequence[Any]) -> Any:
    for step in path:
        document = document[step]
    return document


def value(part: str, new: Any) -> Change:
    """A parameter ("cut.axis") gets another value."""
    name, _, parameter = part.partition(".")

    def change(document: dict[str, Any]) -> Path:
        path = (*_where(document, f"{name}.params.{parameter}"), "value")
        get(document, path[:-1])["value"] = new
        return path

    return change


def item(part: str, key: str, new: Any) -> Change:
    """A member of an operator or of an entry gets another value."""

    def change(document: dict[str, Any]) -> Path:
        path = _where(document, part)
        get(document, path)[key] = new
        return (*path, key)

    return change


def lacking(part: str, key: str) -> Change:
    def change(document: dict[str, Any]) -> Path:
        path = _where(document, part)
        del get(document, path)[key]
        return path

    return change


def without(part: str) -> Change:
    """An entry is missing; what is wrong is its list."""

    def change(document: dict[str, Any]) -> Path:
        path = _where(document, part)
        del get(document, path[:-1])[path[-1]]
        return (*path[:-1], "key")

    return change


def entry(part: str, new: dict[str, Any]) -> Change:
    """A list has one entry more."""

    def change(document: dict[str, Any]) -> Path:
        path = _where(document, part)
        get(document, path).append(new)
        return (*path, len(get(document, path)) - 1, "arg_name")

    return change


def key(part: str, old: str, new: str) -> Change:
    """A key is spelled otherwise."""

    def change(document: dict[str, Any]) -> Path:
        path = _where(document, part) if part else ()
        holder = get(document, path)
        members = [(new if k == old else k, v) for k, v in holder.items()]
        holder.clear()
        holder.update(members)
        return (*path, new, "key")

    return change


def twice(part: str, name: str, again: Any, first: bool = False) -> Change:
    """A key stands there twice."""

    def change(document: dict[str, Any]) -> Path:
        path = _where(document, part) if part else ()
        members = list(get(document, path).items())
        members.insert(0 if first else len(members), (name, again))
        if path:
            get(document, path[:-1])[path[-1]] = Pairs(members)
        else:
            document[ROOT] = Pairs(members)
        return (*path, name, "key")

    return change


def top(name: str, new: Any) -> Change:
    def change(document: dict[str, Any]) -> Path:
        document[name] = new
        return (name,)

    return change


def instead(new: Any) -> Change:
    """Another root."""

    def change(document: dict[str, Any]) -> Path:
        document[ROOT] = new(document) if callable(new) else new
        return ()

    return change


def more(part: str, *ops: dict[str, Any]) -> Change:
    """Further operators at the end; `part` says what of the last one is wrong."""

    def change(document: dict[str, Any]) -> Path:
        document["ops"] += copy.deepcopy(ops)
        path = _where(document, part)
        return (*path, "value" if path[2] == "params" else "name") if len(path) == 4 else path

    return change


def moved(name: str, to: int, part: str) -> Change:
    def change(document: dict[str, Any]) -> Path:
        document["ops"].insert(to, document["ops"].pop(find(document, name)))
        return (*_where(document, part), "name")

    return change


def both(*changes: Change) -> Change:
    """Several changes; the last one is what is wrong."""

    def change(document: dict[str, Any]) -> Path:
        return [each(document) for each in changes][-1]

    return change


def _relu(name: str, source: str, result: str) -> dict[str, Any]:
    return op(name, "relu", {"src": source}, {"dst": result})


def _structure() -> list[Case]:
    e, o, v = "error", "ok", "valid"
    rows: list[tuple[str, str, Change]] = [
        ("top array", e, instead(lambda document: document["ops"])),
        ("no ops", e, key("", "ops", "operators")),
        ("ops empty", o, top("ops", [])),
        ("ops in capitals", o, key("", "ops", "OPS")),
        ("unknown top key", o, top("version", 1)),
        ("ops twice, the second empty", o, twice("", "ops", [])),
        ("ops twice, the first empty", o, twice("", "ops", [], first=True)),
        ("mem_sizes of zeros", v, both(top("mem_sizes_h", [0, 0]), top("mem_sizes_l", [0, 0]))),
        ("half of mem_sizes", o, top("mem_sizes_l", "x")),
        ("mem_sizes with a string", e, both(top("mem_sizes_h", [0, 0]), top("mem_sizes_l", [0, "x"]))),
        ("mem_sizes of one", e, both(top("mem_sizes_l", [0]), top("mem_sizes_h", [0]))),
        ("op is an empty object", e, lambda d: (d["ops"].insert(1, {}), ("ops", 1))[1]),
        ("op is null", e, lambda d: (d["ops"].insert(1, None), ("ops", 1))[1]),
        ("op is a string", e, lambda d: (d["ops"].insert(1, "x"), ("ops", 1))[1]),
        *((f"op lacks {name}", e, lacking("cut", name)) for name in ("name", "optype", "tensors_in", "tensors_out", "params")),
        ("misspelt op key", e, key("cut", "tensors_in", "tensor_in")),
        ("op key in other case", o, key("cut", "optype", "OpType")),
        ("unknown op key", o, item("cut", "comment", "x")),
        ("nested ops", o, item("cut", "ops", [])),
        ("optype twice", o, twice("cut", "optype", "unknown")),
        ("op name a number", e, item("cut", "name", 7)),
        ("op name empty", o, item("cut", "name", "")),
        ("op name long", o, item("cut", "name", "n" * 600)),
        ("op name with blanks", o, item("cut", "name", "a %s b")),
        ("optype a number", e, item("cut", "optype", 7)),
        ("tensors_in null", e, item("cut", "tensors_in", None)),
        ("tensors_in an object", e, item("cut", "tensors_in", {"arg_name": "src", "name": "whole"})),
        ("tensors_out null", e, item("show_part", "tensors_out", None)),
        ("params null", e, item("show_part", "params", None)),
        ("params an object", e, item("cut", "params", {"axis": 1})),
        ("tensor is a string", e, lambda d: (d["ops"][1]["tensors_in"].__setitem__(0, "whole"), ("ops", 1, "tensors_in", 0))[1]),
        ("tensor lacks arg_name", e, lacking("cut.in.src", "arg_name")),
        ("tensor lacks name", e, lacking("cut.in.src", "name")),
        ("tensor name null", e, item("cut.in.src", "name", None)),
        ("tensor name a number", e, item("cut.in.src", "name", 1)),
        ("arg_name a number", e, item("cut.in.src", "arg_name", 0)),
        ("other tensor key", o, item("cut.in.src", "dims", [9])),
        ("offset given", v, both(item("cut.out.dst", "offset_h", 0), item("cut.out.dst", "offset_l", 5))),
        ("half an offset", o, item("cut.out.dst", "offset_l", "x")),
        ("offset a string", e, both(item("cut.in.src", "offset_h", "0"), item("cut.in.src", "offset_l", "0"))),
        ("param lacks arg_name", e, lacking("cut.params.axis", "arg_name")),
        ("param lacks value", e, lacking("cut.params.axis", "value")),
        ("param arg_name a number", e, item("cut.params.axis", "arg_name", 0)),
        ("unknown param key", o, item("cut.params.axis", "comment", "x")),
        ("param value twice", o, twice("cut.params.axis", "value", 9)),
        ("value null", e, value("cut.axis", None)),
        ("value an object", e, value("cut.axis", {"x": 1})),
        ("value an empty list", e, value("make_whole.dims", [])),
        ("value a mixed list", e, value("make_whole.dims", [2, "4"])),
        ("value a list with null", e, value("make_whole.dims", [2, None])),
        ("value a nested list", e, value("make_whole.dims", [[2, 4]])),
        ("data row by row", e, value("make_whole.data", [[1, 2, 3, 4], [5, 6, 7, 8]])),
    ]  # fmt: skip
    return [Case(name, "small", outcome, change) for name, outcome, change in rows]


def _names() -> list[Case]:
    e, o, v = "error", "ok", "valid"
    rows: list[tuple[str, str, str, Change]] = [
        ("input undefined", "small", e, item("cut.in.src", "name", "whole9")),
        ("input in other case", "small", e, item("cut.in.src", "name", "Whole")),
        ("input is the output", "small", e, item("cut.in.src", "name", "part")),
        ("reader first", "small", e, moved("show_part", 0, "show_part.in.src")),
        ("reader before its constant", "small", e, moved("cut", 0, "cut.in.src")),
        ("two in a ring", "small", e, more("r1.in.src", _relu("r1", "v", "u"), _relu("r2", "u", "v"))),
        ("operator named twice", "small", e, item("show_part", "name", "cut")),
        ("tensor defined twice", "small", e, item("cut.out.dst", "name", "whole")),
        ("tensor created twice", "pairs", e, item("make_b.out.dst", "name", "a")),
        ("first of two tensors misnamed", "pairs", e, item("add.out.dst", "name", "row")),
        ("tensor created as another is", "pairs", e, item("make_a.out.dst", "name", "sum")),
        ("one tensor for two outputs", "pairs", e, item("where.out.arg", "name", "most")),
        ("operator named as a tensor", "small", v, item("cut", "name", "whole")),
        ("names not ASCII", "small", v, both(item("cut.out.dst", "name", "né"), item("show_part.in.src", "name", "né"))),
        ("tensor name empty", "small", o, both(item("show_part.in.src", "name", ""), item("cut.out.dst", "name", ""))),
        ("optype in other case", "small", e, item("cut", "optype", "Slice")),
        ("optype with a blank", "small", e, item("cut", "optype", "slice ")),
        ("optype unknown", "small", e, item("cut", "optype", "slices")),
        ("optype of the cpu", "small", e, item("cut", "optype", "slice_cpu")),
        ("optype of cuda", "small", e, item("cut", "optype", "slice_cuda")),
        ("no input", "small", e, without("cut.in.src")),
        ("input too many", "small", e, entry("cut.in", {"arg_name": "src2", "name": "whole"})),
        ("no output", "small", e, without("cut.out.dst")),
        ("output too many", "small", e, entry("cut.out", {"arg_name": "dst2", "name": "more"})),
        ("output of a print", "small", e, entry("show_part.out", {"arg_name": "dst", "name": "more"})),
        ("input misnamed", "small", e, item("cut.in.src", "arg_name", "source")),
        ("input named in capitals", "small", e, item("cut.in.src", "arg_name", "SRC")),
        ("output misnamed", "small", e, item("cut.out.dst", "arg_name", "out")),
        ("output named as the input", "small", e, item("cut.out.dst", "arg_name", "src")),
        ("parameter misnamed", "small", e, item("cut.params.len", "arg_name", "length")),
        ("parameter missing", "small", e, without("cut.params.len")),
        ("parameter too many", "small", e, entry("cut.params", {"arg_name": "step", "value": 1})),
        ("parameter twice", "small", e, entry("cut.params", {"arg_name": "axis", "value": 1})),
        ("parameter twice, one missing", "small", e, item("cut.params.len", "arg_name", "axis")),
        ("parameter of an operator without", "network", e, entry("act.params", {"arg_name": "slope", "value": 1})),
        ("create of an older version", "small", e, both(without("make_whole.params.ran"), without("make_whole.params.from_file"))),
        ("convolution without bias", "network", e, without("conv.in.bias")),
        ("parameter twice, one of another kind missing", "small", e, item("make_whole.params.data", "arg_name", "from_file")),
        ("input twice, one missing", "pairs", e, item("add.in.src2", "arg_name", "src1")),
        ("input twice", "pairs", e, entry("add.in", {"arg_name": "src2", "name": "b"})),
        ("inputs in other order", "pairs", v, lambda d: (d["ops"][2]["tensors_in"].reverse(), ("ops", 2))[1]),
        ("parameters in other order", "small", v, lambda d: (d["ops"][1]["params"].reverse(), ("ops", 1))[1]),
        ("gather without src1", "rarities", e, item("stack.in.src1", "arg_name", "src0")),
        ("gather of nothing", "rarities", e, item("stack.in.src1", "name", "nothing")),
        ("scatter of nothing", "rarities", e, item("split.in.src", "name", "nothing")),
        ("gather twice", "rarities", e, item("stack.in.src2", "arg_name", "src1")),
    ]  # fmt: skip
    return [Case(name, base, outcome, change) for name, base, outcome, change in rows]


# base model: parameter: outcome: values that it may get
_VALUES: dict[str, dict[str, dict[str, list[Any]]]] = {
    "small": {
        "make_whole.dims": {
            "error": [
                [True, True], 8, ["2", "4"], [-1, 4], [2, 0], [1, 1, 1, 1, 1, 1, 1, 2, 4], [65536, 65536],
                [65536, 32768], [99999999999, 4],
            ],
            "ok": [[2.7, 4]],
        },
        "make_whole.from_file": {"error": [[False], None, 0, "false", "true"], "ok": [True]},
        "cut.axis": {"error": [[1], True, "1", 2, 10**18, -1], "valid": [1.0], "ok": [1.9]},
        "cut.start": {"error": [4, -1, 2]},
        "cut.len": {"error": [5, 0, -1, 0.5]},
        "show_part.msg": {"error": [["a"], 5], "valid": ["", "%s %d%%", "a // b"]},
        "make_whole.dtype": {"error": ["TL_DTYPE_INVALID", "tl_float", 1, "float32", "TL_HALF"], "valid": ["TL_BOOL"]},
        "make_whole.data": {"error": [list(range(5000))], "ok": [[1, 2, 3, 4, 5, 6, 7], [5]], "valid": [[0]]},
        "make_whole.ran": {"error": [[1, 0], [0, 0, 0]], "ok": [[5, 5]]},
    },
    "pairs": {
        "make_b.dims": {"error": [[1, 3], [6], [3, 2]]},
        "make_b.dtype": {"error": ["TL_INT32"]},
        "add.elew_op": {"error": ["sum", "TL_ADD"]},
        "join.axis": {"error": [2, -1]},
        "top.axis": {"error": [2]},
        "where.axis": {"error": [-1]},
        "leak.negslope": {"ok": [-0.5, 0]},
        "flat.dims": {"error": [[5], [-1], [1] * 8 + [6], [0, 6]]},
        "fit.dims": {"error": [[3], [0, 2]]},
        "fit.mode": {"error": ["TL_LINEAR", "bilinear"]},
        "grow.mode": {"error": ["TL_LINEAR", "NEAREST"]},
        "grow.scales": {"error": [[-2, 2], [0.2, 2], [0, 2], [2]]},
        "flip.axes": {"ok": [[1, 0, 2], [1]], "error": [[1, 100000000], [1, 2], [0, 0]]},
    },
    "network": {
        "norm.epsilon": {"ok": [-1, 0]},
        "make_gamma.dims": {"error": [[5]]},
        "make_sigma.dtype": {"error": ["TL_DOUBLE"]},
        "conv.autopad": {"ok": ["notset", "SAME"], "valid": ["SAME_UPPER"]},
        "make_bias.dims": {"error": [[4, 1], [3]]},
        "make_kernel.dims": {"error": [[4, 3, 3, 3]]},
        "conv.dilation": {"error": [[1, 0], [9, 9]]},
        "conv.group": {"error": [2, 0]},
        "conv.padding": {"error": [[-1, 1, 1, 1], [1, 1]]},
        "conv.size": {"error": [[5, 5]]},
        "make_image.dims": {"error": [[2, 8, 8]]},
        "conv.stride": {"error": [1, [0, 1]]},
        "make_kernel.dtype": {"ok": ["TL_INT8"]},
        "pool.autopad": {"ok": ["SAME_UPPER"]},
        "pool.size": {"error": [[0, 2], [20, 20]]},
        "soft.axis": {"error": [2]},
    },
    "vectors": {
        "count.stop": {"error": [0, 5]},
        "count.step": {"error": [-1, 0]},
        "count.dtype": {"error": ["TL_INT64"]},
        "sort.dir": {"error": ["TL_DESCENDING"]},
        "make_keys.dims": {"error": [[2, 3]]},
        "pick.len": {"error": [7, -3, 0]},
        "pick.stride": {"error": [0]},
        "centre.dtype": {"error": ["TL_BOOL", "TL_HALF"]},
        "centre.mean": {"error": [[1, 2]]},
        "make_photo.dims": {"error": [[1, 5, 6, 3]]},
        "none.dims": {"error": [[0], [1] * 8 + [6]]},
        "file.file": {"ok": ["no_such_folder/x.txt"]},
    },
}  # fmt: skip


def _values() -> list[Case]:
    return [
        Case(f"{part} = {new!r}"[:60], base, outcome, value(part, new))
        for base, parts in _VALUES.items()
        for part, outcomes in parts.items()
        for outcome, values in outcomes.items()
        for new in values
    ]


def _combined() -> list[Case]:
    e, o, v = "error", "ok", "valid"
    ratio = both(value("make_b.data", [6, 5, 0, 3, 2, 1]), value("add.elew_op", "TL_DIV"))
    whole = both(value("make_a.dtype", "TL_INT32"), value("make_b.dtype", "TL_INT32"), ratio)
    narrow = both(value("count.dtype", "TL_INT8"), value("count.stop", 300))
    ints = both(value("make_whole.data", [300, 2, 3, 4, 5, 6, 7, 8]), value("make_whole.dtype", "TL_INT8"))
    clobber = (
        op("again2", "rearange", {"src": "keys"}, {"dst": "keys2"}, start=0, stop=6, step=1),
        op("use", "dot_product", {"src1": "keys", "src2": "keys2"}, {"dst": "product"}),
    )

    def joined(first: str, second: str) -> dict[str, Any]:
        return op("j", "concat", {"src1": first, "src2": second}, {"dst": "jj"}, axis=0)

    unequal = op("wrong", "dot_product", {"src1": "picked", "src2": "norm"}, {"dst": "product"})
    return [
        Case("integer division by zero", "pairs", e, whole),
        Case("float division by zero", "pairs", e, ratio),
        Case("range beyond its type", "vectors", e, narrow),
        Case("number beyond its type", "small", o, ints),
        Case("read after rearange", "vectors", o, more("use.in.src1", *clobber)),
        Case("read after sort", "vectors", o, more("late.in.src", op("late", "print", {"src": "keys"}, {}, msg="k"))),
        Case("unequal lengths", "vectors", e, more("wrong.in.src2", unequal)),
        Case("print of a constant", "small", o, more("late", op("late", "print", {"src": "whole"}, {}, msg="w"))),
        Case("pick by floats", "vectors", e, item("pick.in.src_index", "name", "sorted")),
        Case("join on the axis that differs", "pairs", v, more("j", joined("joined", "a"))),
        Case("join of another rank", "pairs", e, more("j.in.src2", joined("a", "row"))),
        Case("join of another type", "pairs", e, more("j.in.src2", joined("most", "at"))),
        Case("reshape of a reshape", "pairs", v, more("r2", op("r2", "reshape", {"src": "row"}, {"dst": "r"}, dims=[2, 3]), show("r"))),
        Case("forward", "pairs", v, more("f2", op("f2", "forward", {"src": "row"}, {"dst": "f"}), show("f"))),
        Case("eight dimensions", "small", v, more("make_deep", create("deep", [1, 1, 1, 1, 1, 1, 2, 4]), show("deep"))),
        Case("gather of unequal shapes", "rarities", e, value("make_y.dims", [2, 4])),
        Case("scatter into too many", "rarities", e, entry("split.out", {"arg_name": "dst3", "name": "third"})),
        Case(
            "same padding below zero", "network", e,
            more(
                "conv_3.params.autopad",
                create("kernel3", [4, 4, 1, 1]),
                op(
                    "conv_3", "conv2d", {"src": "maps", "weight": "kernel3", "bias": "bias"}, {"dst": "maps3"},
                    group=1, size=[1, 1], stride=[2, 2], dilation=[1, 1], padding=[0, 0, 0, 0], autopad="SAME_UPPER",
                ),
                show("maps3"),
            ),
        ),
        Case("deconvolution on the cpu", "rarities", o, lambda d: (d.update(ops=d["ops"][8:12]), ("ops", 3, "optype"))[1]),
    ]  # fmt: skip


CASES = [*_structure(), *_names(), *_values(), *_combined()]
