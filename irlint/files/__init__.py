"""Files on disk: reading without blocking, walking folders, atomic replacement."""
