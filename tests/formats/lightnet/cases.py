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
        ("ops null", e, top("ops", None)),
        ("ops an object", e, top("ops", {"cut": {}})),
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
        ("input twice, one missing", "pairs", e, item("add.in.src2", "arg_name", "src1")),
        ("input twice", "pairs", e, entry("add.in", {"arg_name": "src2", "name": "b"})),
        ("inputs in other order", "pairs", v, lambda d: (d["ops"][2]["tensors_in"].reverse(), ("ops", 2))[1]),
        ("parameters in other order", "small", v, lambda d: (d["ops"][1]["params"].reverse(), ("ops", 1))[1]),
        ("result unread", "small", o, lambda d: (d["ops"].pop(), ("ops", 1, "tensors_out", 0, "name"))[1]),
        ("gather without src1", "rarities", e, item("stack.in.src1", "arg_name", "src0")),
        ("gather of nothing", "rarities", e, item("stack.in.src1", "name", "nothing")),
        ("scatter of nothing", "rarities", e, item("split.in.src", "name", "nothing")),
        ("gather twice", "rarities", e, item("stack.in.src2", "arg_name", "src1")),
    ]  # fmt: skip
    return [Case(name, base, outcome, change) for name, base, outcome, change in rows]


def _values() -> list[Case]:
    e, o, v = "error", "ok", "valid"
    rows: list[tuple[str, str, str, Any]] = [
        ("make_whole.dims", "small", e, [True, True]), ("make_whole.dims", "small", e, 8), ("make_whole.dims", "small", e, ["2", "4"]),
        ("make_whole.from_file", "small", e, [False]), ("make_whole.from_file", "small", e, None),
        ("make_whole.from_file", "small", e, 0), ("make_whole.from_file", "small", e, "false"), ("make_whole.from_file", "small", e, "true"),
        ("make_whole.from_file", "small", o, True),
        ("cut.axis", "small", e, [1]), ("cut.axis", "small", e, True), ("cut.axis", "small", e, "1"), ("cut.axis", "small", v, 1.0),
        ("cut.axis", "small", o, 1.9), ("cut.axis", "small", e, 2), ("cut.axis", "small", e, 10**18), ("cut.axis", "small", e, -1),
        ("cut.start", "small", e, 4), ("cut.start", "small", e, -1), ("cut.start", "small", e, 2), ("cut.len", "small", e, 5),
        ("cut.len", "small", e, 0), ("cut.len", "small", e, -1), ("cut.len", "small", e, 0.5),
        ("show_part.msg", "small", e, ["a"]), ("show_part.msg", "small", e, 5), ("show_part.msg", "small", v, ""),
        ("show_part.msg", "small", v, "%s %d%%"), ("show_part.msg", "small", v, "a // b"),
        ("make_whole.dtype", "small", e, "TL_DTYPE_INVALID"), ("make_whole.dtype", "small", e, "tl_float"),
        ("make_whole.dtype", "small", e, 1), ("make_whole.dtype", "small", e, "float32"), ("make_whole.dtype", "small", e, "TL_HALF"),
        ("make_whole.dtype", "small", v, "TL_BOOL"),
        ("make_whole.dims", "small", e, [-1, 4]), ("make_whole.dims", "small", e, [2, 0]), ("make_whole.dims", "small", e, [1, 1, 1, 1, 1, 1, 1, 2, 4]),
        ("make_whole.dims", "small", o, [2.7, 4]), ("make_whole.dims", "small", e, [65536, 65536]), ("make_whole.dims", "small", e, [65536, 32768]),
        ("make_whole.dims", "small", e, [99999999999, 4]),
        ("make_whole.data", "small", e, list(range(5000))), ("make_whole.data", "small", o, [1, 2, 3, 4, 5, 6, 7]),
        ("make_whole.data", "small", o, [5]), ("make_whole.data", "small", v, [0]),
        ("make_whole.ran", "small", e, [1, 0]), ("make_whole.ran", "small", e, [0, 0, 0]), ("make_whole.ran", "small", o, [5, 5]),
        ("make_b.dims", "pairs", e, [1, 3]), ("make_b.dtype", "pairs", e, "TL_INT32"), ("make_b.dims", "pairs", e, [6]),
        ("make_b.dims", "pairs", e, [3, 2]), ("add.elew_op", "pairs", e, "sum"), ("add.elew_op", "pairs", e, "TL_ADD"),
        ("join.axis", "pairs", e, 2), ("join.axis", "pairs", e, -1), ("top.axis", "pairs", e, 2), ("where.axis", "pairs", e, -1),
        ("leak.negslope", "pairs", o, -0.5), ("leak.negslope", "pairs", o, 0), ("flat.dims", "pairs", e, [5]), ("flat.dims", "pairs", e, [-1]),
        ("flat.dims", "pairs", e, [1] * 8 + [6]), ("flat.dims", "pairs", e, [0, 6]), ("fit.dims", "pairs", e, [3]), ("fit.dims", "pairs", e, [0, 2]),
        ("fit.mode", "pairs", e, "TL_LINEAR"), ("fit.mode", "pairs", e, "bilinear"), ("grow.mode", "pairs", e, "TL_LINEAR"),
        ("grow.mode", "pairs", e, "NEAREST"), ("grow.scales", "pairs", e, [-2, 2]), ("grow.scales", "pairs", e, [0.2, 2]),
        ("grow.scales", "pairs", e, [0, 2]), ("grow.scales", "pairs", e, [2]), ("flip.axes", "pairs", o, [1, 0, 2]), ("flip.axes", "pairs", o, [1]),
        ("flip.axes", "pairs", e, [1, 100000000]), ("flip.axes", "pairs", e, [1, 2]), ("flip.axes", "pairs", e, [0, 0]),
        ("norm.epsilon", "network", o, -1), ("norm.epsilon", "network", o, 0), ("make_gamma.dims", "network", e, [5]),
        ("make_sigma.dtype", "network", e, "TL_DOUBLE"), ("conv.autopad", "network", o, "notset"), ("conv.autopad", "network", o, "SAME"),
        ("conv.autopad", "network", v, "SAME_UPPER"), ("make_bias.dims", "network", e, [4, 1]), ("make_bias.dims", "network", e, [3]),
        ("make_kernel.dims", "network", e, [4, 3, 3, 3]), ("conv.dilation", "network", e, [1, 0]), ("conv.group", "network", e, 2),
        ("conv.group", "network", e, 0), ("conv.dilation", "network", e, [9, 9]), ("conv.padding", "network", e, [-1, 1, 1, 1]),
        ("conv.padding", "network", e, [1, 1]), ("conv.size", "network", e, [5, 5]), ("make_image.dims", "network", e, [2, 8, 8]),
        ("conv.stride", "network", e, 1), ("conv.stride", "network", e, [0, 1]), ("make_kernel.dtype", "network", o, "TL_INT8"),
        ("pool.autopad", "network", o, "SAME_UPPER"), ("pool.size", "network", e, [0, 2]), ("pool.size", "network", e, [20, 20]),
        ("soft.axis", "network", e, 2),
        ("count.stop", "vectors", e, 0), ("count.step", "vectors", e, -1), ("count.step", "vectors", e, 0), ("count.stop", "vectors", e, 5),
        ("count.dtype", "vectors", e, "TL_INT64"), ("sort.dir", "vectors", e, "TL_DESCENDING"), ("make_keys.dims", "vectors", e, [2, 3]),
        ("pick.len", "vectors", e, 7), ("pick.len", "vectors", e, -3), ("pick.len", "vectors", e, 0), ("pick.stride", "vectors", e, 0),
        ("centre.dtype", "vectors", e, "TL_BOOL"), ("centre.dtype", "vectors", e, "TL_HALF"), ("centre.mean", "vectors", e, [1, 2]),
        ("make_photo.dims", "vectors", e, [1, 5, 6, 3]), ("none.dims", "vectors", e, [0]), ("none.dims", "vectors", e, [1] * 8 + [6]),
        ("file.file", "vectors", o, "no_such_folder/x.txt"),
    ]  # fmt: skip
    return [Case(f"{part} = {new!r}"[:60], base, outcome, value(part, new)) for part, base, outcome, new in rows]


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
        Case("join on the axis that differs", "pairs", v, more("j", op("j", "concat", {"src1": "joined", "src2": "a"}, {"dst": "jj"}, axis=0))),
        Case("join of another rank", "pairs", e, more("j.in.src2", op("j", "concat", {"src1": "a", "src2": "row"}, {"dst": "jj"}, axis=0))),
        Case("join of another type", "pairs", e, more("j.in.src2", op("j", "concat", {"src1": "most", "src2": "at"}, {"dst": "jj"}, axis=0))),
        Case("reshape of a reshape", "pairs", v, more("r2", op("r2", "reshape", {"src": "row"}, {"dst": "r"}, dims=[2, 3]), show("r"))),
        Case("forward", "pairs", v, more("f2", op("f2", "forward", {"src": "row"}, {"dst": "f"}), show("f"))),
        Case("eight dimensions", "small", v, more("make_deep", create("deep", [1, 1, 1, 1, 1, 1, 2, 4]), show("deep"))),
        Case("gather of unequal shapes", "rarities", e, item("stack.in.src2", "name", "small")),
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
