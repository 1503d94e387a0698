"""MXNet's linear algebra: which operator of the dry run each is."""

from __future__ import annotations

from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.nnvm.dryrun.calls import Make, bare, plain

CALLS: dict[str, Make] = {
    "_linalg_potrf": plain("linear.Cholesky"),
    "_npi_cholesky": plain("linear.Cholesky"),
    "_linalg_potri": plain("linear.CholeskyInverse"),
    "_linalg_inverse": bare("linear.Inverse"),
    "_linalg_det": bare("linear.Determinant"),
    "_linalg_slogdet": bare("linear.Determinant", logarithm=True),
    "_linalg_sumlogdiag": bare("linear.SumOfLogDiagonal"),
    "_linalg_syevd": bare("linear.Eigen"),
    "_linalg_gelqf": bare("linear.LQ"),
    "_linalg_syrk": plain("linear.SelfProduct"),
    "_linalg_trmm": plain("linear.Triangular"),
    "_linalg_trsm": plain("linear.Triangular", solve=True),
    "_linalg_extractdiag": plain("linear.ExtractDiagonal"),
    "_linalg_makediag": plain("linear.MakeDiagonal"),
    "_linalg_extracttrian": plain("linear.ExtractTriangle"),
    "_linalg_maketrian": plain("linear.MakeTriangle"),
    "_npi_solve": lambda attrs: Call(operator("linear.Solve"), {"wide": True}),
}
