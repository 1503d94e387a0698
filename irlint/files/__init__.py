"""Files on disk: reading without blocking, walking folders, replacing without a moment in between."""
