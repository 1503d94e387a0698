"""DeepStream: configurations of nvinfer (`config_infer_primary.txt`, or the same in YAML), which runs a model on the frames of videos."""
