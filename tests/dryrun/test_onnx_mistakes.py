"""What is wrong with the operands of operators of ONNX: one finding each, where onnxruntime 1.32 fails, too."""

from __future__ import annotations

import pytest

from irlint.api import lint
from irlint.findings import Severity

from .onnx_goldens import text

MISTAKES = [
    (
        "float[2,3,8] q, float[2,5,4] k",
        "y = Attention <q_num_heads = 3, kv_num_heads = 2> (q, k, k)",
        "D001",
        "last dimension of `Q` [2, 3, 8] is not a multiple of the 3 heads",
    ),
    (
        "float[2,4,3,4] q, float[2,3,5,4] k",
        "y = Attention (q, k, k)",
        "D001",
        "heads of `Q` (4) are not a multiple of those of `K` (3)",
    ),
    (
        "float[1,4,3,4] x, float[3,2] c, float[3,2] s, int64[1,3] p",
        "y = RotaryEmbedding <rotary_embedding_dim = 8> (x, c, s, p)",
        "A006",
        "expected at most the head size 4 for `rotary_embedding_dim`, got 8",
    ),
    (
        "float[2,3,8] q, float[2,5,6] k",
        "y = MultiHeadAttention <num_heads = 2> (q, k, k)",
        "D001",
        "last dimensions of `query` (8) and `key` (6) do not match",
    ),
    (
        "float[2,3,8] q, float[2,5,8] k, float[2,4,8] v",
        "y = MultiHeadAttention <num_heads = 2> (q, k, v)",
        "D001",
        "lengths of `key` (5) and `value` (4) do not match",
    ),
    (
        "float[2,3,16] q, float[2,3,8] k, int32[2] n, int32[1] t",
        "y, a, b = GroupQueryAttention <num_heads = 3, kv_num_heads = 2> (q, k, k, , , n, t)",
        "A006",
        "expected a multiple of the 2 heads of keys for `num_heads`, got 3",
    ),
    (
        "float[2,3,4] x, float[4,12] w, float[12] b, int32[5] m",
        "y = Attention <num_heads = 2> (x, w, b, m)",
        "D001",
        "expected 2 or 4 or 8 numbers in `mask_index` for `input` [2, 3, 4], got [5]",
    ),
    (
        "int32[2,9] i, float[4,6] w, float[5,6] p, float[6] g",
        "y, n = EmbedLayerNormalization (i, , w, p, , g, g)",
        "D001",
        "`position_embedding` has fewer rows (5) than `input_ids` has columns (9)",
    ),
    ("float[1,3,4,4] x", "y = LRN <size = 2> (x)", "A006", "expected a positive odd number for `size`, got 2"),
    ("float[2,3] i, int64[] d, float[3] v", "y = OneHot (i, d, v)", "D008", "expected 2 elements in `values`, got [3]"),
    (
        "float[1,1,2,2] x",
        'r = Constant <value_floats = [0.0,0.0,0.1]> () z = Constant <value_ints = [1,1,3,3]> () y = Resize <coordinate_transformation_mode = "tf_crop_and_resize", mode = "linear"> (x, r, , z)',
        "A007",
        "expected 8 numbers in `roi` (two per axis), got 3",
    ),
    (
        "float[1,1,2,2] x",
        "z = Constant <value_ints = [1,1,-3,3]> () y = Resize (x, , , z)",
        "A006",
        "expected a positive number in `sizes`, got -3",
    ),
    (
        "float[1,1,2,2] x",
        "z = Constant <value_floats = [1.0,1.0,0.0,3.0]> () y = Resize (x, , z)",
        "A006",
        "expected a positive number in `scales`, got 0.0",
    ),
    (
        "float[2,2,3] t",
        "z = Constant <value_ints = [-2,3,4,5]> () y = AffineGrid (t, z)",
        "A006",
        "expected a batch size of at least 0 in `size`, got -2",
    ),
    (
        "float[3,2,3] t",
        "z = Constant <value_ints = [2,3,4,5]> () y = AffineGrid (t, z)",
        "D001",
        "expected shape [2, 2, 3] for `theta`, got [3, 2, 3]",
    ),
    (
        "float[2,3] x, float[3] s, uint8[3] z",
        "y = QuantizeLinear <output_dtype = 3> (x, s, z)",
        "D002",
        "`output_dtype` int8 does not match the type of `y_zero_point` uint8",
    ),
    (
        "float[8,3] x, float[7] s, uint8[8] z",
        "y = QuantizeLinear <axis = 0> (x, s, z)",
        "D001",
        "expected one number per slice along axis 0 of `x` [8, 3] in `y_scale`, got [7]",
    ),
    (
        "float[8,3] x, float[8] s, uint8[7] z",
        "y = QuantizeLinear <axis = 0> (x, s, z)",
        "D001",
        "shapes of `y_scale` [8] and `y_zero_point` [7] do not match",
    ),
    (
        "float[2,8,2] x",
        "a = Constant <value_int = 2> () y = DFT (x, , a)",
        "D004",
        "axis 2 holds the parts of each number",
    ),
    (
        "float[1,16,1] x, int64[] three, float[0] w",
        "y = STFT (x, three, w)",
        "D001",
        "expected at least 1 element in `window`, got [0]",
    ),
    (
        "float[1,16,1] x, float[6] w",
        "l = Constant <value_int = 8> () s = Constant <value_int = 3> () y = STFT (x, s, w, l)",
        "D001",
        "length of `window` (6) does not match `frame_length` 8",
    ),
    (
        "float[1,6,1] x",
        "l = Constant <value_int = 8> () s = Constant <value_int = 3> () y = STFT (x, s, , l)",
        "D001",
        "frames of 8 are longer than `signal` [1, 6, 1]",
    ),
    (
        "bool[2] c, float[2,3] x",
        "y = If (c) <then_branch = t () => (float[2,3] p) { p = Neg (x) }, else_branch = e () => (float[2,3] q) { q = Abs (x) }>",
        "D003",
        "expected a single boolean for `cond`, got [2]",
    ),
    (
        "bool[] c, float[2,3] x",
        "y = If (c) <then_branch = t () => (float[2,3] p) { p = Neg (x) }, else_branch = e () => (int64[2,3] q) { q = Cast <to = 7> (x) }>",
        "D002",
        "element types of output 0 of the two branches (float32 and int64) do not match",
    ),
    (
        "float[2] x, float[3,2] z, float[4,2] v",
        "y, r = Scan <num_scan_inputs = 2, body = b (float[2] s, float[2] e, float[2] f) => (float[2] t, float[2] o) { t = Add (s, e) o = Add (t, f) }> (x, z, v)",
        "D001",
        "expected 3 slices in input 2, as in the others, got [4, 2]",
    ),
    (
        "float[2,2,3] x, float[2,2] a, float[2,2] b",
        "y = GridSample (x, a)",
        "D003",
        "expected rank 3 or higher for `grid`, got [2, 2]",
    ),
    (
        "float[2,3] x",
        "p = Constant <value_ints = [0,0,0,0]> () a = Constant <value_ints = [1,1]> () y = Pad (x, p, , a)",
        "D004",
        "duplicate axis in `axes` [1, 1]",
    ),
    ("float[2,3] x", "y = Flatten <axis = 5> (x)", "D004", "axis 5 is out of range for rank 2; expected -2 to 2"),
    (
        "float[2,3] x",
        "a = Constant <value_ints = [0,0]> () y = Unsqueeze (x, a)",
        "D004",
        "duplicate axis in `axes` [0, 0]",
    ),
    (
        "float[2,3] x, int64[2] n",
        "y = ReverseSequence <time_axis = 1, batch_axis = 1> (x, n)",
        "D004",
        "`time_axis` and `batch_axis` are both 1",
    ),
    (
        "float[2,3,4] x",
        "a = Constant <value_int = 0> () l = Constant <value_int = 5> () d = Constant <value_int = 0> () y = Range (a, l, d)",
        "A006",
        "expected a `delta` other than 0, got 0",
    ),
    (
        "float[2,3,4] x, float[3,4,5] z",
        'y = Einsum <equation = "ij,jk->ik"> (x, z)',
        "D003",
        "expected rank 2 for input 0 (`ij` in `equation`), got [2, 3, 4]",
    ),
    (
        "float[2,3] x, float[4,5] z",
        'y = Einsum <equation = "ij,jk->ik"> (x, z)',
        "D001",
        "dimension `j` of input 0 (3) and input 1 (4) does not match",
    ),
    (
        "float[2,3] x",
        'y = Einsum <equation = "ij->ik"> (x)',
        "A006",
        "the output term of `equation` `ij->ik` contains `k`, which no input has",
    ),
    (
        "float[2,3] x",
        'y = Einsum <equation = "ij->ii"> (x)',
        "A006",
        "the output term of `equation` `ij->ii` contains a letter twice",
    ),
    (
        "float[2,3] x",
        'y = Einsum <equation = "i1->i"> (x)',
        "A006",
        "expected letters and at most one `...` in each term of `equation`, got `i1`",
    ),
    ("float[3,2] x", 'y = Einsum <equation = "ii->i"> (x)', "D001", "dimensions `i` of input 0 (3 and 2) do not match"),
    (
        "float[4,3] x",
        "z = Constant <value_ints = [-2,6]> () y = Split <axis = 0> (x, z)",
        "A007",
        "expected 1 number in `split` (one per output), got 2",
    ),
    (
        "float[2] x",
        "a = Constant <value_ints = [0]> () z = Constant <value_ints = [4,4,4]> () y = CenterCropPad <axes = [0]> (x, z)",
        "A007",
        "expected 1 number in `shape` (one per axis), got 3",
    ),
    ("float[4] x", "y = Split <num_outputs = 6> (x)", "O003", "expected 6 outputs, got 1"),
    (
        "float[3,4] x, uint8[6,1,16] w, float[6] s",
        "y = MatMulNBits <K = 16, N = 6, bits = 4, block_size = 32> (x, w, s)",
        "D001",
        "expected 16 as the last dimension of `A`, got [3, 4]",
    ),
    (
        "float[3,16] x, uint8[6,1,16] w, float[6] s",
        "y = MatMulNBits <K = 16, N = 6, bits = 4, block_size = 24> (x, w, s)",
        "A006",
        "expected a power of 2 for `block_size`, got 24",
    ),
    (
        "float[2,3,8] q, float[2,3,6] k",
        'y, p = LinearAttention <q_num_heads = 4, kv_num_heads = 3, update_rule = "linear"> (q, k, k)',
        "A006",
        "expected a multiple of the 3 heads of keys and values for `q_num_heads`, got 4",
    ),
    (
        "float[2,3,8] q, float[2,3,5] k",
        'y, p = LinearAttention <q_num_heads = 4, kv_num_heads = 2, update_rule = "linear"> (q, k, k)',
        "D001",
        "last dimension of [2, 3, 5] is not a multiple of the 2 heads",
    ),
    (
        "float[3,4] x",
        "y = Scaler <offset = [0.1,0.2], scale = [1.0,2.0]> (x)",
        "A007",
        "expected 1 number in `offset`, or one per column of [3, 4], got 2",
    ),
    (
        "float[2,3,8] q, float[2,3,8] k",
        'y, p = LinearAttention <q_num_heads = 4, kv_num_heads = 3, update_rule = "linear"> (q, k, k)',
        "A006",
        "expected a multiple of the 3 heads of keys and values for `q_num_heads`, got 4",
    ),
]


@pytest.mark.parametrize(("inputs", "nodes", "code", "message"), MISTAKES)
def test_mistakes(inputs: str, nodes: str, code: str, message: str) -> None:
    found = lint(text(f"{inputs} => float y | {nodes}"))
    wrong = [finding for finding in found if finding.severity == Severity.ERROR and finding.code != "D006"]
    assert [(finding.code, finding.message.partition(": ")[2]) for finding in wrong] == [(code, message)]


def test_notes_lead_to_the_results_of_both_branches() -> None:
    branches = "then_branch = t () => (float[2,3] p) { p = Neg (x) }, else_branch = e () => (int64[2,3] q) { q = Cast <to = 7> (x) }"
    found = lint(text(f"bool[] c, float[2,3] x => float y | y = If (c) <{branches}>"))
    (wrong,) = [finding for finding in found if finding.code == "D002"]
    assert [note.message for note in wrong.related] == ["Neg 'p' outputs float32", "Cast 'q' outputs int64"]
