"""A survey of many models: figures that take little memory however many there are, and the page that shows them."""
