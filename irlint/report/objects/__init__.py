"""Reports by objects of stores: a record each."""
