"""MXNet's operators whose shapes a signature tells: optimizers, decompositions, statistics, quantised and graph operators."""

from __future__ import annotations

from irlint.dryrun.entries import Entry, Of, Origins, Row, Spec, plain
from irlint.dryrun.errors import counted
from irlint.formats.nnvm.dryrun.calls import SymbolAttrs, optional

CALLS: dict[str, Row] = {}


def _names(attrs: SymbolAttrs) -> tuple[str, ...]:
    return tuple(port.name for port in attrs.operator.inputs)


def _fixed(signature: str) -> Entry:
    return Entry("shared/signed.Signed", {"names": _names}, fixed={"signature": signature})


def _signed(signature: Spec) -> Entry:
    """By a signature that depends on the attributes."""
    return Entry("shared/signed.Signed", {"signature": signature, "names": _names})


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


def _several(each: str, count: str, lists: tuple[str, ...] = (), more: str = "") -> Entry:
    """The same for one group of operands after the other, each with a shape of its own (S). `lists` are attributes with one
    number per group."""

    def signature(attrs: SymbolAttrs) -> str:
        number = counted(attrs[count])
        operands = [each.replace("S/", f"S{k}/") for k in range(number)]
        results = [f"S{k}/T" for k in range(number)]
        return f"{' '.join(operands)} {more.replace('#', f'#{number}')} -> {' '.join(results)}"

    def lengths(attrs: SymbolAttrs) -> dict[str, int]:
        return {name: len(attrs[name] or ()) for name in lists}

    return Entry("shared/signed.Grouped", {"signature": signature, "groups": Of(count, counted), "lists": lengths})


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
    "_npi_pinv": plain("shared/signed.PseudoInverse"),
    "_npi_pinv_scalar_rcond": _fixed("[*B,M,N]/T=wide -> [*B,N,M]/wide:T"),
    "_npi_share_memory": _fixed("_ _ -> []/bool"),
    "_npi_diag_indices_from": plain("shared/signed.DiagIndices"),
    "_npi_svd": plain("shared/signed.Svd"),
    "_npi_tensorinv": plain("shared/signed.TensorInverse", "ind"),
    "_npi_average": Entry(
        "shared/signed.Average",
        {"axis": "axis"},
        operands=lambda v: [0, 1 if v["weighted"] and v.count > 1 else None],
    ),
    "_npi_percentile": Entry(
        "shared/signed.Percentile",
        {"axis": "axis", "keepdims": "keepdims"},
        operands=lambda v: [0, 1 if v["q_scalar"] is None else None],
    ),
    "_contrib_hawkesll": _fixed("[N,K]/T=real [K]/T [K]/T [N,K]/T [N,L]/T [N,L]/int32 [N]/T [N]/T -> [N]/T [N,K]/T"),
    "_contrib_edge_id": _fixed("_/T [N] [N] -> [N]/T"),
    "_contrib_calibrate_entropy": plain("shared/signed.Calibration"),
    "_npi_multinomial": _signed(
        lambda v: f"[K] -> [{','.join([*map(str, v['size'] or ()), 'K'])}]/int64" if v.count else "-> _/int64"
    ),
    "_contrib_quantize_asym": _fixed("S/float32 -> S/uint8 [1]/float32 [1]/float32"),
    "_sparse_retain": _fixed("S/T _ -> S/T"),
    "_contrib_group_adagrad_update": _fixed("S/T S/T _/T -> S/T"),
}


def _inserted(kind: str, place: bool = False) -> Entry:
    """`place`: where to is an operand, the last one."""

    def operands(attrs: SymbolAttrs) -> Origins:
        values = 1 if attrs["val"] is None else None
        return [0, values, (1 if values is None else 2) if place else None]

    return plain("moving/inserting.Insert", "start", "stop", "step", "axis", kind=kind)._replace(operands=operands)


CALLS |= {
    "_npi_insert_scalar": _inserted("scalar"),
    "_npi_insert_slice": _inserted("slice"),
    "_npi_insert_tensor": _inserted("tensor", place=True),
    "_npi_boolean_mask_assign_scalar": plain("moving/inserting.Masked", at=0),
    "_npi_boolean_mask_assign_tensor": plain("moving/inserting.Masked", at=0),
    "_contrib_dgl_subgraph": _signed(lambda v: "[_,_]" + " [_]" * (v.count - 1)),
    "_contrib_dgl_csr_neighbor_uniform_sample": _signed(lambda v: "[N,N]" + " [_]" * (v.count - 1)),
    "_contrib_dgl_csr_neighbor_non_uniform_sample": _signed(lambda v: "[N,N] [_]" + " [_]" * (v.count - 2)),
    "_contrib_dgl_adjacency": _fixed("S/int64 -> S/float32"),
    "_npi_tensorsolve": Entry("moving/inserting.TensorSolve", {"axes": "a_axes"}),
    "_npi_norm": plain("moving/inserting.Norm", "axis", "keepdims", "flag"),
}


def _deformed_pooling(attrs: SymbolAttrs) -> str:
    size = attrs["pooled_size"]
    shape = f"[R,{attrs['output_dim']},{size},{size}]/T"
    trans = "" if attrs["no_trans"] else "[_,_,_,_]/T"
    return f"[_,_,_,_]/T [R,5]/T {trans} -> {shape} {shape}"


_RANGE = "[1]/float32"
_RANGES = " ".join([_RANGE] * 4)


def _quantized_normal(attrs: SymbolAttrs) -> str:
    """The channels are the dimension `axis`."""
    axis: int = attrs["axis"]
    counted(abs(axis))
    data = f"[{'_,' * axis}C,*_]" if axis >= 0 else f"[*_,C{',_' * (-1 - axis)}]"
    return f"{data}/int8|uint8 {' '.join(['[C]/float32'] * 4)} {_RANGE} {_RANGE} -> _/int8 {_RANGE} {_RANGE}"


def _quantized_recurrent(attrs: SymbolAttrs) -> str:
    size, ways = attrs["state_size"], 2 if attrs["bidirectional"] else 1
    state = f"[{attrs['num_layers'] * ways},N,{size}]"
    shown = f" {state} {state}" if attrs["state_outputs"] else ""
    return f"[T,N,_] [_] {state} {state} [1] [1] -> [T,N,{ways * size}]{shown}"


def _compacted(attrs: SymbolAttrs) -> str:
    """Graphs, and for each the vertices that stay."""
    half = attrs.count // 2
    return " ".join(["[_,_]"] * half + ["[_]"] * half)


def _quantized_product(attrs: SymbolAttrs) -> str:
    kind = "int32" if None in (attrs["max_calib_range"], attrs["min_calib_range"]) else "int8"
    result = "S/float32" if attrs["enable_float_output"] else f"S/{kind} {_RANGE} {_RANGE}"
    return f"S/int8 S/int8 {_RANGES} -> {result}"


def _quantized_embedding(attrs: SymbolAttrs) -> str:
    rows, width = attrs["input_dim"], attrs["output_dim"]
    return f"[*S] [{rows},{width}]/int8 {_RANGE} {_RANGE} -> [*S,{width}]/int8 {_RANGE} {_RANGE}"


CALLS |= {
    "_contrib_quantized_batch_norm": _signed(_quantized_normal),
    "_contrib_quantized_rnn": _signed(_quantized_recurrent),
    "_contrib_dgl_graph_compact": _signed(_compacted),
    "_contrib_DeformablePSROIPooling": _signed(_deformed_pooling),
    "_contrib_quantized_elemwise_add": _fixed(f"S/int8|uint8 S/int8|uint8 {_RANGES} -> S {_RANGE} {_RANGE}"),
    "_contrib_quantized_elemwise_mul": _signed(_quantized_product),
    "_contrib_quantized_embedding": _signed(_quantized_embedding),
}


def _drawn(before: bool = False) -> Entry:
    """Random numbers by parameters that are attributes or, where these are None, operands; `before`: `size` of them for each."""
    return Entry(
        "shared/signed.Drawn", {"size": "size", "dtype": optional("dtype", "float32")}, fixed={"before": before}
    )


_DRAWN = "normal uniform gamma exponential pareto powerd rayleigh weibull logistic gumbel bernoulli"
CALLS |= {f"_npi_{name}": _drawn() for name in _DRAWN.split()}
CALLS |= {name: _drawn(before=True) for name in ("_npi_normal_n", "_npi_uniform_n")}
