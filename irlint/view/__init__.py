"""A model as a picture: boxes in boxes, with edges between them."""
