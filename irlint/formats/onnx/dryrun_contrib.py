CALLS = {}
