"""Rules about graphs that load but carry dead or doubled parts."""
