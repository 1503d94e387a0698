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

    return Call(operator("resize.UpSampling"), given, complete=complete)


def _spatial(attrs: SymbolAttrs) -> Call:
    def complete(tensors: Sequence[Tensor]) -> Known:
        batch = channels(tensors[0], 0)
        return {1: (batch, 6)} if isinstance(batch, int) else {}

    return Call(operator("sampling.SpatialTransformer"), attrs.all(), complete=complete)


CALLS: dict[str, Make] = {
    "UpSampling": _upsampling,
    "Crop": plain("cropping.Crop"),
    "BilinearSampler": plain("sampling.BilinearSampler"),
    "GridGenerator": plain("sampling.GridGenerator"),
    "SpatialTransformer": _spatial,
    "ROIPooling": plain("regions.RegionPool"),
    "_contrib_ROIAlign": plain("regions.RegionAlign"),
    "_contrib_BilinearResize2D": plain("resize.BilinearResize"),
    "_contrib_AdaptiveAvgPooling2D": plain("pool_convention.AvgPoolTo"),
    "_contrib_MultiBoxPrior": plain("boxes.MultiBoxPrior"),
    "_contrib_MultiBoxDetection": plain("boxes.MultiBoxDetection"),
    "_contrib_box_nms": plain("boxes.Nms"),
    "_contrib_box_decode": plain("boxes.BoxDecode"),
    "_contrib_box_encode": bare("boxes.BoxEncode"),
    "_contrib_bipartite_matching": plain("boxes.BipartiteMatching"),
    "_contrib_MultiBoxTarget": plain("boxes.MultiBoxTarget"),
    "_contrib_Proposal": plain("boxes.RankedProposal"),
    "_contrib_MultiProposal": plain("boxes.RankedProposal", many=True),
    "_contrib_PSROIPooling": plain("regions.RegionCells"),
    "_contrib_RROIAlign": plain("regions.RegionCells", width=6),
    "_contrib_box_iou": plain("boxes.BoxIou"),
    "Correlation": plain("patches.Correlation"),
    "im2col": plain("patches.Columns"),
    "col2im": plain("patches.FromColumns"),
}
