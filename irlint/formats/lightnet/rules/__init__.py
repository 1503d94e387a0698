"""Rules that apply only to LightNet."""
