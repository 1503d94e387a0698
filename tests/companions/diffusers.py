"""Planted contradictions in the index of a pipeline."""

from __future__ import annotations

from companions.huggingface import part
from companions.planted import Planted

INDEX = """{
  "_class_name": "StableDiffusionPipeline",
  "_diffusers_version": "0.30.0",
  "safety_checker": [null, null],
  "scheduler": ["diffusers", "PNDMScheduler"],
  "text_encoder": ["diffusers", "OnnxRuntimeModel"],
  "unet": ["diffusers", "OnnxRuntimeModel"],
  "vae_decoder": ["diffusers", "OnnxRuntimeModel"]
}
"""
FILES = {
    "sd/model_index.json": INDEX,
    "sd/scheduler/scheduler_config.json": "{}\n",
    "sd/text_encoder/model.onnx": part("int32[B,S] input_ids", "float[B,S,8] last_hidden_state"),
    "sd/unet/model.onnx": part(
        "float[B,4,H,W] sample, float[B,S,8] encoder_hidden_states", "float[B,4,H,W] out_sample"
    ),
    "sd/vae_decoder/model.onnx": part("float[B,4,H,W] latent_sample", "float[B,3,H,W] sample"),
}
TWO = {  # as optimum writes them: the index of the pipeline before it was converted
    **FILES,
    "sd/model_index.json": INDEX.replace('"vae_decoder"', '"vae"').replace("[null, null]", '["a", "Checker"]'),
    "sd/text_encoder_2/model.onnx": FILES["sd/text_encoder/model.onnx"],
    "sd/unet/model.onnx": FILES["sd/unet/model.onnx"].replace("[B,S,8]", "[B,S,16]"),
}


def planted(old: str, new: str, code: str, token: str, edited: str = "") -> Planted:
    return Planted(FILES, "sd/model_index.json", old, new, code, token, "", edited and f"sd/{edited}/model.onnx")


PLANTED = [
    planted('"vae_decoder"', '"vae_decodr"', "T003", '"vae_decodr"'),
    planted("[B,S,8] encoder", "[B,S,6] encoder", "F004", "[", "unet"),
    planted("[B,4,H,W] latent", "[B,16,H,W] latent", "F004", "[", "vae_decoder"),
]
SILENT = [TWO]
