"""JSON, valid and broken.

`document` asks `read` for the value. Valid text goes to Python's C scanner (`prepare`, `scan`); in other text, the reader
recovers at each error (`read`, then `mend`, `recovery` and `frames`). If the text is broken, `slip` searches for the one or
few tokens whose change makes it valid: `candidates` proposes changes where the text stops matching its schema (`walk`,
`shape`). Its result replaces the reader's errors. `locate` and `edit` handle places of values, for findings and fixes.
"""
