"""What a model loses if its target computes with numbers of 16 bits: in its constants, and in a run."""
