"""Pages of rules about syntax that no reader takes, or not every one."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class SyntaxError(Rule):
    """
    What it does
        Checks for syntax errors: a missing or extra comma, an unmatched bracket, single quotes, words without quotes.
        Each error is reported once, at the token where the reader gives up, and whatever can still be read is checked
        as well. Of a file with merge conflict markers, which git leaves, nothing else is reported.

    Why is this bad
        No loader reads past it, and most print the rest of the file or a bare "parse error" instead of the location.

    Fix safety
        Safe where only one reading is possible, as with a comma before a closing bracket.

        Unsafe where the fix is a guess: a missing bracket is inserted where the layout suggests it, and an extra
        bracket is removed.

    References
        RFC 8259, section 2: which characters may appear where.
    """

    row = R.syntax_error
    fixable = "mixed"


class TruncatedFile(Rule):
    """
    What it does
        Checks for files that end before the last bracket is closed.

    Why is this bad
        A copy was interrupted or a disk was full, and more than the bracket may be missing. Some readers treat the end
        of the file as all missing brackets and load half a model.

    Fix safety
        Appends the closing brackets. Safe where the format's own reader does the same (NNVM). Unsafe elsewhere: more
        than the brackets may be missing.
    """

    row = R.truncated_file
    fixable = "mixed"


class TrailingText(Rule):
    """
    What it does
        Checks for text after the end of the document: a second document, a stray bracket, the remains of a longer file
        that was overwritten.

    Why is this bad
        Some readers ignore it, others refuse the whole file; and it may be the part that was meant.

    Fix safety
        Removes the text. Safe where the format's own reader never reads it (NNVM, LightNet). Unsafe elsewhere: it may
        be the part that was meant.
    """

    row = R.trailing_text
    fixable = "mixed"


class TooDeep(Rule):
    """
    What it does
        Checks for lists and objects that are nested more deeply than the format's reader supports, for most a thousand
        levels.

    Why is this bad
        Recursive readers overflow their stack and crash the process; others stop with an error. No real model is nested
        that deeply.
    """

    row = R.too_deep


class Comment(Rule):
    """
    What it does
        Checks for comments in places where the format has none, such as `//` and `/* */` in JSON.

    Why is this bad
        JSON has no comments. LightNet removes them before it reads the file, so there this is only a note; every other
        reader stops at them.

    Fix safety
        Removes the comments. Safe: the reader refused the file because of them. Comments in LightNet files and listings
        stay, as their readers accept them.

    References
        RFC 8259 does not define comments.
    """

    row = R.comment
    fixable = "safe"


class DuplicateKey(Rule):
    """
    What it does
        Checks for keys that appear twice in one object.

    Why is this bad
        Readers silently drop one of the two values and disagree on which: LightNet keeps the first, Python and MXNet
        keep the last. The file means different models to different programs.

    Fix safety
        Removes the member that the format's own reader ignores. Safe where both values are the same; unsafe where they
        differ, because the reader may be using the wrong one.

    References
        RFC 8259, section 4: names within an object should be unique.
    """

    row = R.duplicate_key
    fixable = "mixed"


class UnusualEscape(Rule):
    r"""
    What it does
        Checks for string escapes that are valid JSON but that the format's own reader does not support. The reader of
        MXNet and TVM supports `\n`, `\r`, `\t`, `\\` and `\"`, and no others.

    Why is this bad
        Python's `json.dump` writes `\u00e9` for é by default; MXNet then refuses a file that every other program reads.

    Fix safety
        Safe: writes the character itself, which is the same string.
    """

    row = R.unusual_escape
    fixable = "safe"
