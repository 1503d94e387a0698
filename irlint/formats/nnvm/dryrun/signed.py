"""MXNet's operators whose shapes a signature tells: optimizers, decompositions, statistics, quantised and graph operators."""

from __future__ import annotations

from irlint.dryrun.errors import counted
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.nnvm.dryrun.calls import Make, SymbolAttrs, bare, mapped, own

CALLS: dict[str, Make] = {}


def signed(attrs: SymbolAttrs, signature: str) -> Call:
    names = tuple(port.name for port in attrs.operator.inputs)
    return Call(operator("shared/signed.Signed"), {"signature": signature, "names": names})


def _fixed(signature: str) -> Make:
    return lambda attrs: signed(attrs, signature)


def _alike(count: int, single: int = 0, result: str = "T") -> str:
    """Operands of one shape: `count` of one real type, and then as many of float32."""
    return " ".join(["S/T=real"] * count + ["S/float32"] * single) + f" -> S/{result}"


_UPDATES = {
    "sgd_update": 2, "signsgd_update": 2, "signum_update": 3, "sgd_mom_update": 3, "nag_mom_update": 3, "rmsprop_update": 3,
    "rmspropalex_update": 5, "ftml_update": 5, "ftrl_update": 4, "adam_update": 4, "_sparse_adagrad_update": 3,
    "lamb_update_phase1": 4,
}  # fmt: skip
CALLS |= {name: _fixed(_alike(count)) for name, count in _UPDATES.items()}
CALLS |= {
    "mp_sgd_update": _fixed(_alike(2, 1)),
    "mp_sgd_mom_update": _fixed(_alike(2, 2)),
    "mp_nag_mom_update": _fixed(_alike(2, 2)),
    "mp_lamb_update_phase1": _fixed(_alike(2, 3, "float32")),
    "_adamw_update": _fixed("S/T=real S/T S/T S/T _/float32 -> S/T"),
    "_mp_adamw_update": _fixed("S/T=real S/T _/float32 _/float32 _/float32 _/float32 -> S/T"),
    "lamb_update_phase2": _fixed("S/T=real S/T [1,*_]/T [1,*_]/T -> S/T"),
    "mp_lamb_update_phase2": _fixed("S/T=real S/float32 [1,*_]/float32 [1,*_]/float32 S/float32 -> S/T"),
    "multi_lars": _fixed("S/T S/T S/T S/T -> S/T"),
}


def _several(each: str, count: str, lists: tuple[str, ...] = (), more: str = "") -> Make:
    """The same for one group of operands after the other, each with a shape of its own (S). `lists` are attributes with one
    number per group."""

    def make(attrs: SymbolAttrs) -> Call:
        groups = counted(attrs[count])
        operands = [word.replace("S/", f"S{k}/") for k in range(groups) for word in each.split()]
        results = [f"S{k}/T" for k in range(groups)]
        signature = f"{' '.join(operands)} {more.replace('#', f'#{groups}')} -> {' '.join(results)}"
        lengths = {name: len(attrs[name] or ()) for name in lists}
        return Call(operator("shared/signed.Grouped"), {"signature": signature, "groups": groups, "lists": lengths})

    return make


_FOUR, _MIXED = "S/T S/T S/T S/T", "S/T S/T S/float32 S/float32 S/float32"
for _name, _each in {
    "sgd": "S/T S/T",
    "sgd_mom": "S/T S/T S/T",
    "mp_sgd": "S/T S/T S/float32",
    "mp_sgd_mom": "S/T S/T S/float32 S/float32",
}.items():
    CALLS[f"multi_{_name}_update"] = _several(_each, "num_weights", ("lrs", "wds"))
    CALLS[f"preloaded_multi_{_name}_update"] = _several(_each, "num_weights", (), "#/float32 #/float32")
CALLS |= {
    "_multi_adamw_update": _several(_FOUR, "num_weights", ("lrs", "wds", "etas"), "_"),
    "_multi_mp_adamw_update": _several(_MIXED, "num_weights", ("lrs", "wds", "etas"), "_"),
    "_multi_lamb_update": _several(_FOUR, "num_tensors", ("learning_rates", "wds", "step_count")),
    "_multi_mp_lamb_update": _several(_MIXED, "num_tensors", ("learning_rates", "wds", "step_count")),
}

CALLS |= {
    "_npi_eigvals": _fixed("[*B,N,N]/T=wide -> [*B,N]/wide:T"),
    "_npi_eigvalsh": _fixed("[*B,N,N]/T=wide -> [*B,N]/wide:T"),
    "_npi_eig": _fixed("[*B,N,N]/T=wide -> [*B,N]/wide:T [*B,N,N]/wide:T"),
    "_npi_eigh": _fixed("[*B,N,N]/T=wide -> [*B,N]/wide:T [*B,N,N]/wide:T"),
    "_npi_pinv": bare("shared/signed.PseudoInverse"),
    "_npi_pinv_scalar_rcond": _fixed("[*B,M,N]/T=wide -> [*B,N,M]/wide:T"),
    "_npi_share_memory": _fixed("_ _ -> []/bool"),
    "_npi_diag_indices_from": bare("shared/signed.DiagIndices"),
    "_npi_svd": bare("shared/signed.Svd"),
    "_npi_tensorinv": mapped("shared/signed.TensorInverse", own("ind")),
    "_npi_average": lambda attrs: Call(
        operator("shared/signed.Average"),
        {"axis": attrs["axis"]},
        [0, 1 if attrs["weighted"] and attrs.count > 1 else None],
    ),
    "_npi_percentile": lambda attrs: Call(
        operator("shared/signed.Percentile"),
        {"axis": attrs["axis"], "keepdims": attrs["keepdims"]},
        [0, 1 if attrs["q_scalar"] is None else None],
    ),
    "_contrib_hawkesll": _fixed("[N,K]/T=real [K]/T [K]/T [N,K]/T [N,L]/T [N,L]/int32 [N]/T [N]/T -> [N]/T [N,K]/T"),
    "_contrib_edge_id": _fixed("_/T [N] [N] -> [N]/T"),
    "_contrib_calibrate_entropy": bare("shared/signed.Calibration"),
    "_npi_multinomial": lambda attrs: signed(
        attrs, f"[K] -> [{','.join([*map(str, attrs['size'] or ()), 'K'])}]/int64" if attrs.count else "-> _/int64"
    ),
    "_contrib_quantize_asym": _fixed("S/float32 -> S/uint8 [1]/float32 [1]/float32"),
    "_sparse_retain": _fixed("S/T _ -> S/T"),
    "_contrib_group_adagrad_update": _fixed("S/T S/T _/T -> S/T"),
}


def _inserted(place: bool) -> Make:
    """`place`: where to is an operand, the last one."""

    def make(attrs: SymbolAttrs) -> Call:
        given = {name: attrs[name] for name in ("start", "stop", "step", "axis")}
        values = 1 if attrs["val"] is None else None
        places = [0, values, (1 if values is None else 2) if place else None]
        return Call(
            operator("moving/inserting.Insert"), {**given, "kind": attrs.operator.name.rpartition("_")[2]}, places
        )

    return make


CALLS |= {
    "_npi_insert_scalar": _inserted(False),
    "_npi_insert_slice": _inserted(False),
    "_npi_insert_tensor": _inserted(True),
    "_npi_boolean_mask_assign_scalar": bare("moving/inserting.Masked", at=0),
    "_npi_boolean_mask_assign_tensor": bare("moving/inserting.Masked", at=0),
    "_contrib_dgl_subgraph": lambda attrs: signed(attrs, "[_,_]" + " [_]" * (attrs.count - 1)),
    "_contrib_dgl_csr_neighbor_uniform_sample": lambda attrs: signed(attrs, "[N,N]" + " [_]" * (attrs.count - 1)),
    "_contrib_dgl_csr_neighbor_non_uniform_sample": lambda attrs: signed(
        attrs, "[N,N] [_]" + " [_]" * (attrs.count - 2)
    ),
    "_contrib_dgl_adjacency": _fixed("S/int64 -> S/float32"),
    "_npi_tensorsolve": mapped("moving/inserting.TensorSolve", {"axes": "a_axes"}),
    "_npi_norm": mapped("moving/inserting.Norm", own("axis", "keepdims", "flag")),
}


def _deformed_pooling(attrs: SymbolAttrs) -> Call:
    size = attrs["pooled_size"]
    shape = f"[R,{attrs['output_dim']},{size},{size}]/T"
    trans = "" if attrs["no_trans"] else "[_,_,_,_]/T"
    return signed(attrs, f"[_,_,_,_]/T [R,5]/T {trans} -> {shape} {shape}")


_RANGE = "[1]/float32"


def _quantized_sum(attrs: SymbolAttrs) -> Call:
    return signed(attrs, f"S/int8|uint8 S/int8|uint8 {' '.join([_RANGE] * 4)} -> S {_RANGE} {_RANGE}")


def _quantized_normal(attrs: SymbolAttrs) -> Call:
    """The channels are the dimension `axis`."""
    axis: int = attrs["axis"]
    counted(abs(axis))
    data = f"[{'_,' * axis}C,*_]" if axis >= 0 else f"[*_,C{',_' * (-1 - axis)}]"
    return signed(
        attrs, f"{data}/int8|uint8 {' '.join(['[C]/float32'] * 4)} {_RANGE} {_RANGE} -> _/int8 {_RANGE} {_RANGE}"
    )


def _quantized_recurrent(attrs: SymbolAttrs) -> Call:
    size, ways = attrs["state_size"], 2 if attrs["bidirectional"] else 1
    state = f"[{attrs['num_layers'] * ways},N,{size}]"
    shown = f" {state} {state}" if attrs["state_outputs"] else ""
    return signed(attrs, f"[T,N,_] [_] {state} {state} [1] [1] -> [T,N,{ways * size}]{shown}")


def _compacted(attrs: SymbolAttrs) -> Call:
    """Graphs, and for each the vertices that stay."""
    half = attrs.count // 2
    return signed(attrs, " ".join(["[_,_]"] * half + ["[_]"] * half))


CALLS |= {
    "_contrib_quantized_batch_norm": _quantized_normal,
    "_contrib_quantized_rnn": _quantized_recurrent,
    "_contrib_dgl_graph_compact": _compacted,
}


def _quantized_product(attrs: SymbolAttrs) -> Call:
    given = attrs["max_calib_range"] is not None and attrs["min_calib_range"] is not None
    ranges = " ".join([_RANGE] * 4)
    if attrs["enable_float_output"]:
        return signed(attrs, f"S/int8 S/int8 {ranges} -> S/float32")
    return signed(attrs, f"S/int8 S/int8 {ranges} -> S/{'int8' if given else 'int32'} {_RANGE} {_RANGE}")


def _quantized_embedding(attrs: SymbolAttrs) -> Call:
    rows, width = attrs["input_dim"], attrs["output_dim"]
    return signed(attrs, f"[*S] [{rows},{width}]/int8 {_RANGE} {_RANGE} -> [*S,{width}]/int8 {_RANGE} {_RANGE}")


CALLS |= {
    "_contrib_DeformablePSROIPooling": _deformed_pooling,
    "_contrib_quantized_elemwise_add": _quantized_sum,
    "_contrib_quantized_elemwise_mul": _quantized_product,
    "_contrib_quantized_embedding": _quantized_embedding,
}


def _drawn(before: bool = False) -> Make:
    """Random numbers by parameters that are attributes or, where these are None, operands; `before`: `size` of them for each."""

    def make(attrs: SymbolAttrs) -> Call:
        kind = attrs.get("dtype", "float32")
        return Call(operator("shared/signed.Drawn"), {"size": attrs["size"], "dtype": kind, "before": before})

    return make


CALLS |= {
    name: _drawn()
    for name in (
        "_npi_normal", "_npi_uniform", "_npi_gamma", "_npi_exponential", "_npi_pareto", "_npi_powerd", "_npi_rayleigh",
        "_npi_weibull", "_npi_logistic", "_npi_gumbel", "_npi_bernoulli",
    )
}  # fmt: skip
CALLS |= {name: _drawn(before=True) for name in ("_npi_normal_n", "_npi_uniform_n")}
