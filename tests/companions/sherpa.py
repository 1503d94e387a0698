"""Planted contradictions in models of speech, as sherpa-onnx 2.0.1 refuses them or reads past the end, and in their tokens."""

from __future__ import annotations

from companions.planted import Planted, zeros


def speech(inputs: str, outputs: str, body: str, **keys: str) -> str:
    """A model as text, with metadata."""
    listed = ", ".join(f'"{key}" : "{value}"' for key, value in keys.items())
    return f"""<ir_version: 8, opset_import: ["" : 17], metadata_props: [{listed}]>
net ({inputs}) => ({outputs}) {{
{body}}}
"""


def given(names: str, to: str = "new_") -> str:
    return "".join(f"   [{name}] {to}{name} = Identity ({name})\n" for name in names.split())


DECODER = speech(
    "int64[N,2] y",
    "float[N,2] decoder_out",
    "   [a] decoder_out = Cast <to: int = 1> (y)\n",
    vocab_size="500",
    context_size="2",
)
ZIPFORMER = speech(
    "float[N,45,80] x, float[32,N,8] cached_key_0, float[1,N,32,8] cached_nonlin_attn_0, float[32,N,8] cached_val1_0, float[32,N,8] cached_val2_0,"
    " float[N,16,15] cached_conv1_0, float[N,16,15] cached_conv2_0, float[N,16,3,19] embed_states, int64[N] processed_lens",
    "float[N,45,80] encoder_out",
    "   [a] encoder_out = Identity (x)\n",
    model_type="zipformer2", T="45", decode_chunk_len="32", encoder_dims="16", query_head_dims="8", value_head_dims="8", num_heads="1",
    num_encoder_layers="1", cnn_module_kernels="31", left_context_len="32",
)  # fmt: skip
WENET = speech(
    "float[N,T,80] x, int64[N] x_lens", "float[N,T,80] logits, int64[N] logits_len",
    "   [a] logits = Identity (x)\n   [b] logits_len = Identity (x_lens)\n", model_type="wenet_ctc", vocab_size="80", subsampling_factor="4",
)  # fmt: skip
PARAFORMER = speech(
    "float[N,T,4] speech, int32[N] speech_lengths", "float[N,T,4] logits, int32[N] token_num",
    "   [a] logits = Identity (speech)\n   [b] token_num = Identity (speech_lengths)\n", model_type="paraformer", vocab_size="4",
    lfr_window_size="1", lfr_window_shift="1", neg_mean="1,2,3,4", inv_stddev="1,2,3,4",
)  # fmt: skip
UVR = speech(
    "float[N,4,8,16] input", "float[N,4,8,16] output", "   [a] output = Identity (input)\n", model_type="UVR", stems="2", sample_rate="44100",
    n_fft="16", center="1", window_type="hann", win_length="16", hop_length="4", dim_t="16", dim_f="8", dim_c="4",
)  # fmt: skip
GTCRN = speech(
    "float[1,257,1,2] mix, float[2,1,16,16,33] conv_cache, float[2,3,1,1,16] tra_cache, float[2,1,33,16] inter_cache",
    "float[1,257,1,2] enh", "   [a] enh = Identity (mix)\n", model_type="gtcrn", version="1", sample_rate="16000", n_fft="512", hop_length="256",
    window_length="512", window_type="hann_sqrt", conv_cache_shape="2,1,16,16,33", tra_cache_shape="2,3,1,1,16", inter_cache_shape="2,1,33,16",
)  # fmt: skip
SPEAKER = speech(
    "float[N,T,80] feats", "float[N,192] embs", "   [a] m = ReduceMean <axes = [1, 2], keepdims = 1> (feats)\n   [s] s = Constant <value: tensor = int64[3] {1,1,192}> ()\n"
    "   [e] e = Expand (m, s)\n   [q] k = Constant <value: tensor = int64[1] {1}> ()\n   [r] embs = Squeeze (e, k)\n", framework="wespeaker", language="English", sample_rate="16000", output_dim="192", normalize_samples="0",
)  # fmt: skip
PIPER = speech(
    "int64[N,P] input, int64[N] input_lengths, float[3] scales", "float[N,P] output", "   [a] output = Cast <to: int = 1> (input)\n",
    model_type="vits", comment="piper", language="German", voice="de", has_espeak="1", n_speakers="1", sample_rate="22050",
)  # fmt: skip
MARKS = speech(
    "int64[N,T] inputs, int64[N] text_lengths", "float[N,T,6] logits",
    "   [a] x = Cast <to: int = 1> (inputs)\n   [b] i = Constant <value: tensor = int64[1] {2}> ()\n   [c] u = Unsqueeze (x, i)\n   [d] s = Constant <value: tensor = int64[3] {1,1,6}> ()\n   [e] logits = Expand (u, s)\n",
    model_type="ct_transformer", tokens="a|b|<unk>", vocab_size="3", punctuations="<unk>|_|，|。|？|、", unk_symbol="<unk>",
)  # fmt: skip
JOINER = speech(
    "float[N,5] encoder_out, float[N,5] decoder_out", "float[N,5] logit", "   [a] logit = Add (encoder_out, decoder_out)\n", note="x",
)  # fmt: skip
TOKENS = "<blk> 0\n<sos/eos> 1\n<unk> 2\n▁a 3\n▁the 4\n#0 5\n"
FILES = {
    "asr/decoder.onnx": DECODER, "asr/encoder.onnx": ZIPFORMER, "asr/wenet.onnx": WENET, "asr/paraformer.onnx": PARAFORMER, "asr/uvr.onnx": UVR,
    "asr/gtcrn.onnx": GTCRN, "asr/speaker.onnx": SPEAKER, "asr/piper.onnx": PIPER, "asr/marks.onnx": MARKS,
}  # fmt: skip
LIST = {"asr/tokens.txt": TOKENS, "asr/joiner.onnx": JOINER}


def planted(file: str, old: str, new: str, code: str, token: str) -> Planted:
    files = FILES if file != "tokens.txt" else LIST
    return Planted(
        {f"asr/{file}": files[f"asr/{file}"]} if files is FILES else LIST, f"asr/{file}", old, new, code, token
    )


def without(key: str, value: str) -> tuple[str, str]:
    return f'"{key}" : "{value}"', '"note" : "x"'


CTC = speech(
    "float[N,T,5] x", "float[N,T,5] logits", "   [a] logits = Identity (x)\n", model_type="EncDecCTCModel", vocab_size="5", subsampling_factor="4",
)  # fmt: skip
CTC_LIST = {"asr/tokens.txt": "a 0\nb 1\nc 2\nd 3\n<blk> 4\n", "asr/model.onnx": CTC}
PARTS = {
    **LIST,
    "asr/decoder.onnx": speech("int64[N,2] y", "float[N,5] decoder_out", "   [a] decoder_out = Cast <to: int = 1> (y)\n", vocab_size="5", context_size="2"),
}  # fmt: skip
ADDED = speech(
    "float[N,5] encoder_out, float[N,5] decoder_out", "float[N,5] logit", "   [a] logit = Add (encoder_out, decoder_out)\n", joiner_dim="5",
)  # fmt: skip
SPOKEN = f"""<ir_version: 8, opset_import: ["" : 17], metadata_props: [
   "model_type" : "vits", "comment" : "ljs", "language" : "English", "n_speakers" : "3", "sample_rate" : "22050"]>
net (int64[N,P] x, int64[N] sid) => (float[N,P,2] y) <{zeros("emb", 5, 2)}, {zeros("speakers", 3, 1)}> {{
   [a] words = Gather (emb, x)
   [b] who = Gather (speakers, sid)
   [c] i = Constant <value: tensor = int64[1] {{2}}> ()
   [d] wide = Unsqueeze (who, i)
   [e] y = Add (words, wide)
}}
"""
VOICE = {"tts/tokens.txt": "_ 0\na 1\nb 2\nc 3\nd 4\n", "tts/model.onnx": SPOKEN}


def listed(files: dict[str, str], old: str, new: str, code: str, token: str, edited: str = "") -> Planted:
    return Planted(files, "asr/tokens.txt", old, new, code, token, edited=edited)


PLANTED = [
    listed(CTC_LIST, "<blk> 4", "e 4", "F008", "e 4"),
    listed(CTC_LIST, "<blk> 4", "<blk> 4\ne 5\nf 6\ng 7", "F008", "g 7"),
    listed(CTC_LIST, "c 2", "c 1", "R005", "c 1"),
    listed(PARTS, '"vocab_size" : "5"', '"vocab_size" : "7"', "F008", "<blk> 0", "asr/decoder.onnx"),
    listed(PARTS, "float[N,5] decoder_out", "float[N,9] decoder_out", "F004", "<blk> 0", "asr/joiner.onnx"),
    listed(LIST, TOKENS, "a\nb\nc\nd\ne\nf\ng\nh\n", "T006", "a"),
    planted("encoder.onnx", '"zipformer2"', '"zipformer3"', "T006", '"zipformer3"'),
    planted("encoder.onnx", *without("model_type", "zipformer2"), "T002", '"32"'),
    planted("encoder.onnx", '"encoder_dims" : "16"', '"encoder_dims" : "24"', "F004", '"24"'),
    planted("encoder.onnx", '"left_context_len" : "32"', '"left_context_len" : "64"', "F004", '"64"'),
    planted("encoder.onnx", '"cnn_module_kernels" : "31"', '"cnn_module_kernels" : "15"', "F004", '"15"'),
    planted("encoder.onnx", '"decode_chunk_len" : "32"', '"decode_chunk_len" : "64"', "F007", '"64"'),
    planted("wenet.onnx", '"wenet_ctc"', '"wenet_ct"', "T006", '"wenet_ct"'),
    planted("wenet.onnx", *without("model_type", "wenet_ctc"), "T002", '"4"'),
    planted("tokens.txt", "▁the 4\n#0 5\n", "", "F008", "▁a 3"),
    planted("tokens.txt", "▁the 4", "▁the", "T006", "▁the"),
    planted("decoder.onnx", *without("vocab_size", "500"), "T002", '"2"'),
    planted("decoder.onnx", '"context_size" : "2"', '"context_size" : "3"', "F004", '"3"'),
    planted("decoder.onnx", '"500"', '"V"', "T006", '"V"'),
    planted("decoder.onnx", '"500"', '"-1"', "T006", '"-1"'),
    planted("encoder.onnx", *without("T", "45"), "T002", '"zipformer2"'),
    planted("encoder.onnx", '"left_context_len"', '"left_context"', "T002", '"zipformer2"'),
    planted("encoder.onnx", '"num_encoder_layers" : "1"', '"layers" : "1"', "T002", '"zipformer2"'),
    planted("gtcrn.onnx", '"conv_cache_shape"', '"conv_shape"', "T002", '"gtcrn"'),
    planted("encoder.onnx", '"T" : "45"', '"T" : "39"', "F004", '"39"'),
    planted("encoder.onnx", '"num_encoder_layers" : "1"', '"num_encoder_layers" : "2"', "F008", '"2"'),
    planted("encoder.onnx", '"encoder_dims" : "16"', '"encoder_dims" : "16,32"', "T004", '"16,32"'),
    planted("encoder.onnx", '"encoder_dims" : "16"', '"encoder_dims" : "16 32"', "T006", '"16 32"'),
    planted("encoder.onnx", "float[N,45,80] x", "float[N,77,80] x", "F004", '"45"'),
    planted("wenet.onnx", *without("vocab_size", "80"), "T002", '"wenet_ctc"'),
    planted("wenet.onnx", '"vocab_size" : "80"', '"vocab_size" : "81"', "F004", '"81"'),
    planted("paraformer.onnx", *without("lfr_window_size", "1"), "T002", '"paraformer"'),
    planted("paraformer.onnx", '"neg_mean" : "1,2,3,4"', '"neg_mean" : "1,2,3"', "F004", '"1,2,3"'),
    planted("paraformer.onnx", '"inv_stddev" : "1,2,3,4"', '"inv_stddev" : "1,2,3"', "T004", '"1,2,3"'),
    planted("paraformer.onnx", '"inv_stddev" : "1,2,3,4"', '"inv_stddev" : "1,2,x,4"', "T006", '"1,2,x,4"'),
    planted("uvr.onnx", '"dim_t" : "16"', '"dim_t" : "32"', "F004", '"32"'),
    planted("uvr.onnx", '"stems" : "2"', '"stems" : "4"', "T006", '"4"'),
    planted("uvr.onnx", *without("window_type", "hann"), "T002", '"UVR"'),
    planted("gtcrn.onnx", '"2,1,33,16"', '"2,1,33,32"', "F004", '"2,1,33,32"'),
    planted("gtcrn.onnx", *without("version", "1"), "T002", '"gtcrn"'),
    planted("speaker.onnx", '"192"', '"256"', "F004", '"256"'),
    planted("speaker.onnx", *without("language", "English"), "T002", '"wespeaker"'),
    planted("piper.onnx", *without("sample_rate", "22050"), "T002", '"vits"'),
    planted("piper.onnx", *without("language", "German"), "T002", '"vits"'),
    planted("piper.onnx", *without("comment", "piper"), "T002", '"vits"'),
    planted("marks.onnx", '"vocab_size" : "3"', '"vocab_size" : "4"', "F008", '"4"'),
    planted("marks.onnx", '"unk_symbol" : "<unk>"', '"unk_symbol" : "[UNK]"', "T006", '"[UNK]"'),
]  # fmt: skip
PLANTED += [
    Planted({"asr/ctc.onnx": CTC}, "asr/ctc.onnx", '"vocab_size" : "5"', '"vocab_size" : "9"', "F004", '"9"'),
    Planted(
        {"asr/joiner.onnx": ADDED}, "asr/joiner.onnx", '"joiner_dim" : "5"', '"joiner_dim" : "512"', "F004", '"512"'
    ),
    Planted({"tts/model.onnx": SPOKEN}, "tts/model.onnx", '"n_speakers" : "3"', '"n_speakers" : "9"', "F008", '"9"'),
    Planted(VOICE, "tts/tokens.txt", "d 4", "d 4\ne 5", "F008", "e 5"),
]
SILENT = [{**LIST, **{name: text for name, text in FILES.items() if "coder" not in name}}]
