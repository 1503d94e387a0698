"""Labels: the names of the classes of a model, one a line (`labels.txt`, `classes.txt`, `coco.names`) or in JSON (`labels.json`)."""
