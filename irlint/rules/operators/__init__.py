"""Rules about operators, their number of inputs and their versions."""
