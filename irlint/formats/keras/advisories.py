"""What classes and code in a configuration do to readers."""

from __future__ import annotations

from irlint.formats.keras.rules import R
from irlint.rules.advisories import Advisory

ADVISORIES = (
    Advisory(
        R.foreign_class,
        (94,),
        "Keras before 3.9 imports the module and calls the class or function that the file names, even in safe mode",
        "CVE-2025-1550",
    ),
    Advisory(
        R.code_in_model,
        (502,),
        "Keras before 3.13.2 loads the SavedModel of a TFSMLayer even in safe mode",
        "CVE-2026-1462",
        token="TFSMLayer",
    ),
    Advisory(R.code_in_model, (94, 502), "a program that loads the file with `safe_mode=False` runs its code"),
)
