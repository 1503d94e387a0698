"""JSON, sound and broken.

`document` asks `read` for the value: sound text goes to Python's C scanner (`prepare`, `scan`), and what that cannot
read is read on by guess, error by error (`read`, then `mend`, `recovery` and `frames`). If the text is broken, `slip`
looks for the one sign, or the few, whose change makes sense of it: `candidates` proposes changes at the place where the
text stops to fit its schema (`walk`, `shape`). What it finds replaces what the reader reported. `locate` and `edit` are
about places of values, for findings and fixes.
"""
