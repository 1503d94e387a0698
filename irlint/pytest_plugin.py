"""The plug-in for pytest: the fixture `irlint_model`. pytest loads it at every start, so irlint itself is imported on first use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from irlint import Finding

    Check = Callable[..., list[Finding]]


@pytest.fixture(scope="session")
def irlint_model() -> Check:
    """Check a model and fail the test with irlint's report: irlint_model(path_or_ModelProto, fail_on="warning")."""

    def check(model: Any, **options: Any) -> list[Finding]:
        __tracebackhide__ = True
        import irlint

        try:
            return irlint.check_model(model, **options)
        except irlint.ModelError as error:
            report = str(error)
        except FileNotFoundError:
            report = f"irlint: {model}: no such file; the current folder is {Path.cwd()}"
        except OSError as error:
            report = f"irlint: {error}"
        return pytest.fail(report, pytrace=False)

    return check
