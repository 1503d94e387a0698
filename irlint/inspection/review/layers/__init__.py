"""The weights of layers, and what scales and shifts their results: two layers with the same are the same in any layout."""
