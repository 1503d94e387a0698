"""Rules about weights and other files next to the model."""
