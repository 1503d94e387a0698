"""Kernels against what their operators mean, written out as loops; beforehand the shapes, and small integers themselves."""

from __future__ import annotations

import numpy as np
import pytest

from irlint.dryrun.infer import apply
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.running.run import abstract

from .naive_numbers import CASES

TIMES = 12


@pytest.mark.parametrize("word", CASES)
def test_a_kernel_does_what_its_operator_means(word: str) -> None:
    random = np.random.default_rng(0)
    for _ in range(TIMES):
        operands, attrs, expected = CASES[word](random)
        before = [None if each is None else np.array(each) for each in operands]
        found = operator(word).run(*operands, **attrs)
        outputs = [np.asarray(array) for array in (found if isinstance(found, list | tuple) else [found])]
        said = apply(Call(operator(word), attrs), [abstract(each) for each in operands])
        for wanted, array, kind in zip(expected, outputs, said, strict=False):
            np.testing.assert_allclose(array, wanted, 1e-4, 1e-5, err_msg=f"{word} {attrs}")
            assert (kind.dtype, array.dtype) == (wanted.dtype.name, wanted.dtype)
            for dim, length in zip(kind.shape or (), wanted.shape, strict=kind.shape is not None):
                assert dim == length or not isinstance(dim, int)
            if kind.value is not None and None not in kind.value:
                assert list(kind.value) == wanted.reshape(-1).tolist()
        for array, kept in zip(operands, before, strict=True):
            assert array is None or np.array_equal(array, kept), f"{word} changes its operands"
