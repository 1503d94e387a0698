"""The rules that are found in this format; it has none of its own."""

from __future__ import annotations

from irlint.codes import R

__all__ = ["SHARED", "R"]

SHARED = """
    A001 A002 A003 A005 A006 A007 A008 D001 D006 D007 G005 O001 O002 O003
    R001 R002 R003 R005 R006
    S001 S004 S006 S009 S011 S013 S016 S501
    T501 T502 T503
    W001 W002 W003 W004 W005 X002
"""
