"""Rules about shapes and dtypes."""
