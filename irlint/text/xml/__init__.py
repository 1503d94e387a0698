"""XML: read, searched and mended, with the place of each part."""
