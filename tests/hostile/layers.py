"""Lists of layers (ncnn, pnnx) with very much of one thing."""

from __future__ import annotations

from collections.abc import Callable

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


def _add_layers(name: str, layer: str, size: int = 2000, first: str = "Input in 0 1 b0 0=8 1=8 2=3") -> None:
    form = "pnnx" if first.startswith("pnnx.") else "ncnn"

    def text(count: int) -> str:
        layers = [layer.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]
        return "\n".join(["7767517", f"{count} {count}", first, *layers]) + "\n"

    FAMILIES[f"{form} {name}"] = Family(form, text, size)


def _ignored(count: int) -> str:
    layers = each(count, "ReLU r# 1 1 b0 b# 7=1\n")
    comments = "".join(f"# irlint: ignore[A001] r{k}\n" for k in range(count))
    return f"7767517\n{count + 1} {count + 1}\nInput in 0 1 b0\n{layers}{comments}"


FAMILIES["ncnn layers with comments"] = Family("ncnn", _ignored, 2000)


def _add_layer(name: str, layer: Callable[[int], str], size: int = 20000) -> None:
    form = "pnnx" if layer(1).startswith("pnnx.") else "ncnn"
    FAMILIES[f"{form} {name}"] = Family(form, lambda n: f"7767517\n2 2\nInput in 0 1 b0\n{layer(n)}\n", size)


_add_layers("a chain", "ReLU r# 1 1 b@ b#", 5000)
_add_layers("convolutions", "Convolution c# 1 1 b@ b# 0=3 1=3 4=1 5=1 6=81", 5000)
_add_layers("readers of one blob", "ReLU r# 1 1 b0 b#")
_add_layers("readers of two blobs", "BinaryOp r# 2 1 b@ b0 b#")
_add_layers("blobs of one name", "ReLU r# 1 1 b0 b0")
_add_layers("layers of one name", "ReLU r 1 1 b@ b#")
_add_layers("undefined blobs", "ReLU r# 1 1 c# b#")
_add_layers("undefined blobs of a Split", "ReLU r# 1 1 b0_splitncnn_# b#")
_add_layers("one undefined blob", "ReLU r# 1 1 c b#")
_add_layers("layers upside down", "ReLU r# 1 1 c# c@")
_add_layers("layers that read themselves", "ReLU r# 1 1 c# c#")
_add_layers("unknown types", "ReLUU# r# 1 1 b@ b#", 300)
_add_layers("an unknown type", "Relu r# 1 1 b@ b#")
_add_layers("wrong counts", "ReLU r# 2 1 b@ b#")
_add_layers("odd counts", "ReLU r# x 1 b@ b#")
_add_layers("unknown parameters", "ReLU r# 1 1 b@ b# 7=#")
_add_layers("odd parameters", "ReLU r# 1 1 b@ b# #")
_add_layers("parameters in lines of their own", "ReLU r# 1 1 b@ b#\n0=0.1")
_add_layers("layers in two lines", "ReLU r# 1 1\nb@ b#")
_add_layers("layers in lines of words", "ReLU\nr#\n1\n1\nb@\nb#", 1000)
_add_layers("two layers in a line", "ReLU r# 1 1 b@ a# ReLU s# 1 1 a# b#", 1000)
_add_layers("comments", "# r#\nReLU r# 1 1 b@ b#")
_add_layers("comments behind layers", "ReLU r# 1 1 b@ b# 0=0.1 # c", 1000)
_add_layers("names that no count has", "ReLU r# 1 1 b@ b# c#", 1000)
_add_layers("commas for equals signs", "ReLU r# 1 1 b@ b# 0,# 1=1", 1000)
_add_layers("strange spaces", "ReLU r# 1 1 b@\xa0b#", 1000)
_add_layers("numbers of many characters", "ReLU r# 1 1 b@ b# 0=0.10000000000000001")
_add_layers(
    "operators of PyTorch", "nn.ReLU r# 1 1 b@ b# #b@=(1,8)f32 #b#=(1,8)f32", 1000, "pnnx.Input in 0 1 b0 #b0=(1,8)f32"
)
_add_layers("odd operators of PyTorch", "nn.Relu r# 1 1 b@ b# a=(1,b #b@=(1,8 $x=y @w=(", 1000, "pnnx.Input in 0 1 b0")
_add_layers("unknown operators of PyTorch", "nn.Conv#d r# 1 1 b@ b#", 300, "pnnx.Input in 0 1 b0")
_add_layers("expressions", "pnnx.Expression r# 1 1 b@ b# expr=add(@0,@1", 1000, "pnnx.Input in 0 1 b0")
_add_layer("inputs of one layer", lambda n: f"Concat c {n} 1{' b0' * n} c")
_add_layer("outputs of one layer", lambda n: f"Split s 1 {n} b0" + each(n, " c#"))
_add_layer("inputs that are not there", lambda n: f"Concat c {n} 1 b0 c")
_add_layer("a large count", lambda n: f"Concat c {'9' * min(n, 4000)} 1 b0 c")
_add_layer("parameters of one layer", lambda n: "ReLU r 1 1 b0 b1" + each(n, " #=1"), 5000)
_add_layer("one parameter many times", lambda n: "ReLU r 1 1 b0 b1" + " 0=0.5" * n, 5000)
_add_layer("elements of an array", lambda n: f"Reshape r 1 1 b0 b1 -23300={n}" + ",1" * n)
_add_layer("an expression in brackets", lambda n: f"Reshape r 1 1 b0 b1 6={'(' * n}{')' * n}", 5000)
_add_layer("an expression", lambda n: "pnnx.Expression r 1 1 b0 b1 expr=" + "add(@0," * n + "1" + ")" * n, 2000)
_add_layer("digits", lambda n: f"ReLU r 1 1 b0 b1 0={'9' * n}", 200000)
_add_layer("letters", lambda n: "x" * n, 200000)
_add_layer("blanks", lambda n: "ReLU" + " " * n + "r", 200000)
_add_layer("equals signs", lambda n: "ReLU r 1 1 b0 b1 " + "=" * n, 200000)
_add_layer("quotes", lambda n: "ReLU r 1 1 b0 b1 a=" + '"' * n, 200000)
_add_layer("commas", lambda n: "ReLU r 1 1 b0 b1 0=" + "," * n, 100000)
_add_layer("words", lambda n: "a " * n)
_add_layer("blank lines", lambda n: "\n" * n, 200000)
_add_layer("lines of one word", lambda n: "a\n" * n, 2000)
_add_layer("text below", lambda n: "ReLU r 1 1 b0 b1\n" + "# irlint: ignore[G001]\n" * n)
_add_layer("blobs of no count", lambda n: "ReLU r 1 1 b0 b1" + each(n, " c#"))
_add_layer("commas of an array", lambda n: "Reshape r 1 1 b0 b1 -23300=" + "," * n, 100000)
_add_layer("elements of an odd array", lambda n: f"Reshape r 1 1 b0 b1 -23300={n}" + ",x" * n)
_add_layer("unknown parameters of one layer", lambda n: "ReLU r 1 1 b0 b1" + each(n, " 7#=1"), 5000)
_add_layer("parameters that are not written as such", lambda n: "ReLU r 1 1 b0 b1" + " 0:1" * n, 5000)
_add_layer(
    "blobs of one name on two lines", lambda n: f"Split s 1 {n} b0{' b1' * n}\nSplit t 1 {n} b0{' b1' * n}", 3000
)
_add_layers("layers of one blob", "ReLU r# 1 1 b@ b", 2000)
_add_layer("layers on a line", lambda n: each(n, "ReLU r# 1 1 b0 c# "), 3000)


def _add_operator(name: str, operator: Callable[[int], str], size: int = 5000) -> None:
    def text(count: int) -> str:
        return f"7767517\n2 2\npnnx.Input in 0 1 b0\n{operator(count)}\n"

    FAMILIES[f"pnnx {name}"] = Family("pnnx", text, size)


_EXPRESSION = "pnnx.Expression r 1 1 b0 b1 expr="
_add_operator("functions of an expression that are not closed", lambda n: _EXPRESSION + "add(" * n)
_add_operator("unknown functions of an expression", lambda n: _EXPRESSION + "ad(@0," * n, 2000)
_add_operator("odd words of an expression", lambda n: _EXPRESSION + "add(" + "x," * n + "1)")
_add_operator("inputs of an expression", lambda n: _EXPRESSION + "add(" + "@9," * n + "1)")
_add_operator("brackets of an expression", lambda n: _EXPRESSION + "[" * n + "]" * n)
_add_operator("a list of numbers", lambda n: "nn.ReLU r 1 1 b0 b1 a=(" + "1," * n + "1)")
_add_operator("a list of words", lambda n: "nn.ReLU r 1 1 b0 b1 a=(" + "x," * n + "1)")
_add_operator("sizes of a type", lambda n: "nn.ReLU r 1 1 b0 b1 #b0=(" + "1," * n + "1)f32")
_add_operator("odd sizes of a type", lambda n: "nn.ReLU r 1 1 b0 b1 #b0=(" + "x," * n + "1)f32")
_add_operator("parameters of one operator", lambda n: "nn.ReLU r 1 1 b0 b1" + each(n, " a#=1"))
_add_operator("types of no operand", lambda n: "nn.ReLU r 1 1 b0 b1" + each(n, " #c#=(1)f32"))
_add_operator("weights of one operator", lambda n: "nn.ReLU r 1 1 b0 b1" + each(n, " @w#=(1)f32"))
