"""Output formats: `write(files, stream, options)` each; `report.FORMATS` lists them."""
