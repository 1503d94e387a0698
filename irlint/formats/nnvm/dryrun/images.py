"""MXNet's operators on images, regions and boxes: which one of the dry run each is."""

from __future__ import annotations

from irlint.dryrun.entries import Entry, Row, plain, whole
from irlint.dryrun.mapping import Complete
from irlint.formats.nnvm.dryrun.calls import SymbolAttrs, known, length_of


def _enlarging(attrs: SymbolAttrs) -> Complete:
    """The weight of an upsampling by a transposed convolution."""
    scale, kind, units = attrs["scale"], attrs["sample_type"], attrs["num_filter"]
    kernel = 2 * scale - scale % 2
    return lambda _: {1: (units, 1, kernel, kernel)} if kind == "bilinear" else {}


def _transformation(_: SymbolAttrs) -> Complete:
    return lambda tensors: known({1: (length_of(tensors[0], 0), 6)})


CALLS: dict[str, Row] = {
    "UpSampling": Entry("shared/resize.UpSampling", complete=_enlarging, every=True),
    "Crop": whole("mxnet/cropping.Crop"),
    "BilinearSampler": whole("mxnet/sampling.BilinearSampler"),
    "GridGenerator": whole("mxnet/sampling.GridGenerator"),
    "SpatialTransformer": Entry("mxnet/sampling.SpatialTransformer", complete=_transformation, every=True),
    "ROIPooling": whole("shared/regions.RegionPool"),
    "_contrib_ROIAlign": whole("shared/regions.RegionAlign"),
    "_contrib_BilinearResize2D": whole("shared/resize.BilinearResize"),
    "_contrib_AdaptiveAvgPooling2D": whole("mxnet/pool_convention.AvgPoolTo"),
    "_contrib_MultiBoxPrior": whole("mxnet/boxes.MultiBoxPrior"),
    "_contrib_MultiBoxDetection": whole("mxnet/boxes.MultiBoxDetection"),
    "_contrib_box_nms": whole("mxnet/boxes.Nms"),
    "_contrib_box_decode": whole("mxnet/boxes.BoxDecode"),
    "_contrib_box_encode": plain("mxnet/boxes.BoxEncode"),
    "_contrib_bipartite_matching": whole("mxnet/boxes.BipartiteMatching"),
    "_contrib_MultiBoxTarget": whole("mxnet/boxes.MultiBoxTarget"),
    "_contrib_Proposal": whole("mxnet/boxes.RankedProposal"),
    "_contrib_MultiProposal": whole("mxnet/boxes.RankedProposal", many=True),
    "_contrib_PSROIPooling": whole("shared/regions.RegionCells"),
    "_contrib_RROIAlign": whole("shared/regions.RegionCells", width=6),
    "_contrib_box_iou": whole("mxnet/boxes.BoxIou"),
    "Correlation": whole("moving/patches.Correlation"),
    "im2col": whole("moving/patches.Columns"),
    "col2im": whole("moving/patches.FromColumns"),
}
