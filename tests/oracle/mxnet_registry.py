"""Runs under a Python that has mxnet 1.9.1: prints the attributes of every operator as the registry lists them, as JSON."""

import ctypes
import json

from mxnet.base import _LIB, check_call, mx_uint, py_str

INPUTS = ("NDArray", "Symbol", "ptr")


def names():
    size, found = mx_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXListAllOpNames(ctypes.byref(size), ctypes.byref(found)))
    return [py_str(found[k]) for k in range(size.value)]


def attributes(name):
    handle = ctypes.c_void_p()
    check_call(_LIB.NNGetOpHandle(ctypes.c_char_p(name.encode()), ctypes.byref(handle)))
    texts = [ctypes.c_char_p() for _ in range(4)]
    size = mx_uint()
    lists = [ctypes.POINTER(ctypes.c_char_p)() for _ in range(3)]
    check_call(
        _LIB.MXSymbolGetAtomicSymbolInfo(
            handle, ctypes.byref(texts[0]), ctypes.byref(texts[1]), ctypes.byref(size), *map(ctypes.byref, lists),
            ctypes.byref(texts[2]), ctypes.byref(texts[3]),
        )
    )  # fmt: skip
    found = {py_str(lists[0][k]): py_str(lists[1][k]) for k in range(size.value)}
    return {key: text for key, text in found.items() if not any(word in text for word in INPUTS)}


print(json.dumps({name: attributes(name) for name in names()}))
