"""Models of speech for sherpa-onnx: the metadata in them that the program reads, and `tokens.txt` next to them."""
