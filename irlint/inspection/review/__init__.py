"""What changed between two models: pairing of nodes, changes of each, of what the files say beside, and reports of them."""
