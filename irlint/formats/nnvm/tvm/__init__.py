"""Files of TVM's graph executor."""
