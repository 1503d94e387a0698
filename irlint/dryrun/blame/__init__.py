"""The search for the cause of errors in types: what, if it were different, would leave nothing wrong."""
