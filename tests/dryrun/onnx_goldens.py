"""Operators of one node with what onnxruntime 1.32 computes: python -m tests.dryrun.onnx_goldens, in a Python with onnx and onnxruntime, writes onnx_goldens.json."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

GOLDENS = Path(__file__).with_name("onnx_goldens.json")
KINDS = {"float": "float32", "double": "float64", "string": "object"}
# Named values; any other input is drawn from its name and shape.
VALUES: dict[str, Any] = {
    "ids": [[1, 0, 2], [2, 2, 1]],
    "mask": [[1, 1, 1], [1, 1, 0]],
    "long_mask": [[1, 1, 1, 1, 1], [1, 1, 0, 1, 1]],
    "counts": [3, 2],
    "ends": [1, 2],
    "total": [3],
    "total5": [5],
    "keys5": [5, 4],
    "turns": [[0, 1, 2], [2, 1, 0]],
    "offset": [1],
    "columns": [2, 0],
    "whole": [[1, 5], [2, 3]],
    "words": [["ab", "cd", "e"]],
    "list_of_words": ["The", "quick", "fox", "the"],
    "lines": ["a bc", "", "d"],
    "targets": [1, 0, 2],
    "weights3": [0.5, 1, 2],
    "chances": [[0.2, 0.7], [0.9, 0.4]],
    "on": True,
    "off": False,
    "three": 3,
    "zero": 0,
    "one": 1,
    "eight": 8,
    "rate": 160,
    "low": 5.0,
    "high": 70.0,
    "lengths": [1, 2],
    "full": [2, 3],
    "signs": [[True, False, True]],
}
TREE = (
    "nodes_treeids = [0,0,0,0,0,1,1,1], nodes_nodeids = [0,1,2,3,4,0,1,2], nodes_featureids = [0,1,0,0,0,2,0,0], "
    'nodes_modes = ["BRANCH_LEQ","BRANCH_GT","LEAF","LEAF","LEAF","BRANCH_LT","LEAF","LEAF"], '
    "nodes_values = [0.2,-0.1,0.0,0.0,0.0,0.3,0.0,0.0], nodes_truenodeids = [1,3,0,0,0,1,0,0], nodes_falsenodeids = [2,4,0,0,0,2,0,0]"
)
LEAVES = "{0}_treeids = [0,0,0,1,1], {0}_nodeids = [2,3,4,1,2], {0}_ids = [{1}], {0}_weights = [{2}]"


def trees(what: str, ids: str, weights: str) -> str:
    return f"{TREE}, {LEAVES.format(what, ids, weights)}"


VECTORS = "support_vectors = [0.1,0.5,-0.3,0.8,-0.6,0.2,0.4,0.4,-0.9,0.3,0.7,-0.2]"
WAYS = "kernel_params = [0.5, 0.2, 2.0]"
EMBED = "int32[2,3] ids, int32[2,3] turns, float[4,6] w, float[5,6] p, float[3,6] s, float[6] g, float[6] b"
ATTENTION = "float[2,3,8] q, float[2,5,8] k, float[2,5,8] v"
GROUPS = "float[2,3,16] q, float[2,3,8] k, float[2,3,8] v"
CACHE = "float[2,2,2,2] pk, float[2,2,2,2] pv"
# Inputs => outputs with their types | nodes. The domains are those that the nodes name.
CASES = [
    # Attention of ai.onnx
    f"{ATTENTION} => float y | y = Attention <q_num_heads = 4, kv_num_heads = 2> (q, k4, v4)".replace(
        "2,5,8] k", "2,5,4] k4"
    ).replace("2,5,8] v", "2,5,4] v4"),
    f"{ATTENTION}, bool[3,5] m => float y | y = Attention <q_num_heads = 2, kv_num_heads = 2, softcap = 1.5, scale = 0.3> (q, k, v, m)",
    "float[1,2,3,4] q, float[1,2,2,4] k, float[1,2,2,4] v, float[1,2,3,4] pk, float[1,2,3,4] pv => float y, float a, float b, float s | y, a, b, s = Attention <is_causal = 1, qk_matmul_output_mode = 3> (q, k, v, , pk, pv)",
    "float[1,2,3,4] q, float[1,2,2,4] k, float[1,2,2,4] v => float y, float a, float b, float s | y, a, b, s = Attention <qk_matmul_output_mode = 1, softcap = 2.0, softmax_precision = 1> (q, k, v)",
    "float[1,2,3,4] q, float[1,2,2,4] k, float[1,2,2,4] v => float y, float a, float b, float s | y, a, b, s = Attention <qk_matmul_output_mode = 2> (q, k, v)",
    "float[1,4,3,4] x, float[3,2] c, float[3,2] s, int64[1,3] turns1 => float y | y = RotaryEmbedding (x, c, s, turns1)",
    "float[1,3,16] x, float[1,3,1] c, float[1,3,1] s => float y | y = RotaryEmbedding <num_heads = 4, rotary_embedding_dim = 2, interleaved = 1> (x, c, s)",
    # com.microsoft
    "float[2,3,4] x, float[4,12] w, float[12] b, int32[2,3] mask => float y | y = Attention <num_heads = 2> (x, w, b, mask)",
    "float[2,3,4] x, float[4,12] w, float[12] b, int32[2] counts, float[2,2,2,2,2] past => float y, float p | y, p = Attention <num_heads = 2, unidirectional = 1> (x, w, b, , past)",
    "float[2,3,4] x, float[4,12] w, float[12] b, int32[2] counts => float y | y = Attention <num_heads = 2, scale = 0.4> (x, w, b, counts)",
    "float[2,3,4] x, float[4,16] w, float[16] b, float[1,1,3,3] e => float y | y = Attention <num_heads = 2, qkv_hidden_sizes = [4,4,8]> (x, w, b, , , e)",
    f"{ATTENTION} => float y | y = MultiHeadAttention <num_heads = 2> (q, k, v)",
    f"{ATTENTION}, float[24] b, int32[2,5] long_mask, float[1,1,3,5] e => float y | y = MultiHeadAttention <num_heads = 4, scale = 0.3> (q, k, v, b, long_mask, e)",
    "float[2,3,8] q, float[2,2,3,4] k, float[2,2,3,4] v => float y | y = MultiHeadAttention <num_heads = 2> (q, k, v)",
    f"float[2,3,4] q, float[2,3,4] k, float[2,3,4] v, {CACHE} => float y, float a, float b | y, a, b = MultiHeadAttention <num_heads = 2, unidirectional = 1> (q, k, v, , , , pk, pv)",
    f"{GROUPS}, int32[2] two, int32[1] total => float y, float a, float b | y, a, b = GroupQueryAttention <num_heads = 2, kv_num_heads = 1> (q, k, v, , , two, total)",
    "float[2,3,32] q, float[2,3,16] k, float[2,3,16] v, int32[2] two, int32[1] total, float[8,8] c, float[8,8] s => float y, float a, float b | y, a, b = GroupQueryAttention <num_heads = 2, kv_num_heads = 1, do_rotary = 1, local_window_size = 2, softcap = 1.5> (q, k, v, , , two, total, c, s)",
    "float[2,3,32] q, int32[2] two, int32[1] total => float y, float a, float b | y, a, b = GroupQueryAttention <num_heads = 2, kv_num_heads = 1, scale = 0.7> (q, , , , , two, total)",
    "float[2,1,16] q, float[2,1,8] k, float[2,1,8] v, float[2,1,5,8] pk, float[2,1,5,8] pv, int32[2] keys4, int32[1] total5 => float y, float a, float b | y, a, b = GroupQueryAttention <num_heads = 2, kv_num_heads = 1> (q, k, v, pk, pv, keys4, total5)",
    "float[2,3,8] x, int64[2,3] turns, float[4,2] c, float[4,2] s => float y | y = RotaryEmbedding <num_heads = 2> (x, turns, c, s)",
    "float[2,2,3,4] x, int64[1] offset, float[4,2] c, float[4,2] s => float y | y = RotaryEmbedding <interleaved = 1> (x, offset, c, s)",
    "float[2,3,4] x, float[4] b => float y | y = BiasGelu (x, b)",
    "float[2,3,4] x, float[4] b => float y | y = FastGelu (x, b)",
    "float[2,3] x => float y | y = QuickGelu <alpha = 1.3> (x)",
    "float[2,3,4] x, float[2,3,4] s, float[4] g, float[4] b, float[4] o => float y, float m, float i, float t | y, m, i, t = SkipLayerNormalization <epsilon = 0.01> (x, s, g, b, o)",
    "float[2,3,4] x, float[2,3,4] s, float[4] g => float y, float m, float i, float t | y, m, i, t = SkipSimplifiedLayerNormalization (x, s, g)",
    f"{EMBED} => float y, int32 n | y, n = EmbedLayerNormalization (ids, turns, w, p, s, g, b)",
    f"{EMBED}, int32[2,3] mask, int32[2,3] places => float y, int32 n, float t | y, n, t = EmbedLayerNormalization <epsilon = 0.1> (ids, turns, w, p, s, g, b, mask, places)",
    'float[1,2,4,4] x, float[3,2,3,3] w, float[3] b => float y | y = FusedConv <kernel_shape = [3,3], activation = "LeakyRelu", activation_params = [0.2]> (x, w, b)',
    'float[1,2,4,4] x, float[3,2,3,3] w, float[3] b, float[1,3,2,2] z => float y | y = FusedConv <kernel_shape = [3,3], activation = "Relu"> (x, w, b, z)',
    'float[2,4] x, float[4,3] w, float[3] b => float y | y = FusedGemm <activation = "Tanh"> (x, w, b)',
    'float[2,4] x, float[4,3] w, float[3] b => float y | y = FusedGemm <activation = "HardSigmoid", activation_alpha = 0.3, activation_beta = 0.4> (x, w, b)',
    "float[3,2] x, float[3,4] w => float y | y = FusedMatMul <transA = 1, alpha = 0.5> (x, w)",
    'float[3,4] a, float[2,4] b => float y | y = CDist <metric = "euclidean"> (a, b)',
    "float[2,3] a, float[2] b => bool y | y = IsAllFinite (a, b)",
    "float[2,4] x, uint8[4,3] w, float[] ws, uint8[] wz => float y | y = DynamicQuantizeMatMul (x, w, ws, wz)",
    "uint8[2,4] x, uint8[4,3] w, float[] xs, float[] ws, uint8[] xz, uint8[] wz, float[3] b => float y | y = MatMulIntegerToFloat (x, w, xs, ws, xz, wz, b)",
    # Integers
    "uint8[2,4] x, float[] xs, uint8[] xz, uint8[4,3] w, float[] ws, uint8[] wz, float[] ys, uint8[] yz => uint8 y | y = QLinearMatMul (x, xs, xz, w, ws, wz, ys, yz)",
    "uint8[1,2,4,4] x, float[] xs, uint8[] xz, uint8[3,2,3,3] w, float[] ws, uint8[] wz, float[] ys, uint8[] yz, int32[3] b => uint8 y | y = QLinearConv (x, xs, xz, w, ws, wz, ys, yz, b)",
    "uint8[1,2,4,4] x, uint8[3,2,3,3] w, uint8[] xz, uint8[] wz => int32 y | y = ConvInteger (x, w, xz, wz)",
    "uint8[2,4] x, uint8[4,3] w, uint8[] xz, uint8[3] wz => int32 y | y = MatMulInteger (x, w, xz, wz)",
    "float[2,4] x, float[4] xs, uint8[4] xz => uint8 y | y = QuantizeLinear <axis = 1> (x, xs, xz)",
    "uint8[2,4] x, float[2,2] xs, uint8[2,2] xz => float y | y = DequantizeLinear <axis = 1, block_size = 2> (x, xs, xz)",
    "float[1,2,5,5] x, float[2,2,3,3] w, float[1,18,3,3] o, float[2] b => float y | y = DeformConv <kernel_shape = [3,3]> (x, w, o, b)",
    # ai.onnx.ml
    "float[3,4] x, int64[2] columns => float y | y = ArrayFeatureExtractor (x, columns)",
    "float[2,3] x => float y | y = Binarizer <threshold = 0.1> (x)",
    "float[2,3] x => float y | y = Scaler <offset = [0.1,0.2,0.3], scale = [2.0,3.0,4.0]> (x)",
    "float[2,3] x => float y | y = Scaler <offset = [0.1], scale = [2.0]> (x)",
    *(f'float[2,3] x => float y | y = Normalizer <norm = "{norm}"> (x)' for norm in ("MAX", "L1", "L2")),
    "float[2,2] gaps => float y | y = Imputer <imputed_value_floats = [9.0,8.0], replaced_value_float = 5.0> (gaps)",
    "int64[2,2] whole => int64 y | y = Imputer <imputed_value_int64s = [9], replaced_value_int64 = 5> (whole)",
    "int64[2,2] whole => float y | y = OneHotEncoder <cats_int64s = [2,5,9]> (whole)",
    'int64[2,2] whole => string y | y = CategoryMapper <cats_int64s = [2,5], cats_strings = ["two","five"], default_string = "?"> (whole)',
    'string[1,3] words => int64 y | y = CategoryMapper <cats_int64s = [2,5], cats_strings = ["ab","e"]> (words)',
    'string[1,3] words => int64 y | y = LabelEncoder <keys_strings = ["ab","e"], values_int64s = [7,8], default_int64 = 3> (words)',
    "int64[2,2] whole => float y | y = LabelEncoder <keys_int64s = [1,5], values_floats = [0.5,1.5]> (whole)",
    "float[2,3] a, float[2,2] b => float y | y = FeatureVectorizer <inputdimensions = [3,2]> (a, b)",
    *(
        f'float[3,2] x => float y | y = LinearRegressor <coefficients = [0.5,1.5,-2.0,1.0], intercepts = [0.1,0.2], targets = 2, post_transform = "{how}"> (x)'
        for how in ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")
    ),
    'float[3,2] x => int64 y, float s | y, s = LinearClassifier <coefficients = [0.5,1.5,-2.0,1.0,0.3,0.4], intercepts = [0.1,0.2,0.3], classlabels_ints = [3,5,7], post_transform = "SOFTMAX"> (x)',
    'float[3,2] x => string y, float s | y, s = LinearClassifier <coefficients = [0.5,1.5], intercepts = [0.1], classlabels_strings = ["no","yes"], post_transform = "LOGISTIC"> (x)',
    *(
        f'float[4,3] x => float y | y = TreeEnsembleRegressor <n_targets = 2, aggregate_function = "{fold}", base_values = [0.5,0.25], {trees("target", "0,1,0,1,0", "1.0,2.0,3.0,4.0,5.0")}> (x)'
        for fold in ("SUM", "AVERAGE", "MIN", "MAX")
    ),
    f'float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6,8], post_transform = "SOFTMAX", {trees("class", "0,1,2,0,1", "1.0,2.0,3.0,4.0,5.0")}> (x)',
    f'float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6], post_transform = "LOGISTIC", {trees("class", "1,1,1,1,1", "1.0,-2.0,3.0,-4.0,0.5")}> (x)',
    f"float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6], {trees('class', '0,0,0,0,0', '0.1,0.2,0.3,0.4,0.5')}> (x)",
    f"float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6], {trees('class', '0,0,0,0,0', '0.1,-0.2,0.3,-0.4,0.5')}> (x)",
    f'float[4,3] x => float y | y = TreeEnsembleRegressor <n_targets = 3, post_transform = "SOFTMAX_ZERO", base_values = [0.5,0.25,0.125], {trees("target", "0,0,0,1,1", "1.0,2.0,3.0,4.0,5.0")}> (x)',
    f"float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6,8], base_values = [0.5,0.25,0.125], {trees('class', '0,1,0,0,1', '1.0,2.0,3.0,4.0,5.0')}> (x)",
    *(
        f"float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6], base_values = {base}, {trees('class', f'{only},{only},{only},{only},{only}', '1.0,-2.0,3.0,4.0,5.0')}> (x)"
        for base in ([0.5, 0.25], [0.5])
        for only in (0, 1)
    ),
    *(
        f'float[4,3] x => int64 y, float s | y, s = TreeEnsembleClassifier <classlabels_int64s = [4,6], post_transform = "SOFTMAX", {trees("class", f"{only},{only},{only},{only},{only}", "0.1,-0.2,-0.3,0.4,0.5")}> (x)'
        for only in (0, 1)
    ),
    *(
        f'float[3,2] x => float y | y = SVMRegressor <kernel_type = "{kernel}", {WAYS}, {VECTORS}, n_supports = 6, coefficients = [0.5,-1.0,0.7,0.2,-0.4,1.1], rho = [0.3]> (x)'
        for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID")
    ),
    "float[3,2] x => float y | y = SVMRegressor <kernel_params = [0.0, 0.0, 0.0], coefficients = [0.5,-1.0], rho = [0.3], n_supports = 0, one_class = 1> (x)",
    *(
        f'float[3,2] x => int64 y, float s | y, s = SVMClassifier <kernel_type = "RBF", {WAYS}, {VECTORS}, vectors_per_class = [2,3,1], classlabels_ints = [1,4,9], '
        f"coefficients = [0.5,-1.0,0.7,0.2,-0.4,1.1,0.3,-0.8,0.6,0.9,-0.5,0.4], rho = [0.3,-0.1,0.2]{more}> (x)"
        for more in ("", ", prob_a = [-1.0,-0.5,-0.8], prob_b = [0.1,0.2,-0.1]")
    ),
    f'float[3,2] x => int64 y, float s | y, s = SVMClassifier <kernel_type = "LINEAR", {WAYS}, {VECTORS}, vectors_per_class = [2,4], classlabels_ints = [1,4], coefficients = [0.5,-1.0,0.7,0.2,-0.4,1.1], rho = [0.3]> (x)',
    # Signals
    "float[2,8,1] x => float y | y = DFT <onesided = 1> (x)",
    "float[2,8,2] x => float y | y = DFT (x)",
    "float[2,8,2] x => float y | y = DFT <inverse = 1> (x)",
    "float[1,16,1] x, int64[] three, float[8] w => float y | y = STFT (x, three, w)",
    "float[1,16,1] x, int64[] three, int64[] eight => float y | y = STFT <onesided = 0> (x, three, , eight)",
    *(
        f"int64[] eight => float y | y = {name}Window <periodic = {way}> (eight)"
        for name in ("Hann", "Hamming", "Blackman")
        for way in (0, 1)
    ),
    "int64[] three, int64[] eight, int64[] rate, float[] low, float[] high => float y | y = MelWeightMatrix (three, eight, rate, low, high)",
    # Strings
    "string[1,3] words, string[1,3] words => string y | y = StringConcat (words, words)".replace(
        ", string[1,3] words =>", " =>"
    ),
    'string[4] list_of_words => string y | y = StringNormalizer <case_change_action = "LOWER", stopwords = ["the"]> (list_of_words)',
    'string[4] list_of_words => string y | y = StringNormalizer <case_change_action = "UPPER", is_case_sensitive = 1, stopwords = ["the","The","quick","fox"]> (list_of_words)',
    "string[3] lines => string y, int64 n | y, n = StringSplit (lines)",
    'string[1,3] words => bool y | y = RegexFullMatch <pattern = "[a-c]+"> (words)',
    'int64[2,2] whole => float y | y = TfIdfVectorizer <mode = "TFIDF", min_gram_length = 1, max_gram_length = 2, max_skip_count = 0, ngram_counts = [0,2], ngram_indexes = [0,1,2], pool_int64s = [1,5,2,3], weights = [0.5,2.0,3.0]> (whole)',
    # Losses and training
    *(
        f'float[3,4] x, int64[3] targets, float[4] w => float y, float l | y, l = SoftmaxCrossEntropyLoss <reduction = "{way}"> (x, targets, w)'
        for way in ("none", "mean", "sum")
    ),
    "float[3,4] x, int64[3] targets => float y | y = NegativeLogLikelihoodLoss <ignore_index = 0> (x, targets)",
    "float[2,3] x, float[] half, bool[] off => float y, bool m | y, m = Dropout (x, half, off)",
    # Windows
    "float[1,2,5,5] x => float y, int64 i | y, i = MaxPool <kernel_shape = [2,2], strides = [2,2], ceil_mode = 1> (x)",
    "float[1,2,5,5] x => float y, int64 i | y, i = MaxPool <kernel_shape = [2,2], storage_order = 1> (x)",
    "float[1,2,5,5] x => float y | y = LpPool <kernel_shape = [2,2], p = 3> (x)",
    "float[1,2,3,3] x => float y | y = GlobalLpPool <p = 2> (x)",
    "float[1,2,3,3] x => float y | y = GlobalMaxPool (x)",
    "float[1,2,3,3] x, float[2] g, float[2] b => float y | y = InstanceNormalization (x, g, b)",
    "float[2,3,4] x, float[4] g, float[4] b => float y, float m, float i | y, m, i = LayerNormalization (x, g, b)",
    "float[2,3,4] x, float[3,4] g => float y | y = RMSNormalization <axis = 1> (x, g)",
    "float[2,3,4] x => float y | y = LpNormalization <p = 1, axis = 1> (x)",
    "float[2,3] x => float y | y = Clip (x)",
    "float[2,3] x, float[] low => float y | y = Clip (x, low)",
    "float[2,3] x, float[3] s => float y | y = PRelu (x, s)",
    "float[3,3] x => float y | y = Det (x)",
    # Sequences
    "float[2,3] x, float[2,3] z, int64[] one => float y | s = SequenceConstruct (x, z) t = SequenceInsert (s, x, one) y = SequenceAt (t, one)",
    "float[2,3] x, float[2,3] z, int64[] one => float y | s = SequenceConstruct (x, z, x) t = SequenceErase (s, one) y = ConcatFromSequence <axis = 0> (t)",
    "float[2,3] x => float y, int64 n | e = SequenceEmpty () s = SequenceInsert (e, x) n = SequenceLength (s) y = ConcatFromSequence <axis = 1, new_axis = 1> (s)",
    "float[4,3] x, int64[] three => float y | s = SplitToSequence (x, three) i = Constant <value_int = 1> () y = SequenceAt (s, i)",
    "float[4,3] x => float y | s = SplitToSequence <keepdims = 0> (x) y = ConcatFromSequence <axis = 0, new_axis = 1> (s)",
    "float[2,3] x => float y, bool k | o = Optional (x) k = OptionalHasElement (o) y = OptionalGetElement (o)",
    "float[2,3] x => bool k | k = OptionalHasElement (x)",
    # Graphs inside
    "bool[] on, float[2,3] x => float y | y = If (on) <then_branch = t () => (float[2,3] p) { p = Neg (x) }, else_branch = e () => (float[2,3] q) { q = Abs (x) }>",
    "bool[] off, float[2,3] x => float y | y = If (off) <then_branch = t () => (float[2,3] p) { p = Neg (x) }, else_branch = e () => (float[2,3] q) { q = Abs (x) }>",
    "int64[] three, bool[] on, float[2] x => float y, float r | y, r = Loop (three, on, x) <body = b (int64 i, bool c, float[2] s) => (bool k, float[2] t, float[2] o) { k = Identity (c) t = Add (s, s) o = Neg (s) }>",
    "int64[] zero, bool[] on, float[2] x => float y, float r | y, r = Loop (zero, on, x) <body = b (int64 i, bool c, float[2] s) => (bool k, float[2] t, float[2] o) { k = Identity (c) t = Add (s, s) o = Neg (s) }>",
    "float[2] x, float[3,2] z => float y, float r | y, r = Scan <num_scan_inputs = 1, scan_input_directions = [1], scan_output_axes = [1], body = b (float[2] s, float[2] e) => (float[2] t, float[2] o) { t = Add (s, e) o = Identity (t) }> (x, z)",
    "float[2,3] x, float[2,3] z, int64[] one => float y | s = SequenceConstruct (x, z) t = SequenceMap (s, x) <body = b (float[2,3] e, float[2,3] f) => (float[2,3] o) { o = Sub (e, f) }> y = SequenceAt (t, one)",
    # Recurrent layers
    *(
        f"float[3,2,4] x, float[1,6,4] w, float[1,6,2] r, float[1,12] b => float y, float h | y, h = GRU <hidden_size = 2, linear_before_reset = {before}> (x, w, r, b)"
        for before in (0, 1)
    ),
    "float[3,2,4] x, float[1,8,4] w, float[1,8,2] r, float[1,16] b, int32[2] full, float[1,2,2] h, float[1,2,2] c, float[1,6] p => float y, float z | y, z = LSTM <hidden_size = 2, input_forget = 1> (x, w, r, b, full, h, c, p)",
    'float[3,2,4] x, float[2,2,4] w, float[2,2,2] r => float y, float z | y, z = RNN <hidden_size = 2, direction = "bidirectional", activations = ["Relu", "Affine"], activation_alpha = [0.5], activation_beta = [0.1]> (x, w, r)',
    # Elements
    *(
        f'float[2,3] x => float y | p = Constant <value_ints = [1,-1,0,1]> () y = Pad <mode = "{mode}"> (x, p)'
        for mode in ("constant", "edge", "reflect", "wrap")
    ),
    "float[2,3] x, float[] low => float y | p = Constant <value_ints = [2,1]> () a = Constant <value_ints = [-1]> () y = Pad (x, p, low, a)",
    *(f"float[3,3] x => float y | k = Constant <value_int = 1> () y = Trilu <upper = {up}> (x, k)" for up in (0, 1)),
    "float[3,3] x => int64 y | y = EyeLike <k = 1, dtype = 7> (x)",
    *(
        f"float[2,3] a, float[3] b, float[2,1] c => float y | y = {op} (a, b, c)"
        for op in ("Sum", "Mean", "Max", "Min")
    ),
    "float[5] x => float y, float z, float v | y, z, v = Split <num_outputs = 3> (x)",
    "float[5,2] x => float y, float z | l = Constant <value_ints = [2,3]> () y, z = Split (x, l)",
    "float[2,3] x => float y | y = Hardmax (x)",
    "float[2,3] x => bool y | y = Cast <to = 9> (x)",
    "string[1,3] truths => float y | y = Cast <to = 1> (truths)",
    "float[2,3] x => string y | b = Cast <to = 9> (x) y = Cast <to = 8> (b)",
    'bool[2,3] x, int64[1,3] rows, bool[1,3] u => bool y | y = ScatterElements <reduction = "add"> (x, rows, u)',
    "bool[2,3] x => bool y | a = Constant <value_ints = [1]> () y = ReduceMax (x, a)",
    "int64[2,3] x => int64 y | y = BitwiseNot (x)",
    "float[2,4,3] x => float y | y = GroupNormalization <num_groups = 2> (x, g4, g4)".replace(
        " =>", ", float[4] g4 =>"
    ),
    "float[2,3] x => float y | y = QuickGelu (x)",
    "float[1,4,2] x, float[1,2,2] u, int64[1] offset => float y | y = TensorScatter (x, u, offset)",
    "float[1,2,2] x => float y | y = Upsample2 (x)".replace("Upsample2", "Mish"),
    "float[4,2] x => float y | y = DepthToSpace <blocksize = 2> (r)".replace("(r)", "(x4)").replace(
        "float[4,2] x", "float[1,4,2,2] x4"
    ),
    "float[1,2,4,4] x, float[2,4] regions, int64[2] zeros => float y | y = RoiAlign <output_height = 2, output_width = 2> (x, regions, zeros)",
    "float[2,3] x => float y | y = Dropout (x)",
    "float[1,5,1] x => float y | n = Constant <value_int = 8> () y = DFT <onesided = 1> (x, n)",
    "float[3,2] x => float y | y = TreeEnsemble <n_targets = 1, tree_roots = [0], nodes_featureids = [0,1], nodes_truenodeids = [0,1], nodes_falsenodeids = [1,2], nodes_trueleafs = [1,1], nodes_falseleafs = [0,1], "
    "nodes_modes = uint8[2] {6, 0}, nodes_splits = float[2] {0.0, 0.1}, membership_values = float[2] {0.733, -0.2}, leaf_targetids = [0,0,0], leaf_weights = float[3] {1.0, 2.0, 4.0}> (x)".replace(
        ", NaN", ""
    ).replace("float[3] {0.5, -0.2}", "float[2] {0.5, -0.2}"),
    # Positions
    "float[3,3] x, bool[3] m => float y | y = Compress <axis = 1> (x, m)",
    "float[3,3] x, bool[4] m => float y | y = Compress (x, m)",
    "int64[2,2] whole, int64[] three, float[2] p => float y | y = OneHot (whole, three, p)",
    "float[1,1,4,4] x, int64[2] full => float y | y = CenterCropPad <axes = [2,3]> (x, full)",
    "float[1,1,2,2] x, int64[1,1,2,2] i => float y | y = MaxUnpool <kernel_shape = [2,2], strides = [2,2]> (x, places4)".replace(
        "i =>", "places4 =>"
    ),
    'float[1,1,2,2] x => float y | k = Constant <value_floats = [0.0,0.0,0.1,0.1,1.0,1.0,0.9,0.9]> () z = Constant <value_ints = [1,1,3,3]> () y = Resize <coordinate_transformation_mode = "tf_crop_and_resize", mode = "linear"> (x, k, , z)',
    'float[1,1,3,3] x => float y | k = Constant <value_floats = [0.0,0.0,-0.5,0.1,1.0,1.0,1.5,0.9]> () z = Constant <value_ints = [1,1,4,3]> () y = Resize <coordinate_transformation_mode = "tf_crop_and_resize", mode = "linear", extrapolation_value = 7.0> (x, k, , z)',
    'float[1,1,4,6] x => float y | z = Constant <value_ints = [2,2]> () y = Resize <keep_aspect_ratio_policy = "not_larger", axes = [2,3], mode = "linear"> (x, , , z)',
    "float[1,2,6,6] x, float[1,5] roi => float y | y = MaxRoiPool <pooled_shape = [2,2], spatial_scale = 0.5> (x, roi)",
    "int64[] three => int64 y | b = Constant <value_int = 1> () c = Constant <value_int = 2> () y = Range (b, three, c)",
    "float[5] x => float y, int64 i, int64 v, int64 n | y, i, v, n = Unique (x)",
    "float[2,3] x => int64 y | s = Shape (x) r = Constant <value_ints = [2]> () t = Tile (s, r) y = Identity (t)",
]
VALUES |= {
    "two": [2, 2], "keys4": [4, 3], "turns1": [[2, 0, 1]], "gaps": [[5.0, 1.0], [2.0, 5.0]], "half": 0.5, "places4": [[[[0, 6], [8, 15]]]],
    "truths": [["1", "2.5", "-3"]], "rows": [[1, 0, 1]], "zeros": [0, 0], "regions": [[0, 0, 3, 3], [1, 1, 2, 3]], "roi": [[0, 1, 1, 8, 6]], "places": [[0, 1, 2], [1, 2, 4]],
}  # fmt: skip


def drawn(kind: str, name: str, shape: list[int]) -> Any:
    dtype: Any = np.dtype(KINDS.get(kind, kind))
    if name in VALUES:
        return np.array(VALUES[name], dtype).reshape(shape)
    count = int(np.prod(shape))
    wave: Any = np.asarray(np.sin(np.arange(1, count + 1) * 1.7 + sum(map(ord, name)))).reshape(shape)
    if dtype.kind == "f":
        positive = name.endswith("s") and len(name) == 2  # scales
        return np.asarray(np.round(np.abs(wave) / 8 + 0.01 if positive else wave, 3), dtype)
    return np.asarray(wave > 0 if dtype.kind == "b" else wave * 20 + 40, dtype)


def inputs(case: str) -> dict[str, Any]:
    listed = re.findall(r"(\w+)\[([\d,]*)\] (\w+)", case.partition(" => ")[0])
    return {name: drawn(kind, name, [int(n) for n in sizes.split(",") if n]) for kind, sizes, name in listed}


MICROSOFT = re.compile(
    r"FusedConv|FusedGemm|FusedMatMul|CDist|BiasGelu|FastGelu|QuickGelu|SkipL|SkipS|EmbedL|IsAllFinite|DynamicQuantizeMatMul|MatMulIntegerToFloat|MatMulNBits|"
    r"MultiHeadAttention|GroupQueryAttention|Attention <num_heads|RotaryEmbedding(?= <num_heads = 2>| <interleaved)"
)


def text(case: str) -> str:
    """The model of a case in ONNX's textual form."""
    given, outputs, nodes = re.fullmatch(r"(.*?) => (.*?) \| (.*)", case).groups()  # type: ignore[union-attr]
    from irlint.formats.onnx.dryrun.ml import CALLS

    nodes = re.sub(rf"= (?=(?:{MICROSOFT.pattern}))", "= com.microsoft.", nodes)
    nodes = re.sub(r"= (\w+)(?= [<(])", lambda m: f"= ai.onnx.ml.{m[1]}" if m[1] in CALLS else m[0], nodes)
    # onnxruntime 1.32 has no later versions of the first three
    opsets = {"GlobalLp": 21, "MaxRoi": 21, "RoiAlign": 21, "TensorScatter": 24, "LinearA": 27}
    opset = next((opset for word, opset in opsets.items() if word in nodes), 23)
    imports = f'"" : {opset}, "com.microsoft" : 1, "ai.onnx.ml" : {5 if "TreeEnsemble <" in nodes else 3}'
    return f"<ir_version: 10, opset_import: [{imports}]> g ({given}) => ({outputs}) {{ {nodes} }}"


def main() -> None:
    import onnx
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    found = {}
    for case in CASES:
        try:
            model = onnx.parser.parse_model(text(case))
            session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
            results = session.run(None, inputs(case))
            found[case] = [[array.dtype.name, list(array.shape), shown(array)] for array in results]
        except Exception as error:
            print(f"{case}\n    {str(error)[:300]}")
    rows = (f"{json.dumps(case)}: {json.dumps(results)}" for case, results in found.items())
    GOLDENS.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def shown(array: Any) -> list[Any]:
    flat = array.ravel().tolist()
    return [float(f"{number:.6g}") for number in flat] if array.dtype.kind == "f" else flat


if __name__ == "__main__":
    main()
