"""Models with one planted defect each, real runtimes as judges of them, and figures of how irlint finds and repairs them."""
