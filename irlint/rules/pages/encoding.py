"""Pages of rules about the bytes and characters of a file."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class EmptyFile(Rule):
    """
    What it does
        Checks for files without content.

    Why is this bad
        They are left behind by interrupted downloads and full disks. LightNet aborts on one; other readers report an
        error at the first character.
    """

    row = R.empty_file


class UnrecognizedFile(Rule):
    """
    What it does
        Checks for files named on the command line that are not in a supported model format, and reports what they seem
        to be: a web page in place of the download, a Git LFS pointer, an archive, another format.

    Why is this bad
        A check that silently skips the file it was asked to check would be worse than none. Files found in a folder are
        skipped; `--skip-unrecognized` skips named ones too.
    """

    row = R.unrecognized_file


class WrongMagic(Rule):
    """
    What it does
        Checks for the number 7767517 at the beginning of a list of layers.

    Why is this bad
        ncnn refuses the file ("param is too old, please regenerate"), whatever else it contains. pnnx does not look at
        the number: there it is a warning.

    Fix safety
        Safe: no runtime needs another number.
    """

    row = R.wrong_magic
    fixable = "safe"


class UnusualEncoding(Rule):
    """
    What it does
        Checks for files in an encoding other than UTF-8, usually UTF-16 as PowerShell's `>` writes it.

    Why is this bad
        JSON readers expect UTF-8: they stop at the first byte. Some XML readers accept other encodings, others do not.
    """

    row = R.unusual_encoding


class InvalidUtf8(Rule):
    r"""
    What it does
        Checks for bytes that are not valid UTF-8, usually in names that a program wrote in Latin-1 or in the machine's
        code page.

    Why is this bad
        Readers that compare bytes accept the name; Python, Java and JavaScript tools refuse the file or replace the
        byte, so that a name no longer equals itself.

    References
        RFC 8259, section 8.1: JSON text exchanged between systems is encoded in UTF-8.
    """

    row = R.invalid_utf8


class ByteOrderMark(Rule):
    r"""
    What it does
        Checks for a byte order mark (EF BB BF) at the start of the file, as some Windows editors write it.

    Why is this bad
        Editors do not show it, but strict readers stop at it: the file seems broken at its first character.

    Fix safety
        Safe: removes the mark and changes nothing else.

    References
        RFC 8259, section 8.1: a byte order mark must not be added.
    """

    row = R.byte_order_mark
    fixable = "safe"


class NulCharacter(Rule):
    r"""
    What it does
        Checks for NUL characters, written as a byte or as the escape `\u0000`.

    Why is this bad
        In C programs a NUL ends the text: the name is silently shortened, or the rest of the file is lost.
    """

    row = R.nul_character


class ControlCharacter(Rule):
    r"""
    What it does
        Checks for tabs, line breaks and other control characters that are not escaped inside a string.

    Why is this bad
        JSON requires escapes for them. Lenient readers keep the characters, strict ones stop.

    Fix safety
        Safe: writes the escape, which is the same string.

    References
        RFC 8259, section 7.
    """

    row = R.control_character
    fixable = "safe"


class LoneSurrogate(Rule):
    r"""
    What it does
        Checks for escapes such as `\ud83d` that are one half of a surrogate pair without the other half.

    Why is this bad
        They do not encode a character, cannot be written as UTF-8, and make readers stop or print replacement
        characters. They come from text that was cut in the middle of an emoji.

    References
        RFC 8259, section 8.2.
    """

    row = R.lone_surrogate
