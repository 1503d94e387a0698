"""timm: image models of many architectures, the smallest of each."""

from __future__ import annotations

from collections.abc import Iterator

import timm
import torch
from cases import Built, Case, converted

MODELS = (
    "beit_base_patch16_224", "botnet26t_256", "cait_xxs24_224", "caformer_s18", "coat_lite_tiny", "coatnet_nano_rw_224",
    "convmixer_768_32", "convnext_atto", "convnext_tiny", "convnextv2_atto", "crossvit_9_240", "cspdarknet53",
    "davit_tiny", "deit_tiny_patch16_224", "dla46_c", "dm_nfnet_f0", "dpn48b", "eca_halonext26ts", "edgenext_xx_small",
    "efficientformer_l1", "efficientformerv2_s0", "efficientnet_lite0", "efficientvit_b0", "efficientvit_m0",
    "ese_vovnet19b_dw", "eva02_tiny_patch14_224", "fastvit_t8", "fastvit_sa12", "focalnet_tiny_srf", "gcvit_xxtiny", "gernet_s",
    "ghostnet_100", "gmixer_24_224", "gmlp_s16_224", "halonet26t", "hardcorenas_a", "hgnetv2_b0", "hiera_tiny_224",
    "hrnet_w18_small", "inception_next_tiny", "inception_v4", "lambda_resnet26t", "lcnet_050", "levit_128s", "mambaout_femto",
    "maxvit_nano_rw_256", "mixer_s32_224", "mobilenetv3_small_050", "mobilenetv4_conv_small", "mobileone_s0", "mobilevit_xxs",
    "mobilevitv2_050", "mvitv2_tiny", "nest_tiny", "nf_regnet_b0", "pit_ti_224", "poolformer_s12", "pvt_v2_b0", "regnetx_002",
    "regnety_002", "regnetz_b16", "repghostnet_050", "repvgg_a0", "repvit_m0_9", "res2net50_14w_8s", "resmlp_12_224",
    "resnest14d", "resnet10t", "resnetv2_50", "rexnet_100", "selecsls42b", "sequencer2d_s", "seresnext26d_32x4d", "skresnet18",
    "starnet_s1", "swiftformer_xs", "swin_tiny_patch4_window7_224", "swinv2_cr_tiny_224", "swinv2_tiny_window8_256",
    "tf_efficientnet_b0", "tf_efficientnetv2_b0", "tiny_vit_5m_224", "tinynet_e", "tnt_s_legacy_patch16_224",
    "twins_svt_small", "visformer_tiny", "vit_base_patch16_224", "vit_tiny_patch16_224", "volo_d1_224", "xception41",
    "xcit_nano_12_p8_224",
)  # fmt: skip
OPEN = ("vit_tiny_patch16_224", "resnet10t", "mobilenetv3_small_050", "poolformer_s12")


def cases() -> Iterator[Case]:
    for name in MODELS:
        yield Case(name, lambda name=name: image(name))
    for name in OPEN:
        yield Case(f"{name}_open", lambda name=name: image(name, fixed=False))


def image(name: str, fixed: bool = True) -> Built:
    module = timm.create_model(name, pretrained=False)
    size = module.default_cfg.get("fixed_input_size") and module.default_cfg["input_size"][-1]
    size = size or module.default_cfg["input_size"][-1]
    return converted(module, torch.rand(1, 3, size, size), fixed=fixed)
