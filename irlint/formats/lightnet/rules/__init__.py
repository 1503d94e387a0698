"""Rules that have a meaning in LightNet only."""
