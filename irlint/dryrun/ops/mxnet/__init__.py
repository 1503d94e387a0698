"""MXNet's own operators, of which LightNet has some, too."""
