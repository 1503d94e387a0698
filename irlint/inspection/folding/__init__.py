"""What an optimizer explains of the differences between two versions of a model."""
