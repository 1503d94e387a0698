"""Pages of the rules for ncnn; its passes report them."""
