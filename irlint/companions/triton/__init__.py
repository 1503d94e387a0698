"""Triton Inference Server's `config.pbtxt`: how the server runs a model of its repository."""

from irlint.companions.triton.companion import Triton

COMPANION = Triton()
