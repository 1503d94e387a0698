"""MXNet's operators on images, regions and boxes: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import Known, Make, SymbolAttrs, bare, channels, plain


def _upsampling(attrs: SymbolAttrs) -> Call:
    given = attrs.all()
    scale = given["scale"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        if given["sample_type"] != "bilinear" or len(tensors) < 2:
            return {}
        kernel = 2 * scale - scale % 2
        return {1: (given["num_filter"], 1, kernel, kernel)}

    return Call(operator("shared/resize.UpSampling"), given, complete=complete)


def _spatial(attrs: SymbolAttrs) -> Call:
    def complete(tensors: Sequence[Tensor]) -> Known:
        batch = channels(tensors[0], 0)
        return {1: (batch, 6)} if isinstance(batch, int) else {}

    return Call(operator("mxnet/sampling.SpatialTransformer"), attrs.all(), complete=complete)


CALLS: dict[str, Make] = {
    "UpSampling": _upsampling,
    "Crop": plain("mxnet/cropping.Crop"),
    "BilinearSampler": plain("mxnet/sampling.BilinearSampler"),
    "GridGenerator": plain("mxnet/sampling.GridGenerator"),
    "SpatialTransformer": _spatial,
    "ROIPooling": plain("shared/regions.RegionPool"),
    "_contrib_ROIAlign": plain("shared/regions.RegionAlign"),
    "_contrib_BilinearResize2D": plain("shared/resize.BilinearResize"),
    "_contrib_AdaptiveAvgPooling2D": plain("mxnet/pool_convention.AvgPoolTo"),
    "_contrib_MultiBoxPrior": plain("mxnet/boxes.MultiBoxPrior"),
    "_contrib_MultiBoxDetection": plain("mxnet/boxes.MultiBoxDetection"),
    "_contrib_box_nms": plain("mxnet/boxes.Nms"),
    "_contrib_box_decode": plain("mxnet/boxes.BoxDecode"),
    "_contrib_box_encode": bare("mxnet/boxes.BoxEncode"),
    "_contrib_bipartite_matching": plain("mxnet/boxes.BipartiteMatching"),
    "_contrib_MultiBoxTarget": plain("mxnet/boxes.MultiBoxTarget"),
    "_contrib_Proposal": plain("mxnet/boxes.RankedProposal"),
    "_contrib_MultiProposal": plain("mxnet/boxes.RankedProposal", many=True),
    "_contrib_PSROIPooling": plain("shared/regions.RegionCells"),
    "_contrib_RROIAlign": plain("shared/regions.RegionCells", width=6),
    "_contrib_box_iou": plain("mxnet/boxes.BoxIou"),
    "Correlation": plain("moving/patches.Correlation"),
    "im2col": plain("moving/patches.Columns"),
    "col2im": plain("moving/patches.FromColumns"),
}
