"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, OPENVINO, openvino


class DocumentType(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(
            openvino(("<net name", '<!DOCTYPE net [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<net name')),
            "openvino",
            "<!DOCTYPE",
        ),
    )


class UnsafePath(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Case(OPENVINO, "openvino", links={"model.bin": "/etc/hostname"}),)


class CheckIncomplete(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)


class InternalError(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
