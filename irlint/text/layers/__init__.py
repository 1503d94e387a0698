"""Lists of layers, one a line, as ncnn and pnnx write them."""
