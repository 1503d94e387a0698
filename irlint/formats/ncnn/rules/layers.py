"""Pages of rules about layers."""

from __future__ import annotations

from irlint.formats.ncnn.rules import R
from irlint.rules.base import Rule


class LongWord(Rule):
    """
    What it does
        Checks for numbers of more than 15 characters, and for words that are too long for any release.

    Why is this bad
        Releases up to 20260526 read 15 characters of a number and take the rest for the next parameter: they refuse the file, or use
        a wrong value. Later releases read 127 characters of a number, and 255 of a name or text.

    Fix safety
        Safe: the fix writes the shortest number with the same value in single precision. Names have no fix.
    """

    row = R.long_word
    formats = ("ncnn",)
    fixable = "safe"


class MissingSplit(Rule):
    """
    What it does
        Checks for blobs that several layers read. Each reader needs an output of its own, which a Split layer gives it.

    Why is this bad
        ncnn frees a blob after its first reader. For the second reader it computes the blob again, up to the network's inputs, which are
        freed as well: extraction fails with -100, or the process crashes. Converters insert Split layers; they get lost when layers are
        cut out or rewired by hand. A blob that is computed from MemoryData alone can be read any number of times.

    Fix safety
        Safe: the fix inserts a Split below each layer whose blob is read several times, and corrects the counts. The network computes the
        same. Unsafe if a blob above the last of these readers is unused: that one may have been meant.
    """

    row = R.missing_split
    formats = ("ncnn",)
    fixable = "mixed"
