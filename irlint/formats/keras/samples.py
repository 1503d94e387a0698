"""Samples of configurations."""

from __future__ import annotations

from irlint.formats.samples import Sample

KERAS_3 = """{
  "module": "keras.src.models.functional", "class_name": "Functional", "registered_name": "Functional",
  "config": {
    "name": "digits", "trainable": true,
    "layers": [
      {"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 8], "dtype": "float32", "name": "image"},
       "registered_name": null, "name": "image", "inbound_nodes": []},
      {"module": "keras.layers", "class_name": "Dense", "config": {"name": "hidden", "units": 4, "activation": "relu"},
       "registered_name": null, "name": "hidden", "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__",
        "config": {"shape": [null, 8], "dtype": "float32", "keras_history": ["image", 0, 0]}}], "kwargs": {}}]},
      {"module": "keras.layers", "class_name": "Dense", "config": {"name": "scores", "units": 3},
       "registered_name": null, "name": "scores", "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__",
        "config": {"shape": [null, 4], "dtype": "float32", "keras_history": ["hidden", 0, 0]}}], "kwargs": {}}]}
    ],
    "input_layers": [["image", 0, 0]], "output_layers": [["scores", 0, 0]]
  }
}
"""
KERAS_2 = """{
  "class_name": "Functional", "keras_version": "2.15.0", "backend": "tensorflow",
  "config": {
    "name": "digits",
    "layers": [
      {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "dtype": "float32", "name": "image"}, "name": "image",
       "inbound_nodes": []},
      {"class_name": "Dense", "config": {"name": "hidden", "units": 4, "activation": "relu"}, "name": "hidden",
       "inbound_nodes": [[["image", 0, 0, {}]]]},
      {"class_name": "Dense", "config": {"name": "scores", "units": 3}, "name": "scores", "inbound_nodes": [[["hidden", 0, 0, {}]]]}
    ],
    "input_layers": [["image", 0, 0]], "output_layers": [["scores", 0, 0]]
  }
}
"""

NAMES = ("image", "hidden", "scores")
SAMPLES = (
    Sample("keras-3", "config.json", KERAS_3.encode(), NAMES),
    Sample("keras-2", "model.json", KERAS_2.encode(), NAMES),
)
