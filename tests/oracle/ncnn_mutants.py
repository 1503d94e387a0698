"""Mistakes that people make in .param files and with the .bin next to them. Each knows the lines on which the mistake can be seen."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

from oracle import ncnn_wrong_graph as graph
from oracle import ncnn_wrong_words as words
from oracle.ncnn_lines import Made, Model, Way, model

WeightsWay = Callable[[bytes, random.Random], "tuple[str, bytes] | None"]
FLAGS = (0x01306B47, 0x000D4B38, 1, 0x01000000, 0)  # of 16 bits, of 8 bits, of a table, and none

WAYS: tuple[Way, ...] = (
    graph.layer_count, graph.blob_count, graph.counts_swapped, graph.magic, graph.line_of_head_gone, graph.input_count, graph.output_count, graph.blob_gone, graph.blob_doubled, graph.blob_misspelt, graph.blob_misspelt,
    graph.output_misspelt, graph.wrong_input, graph.output_of_another, graph.name_of_another, graph.inputs_swapped, graph.type_misspelt, graph.type_in_other_case, graph.type_of_another_framework,
    graph.type_gone, graph.lines_swapped, graph.layer_gone, graph.layer_gone_counted, graph.layer_cut_out, graph.layer_doubled, graph.layer_doubled_counted, graph.split_gone, graph.split_gone,
    graph.split_of_other_number, graph.input_shape, words.id_changed, words.parameter_gone, words.parameter_gone, words.parameter_doubled, words.value_off, words.value_off, words.value_off, words.weight_size,
    words.int_as_float, words.float_as_int, words.value_gone, words.space_in_parameter, words.array_count, words.array_key, words.array_items, words.parameter_before_blobs, words.crlf, words.byte_order_mark,
    words.blank_lines, words.tabs, words.comment, words.comment_behind, words.cut_off, words.lines_merged, words.line_cut,
)  # fmt: skip
HARMLESS = (words.crlf, words.blank_lines, words.tabs)  # a second mistake has to be one


def two(of: Model, rng: random.Random) -> Made | None:
    """Two mistakes, the second of which does not move the first."""
    first = rng.choice([way for way in WAYS if way not in HARMLESS])(of, rng)
    if first is None:
        return None
    second = rng.choice([way for way in WAYS if way not in HARMLESS])(model(first.text), rng)
    if second is None or second.text.count("\n") != first.text.count("\n"):
        return None
    return Made(f"{first.what}; {second.what}", second.text, (*first.lines, *second.lines))


# The weights


def shortened(data: bytes, rng: random.Random) -> tuple[str, bytes] | None:
    gone = rng.choice((1, 4, 100, len(data) // 2, len(data)))
    return (f"{gone} bytes gone", data[:-gone]) if len(data) >= gone else None


def lengthened(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    more = rng.choice((4, 400, len(data)))
    return f"{more} bytes more", data + bytes(more)


def of_another_model(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Weights of layers of other sizes, with their flags."""
    parts = (
        struct.pack(f"<I{count}f", 0, *(rng.gauss(0, 0.3) for _ in range(count)))
        for count in rng.choices((9, 72, 300), k=rng.randint(1, 9))
    )
    return "of another model", b"".join(parts)


def flag_broken(data: bytes, rng: random.Random) -> tuple[str, bytes] | None:
    """The first word: a flag, if the first layer with weights has one."""
    flag = rng.choice(FLAGS)
    return (f"first word {flag:#x}", struct.pack("<I", flag) + data[4:]) if len(data) > 8 else None


def shifted(data: bytes, rng: random.Random) -> tuple[str, bytes] | None:
    at = 4 * rng.randrange(1 + len(data) // 8)
    return (f"4 bytes gone at {at}", data[:at] + data[at + 4 :]) if len(data) > 16 else None


WEIGHTS: tuple[WeightsWay, ...] = (shortened, lengthened, of_another_model, flag_broken, shifted)
