"""Rules with a check of their own, found by being here: a module is imported when its rule is looked for."""
