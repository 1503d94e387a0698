"""The description of a data set for Ultralytics (`data.yaml`), next to a model that was trained on it."""
