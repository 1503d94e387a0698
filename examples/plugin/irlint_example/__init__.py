"""An example rule and an example format."""
