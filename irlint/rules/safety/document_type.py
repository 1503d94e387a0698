"""X001 document-type."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class DocumentType(Rule):
    """
    What it does
        Checks for a DOCTYPE, and for elements that include other files.

    Why is this bad
        Entities can refer to files and URLs, or grow to gigabytes when they are expanded. No model format needs them.
        irlint never expands an entity and never fetches anything; other XML tools may.

    Example
        ```xml
        <!DOCTYPE net [<!ENTITY path SYSTEM "file:///etc/passwd">]>
        ```

    Use instead
        The file without its DOCTYPE.

    References
        [XML external entities](https://owasp.org/www-community/vulnerabilities/XML_External_Entity_%28XXE%29_Processing)
    """

    row = R.document_type
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(("<net name", '<!DOCTYPE net [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<net name')),
            "openvino",
            "<!DOCTYPE",
        ),
    )
