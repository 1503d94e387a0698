"""Whether two models compute the same, and after which operator they first differ: both run on the same inputs, value by value."""
