"""Coverage-guided fuzzing: `make fuzz`. One file per harness, the invariants and the seeds beside them."""
