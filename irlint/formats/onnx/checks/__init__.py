"""Rules with their own checks; a module is imported when its rule is looked up."""
