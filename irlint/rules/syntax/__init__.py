"""Rules about the syntax of a file: JSON, XML, encoding."""
