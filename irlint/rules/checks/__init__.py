"""Rules with a check of their own, found by location: a module is imported when its rule is needed."""
