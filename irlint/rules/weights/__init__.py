"""Rules about weights and other files beside the model."""
