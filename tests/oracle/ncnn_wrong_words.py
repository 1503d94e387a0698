"""Mistakes in the parameters of .param files, and in their text whatever it says."""

from __future__ import annotations

import random
import re

from oracle.ncnn_lines import Layer, Made, Model, changed, edited, pick, word

# Parameters


def _parameter(of: Model, rng: random.Random, pattern: str = ".*") -> tuple[Layer, int, str, str] | None:
    """Any parameter, of rare layers and ids as often as of others."""
    test = re.compile(pattern)
    found: dict[tuple[str, str], list[tuple[Layer, int]]] = {}
    for layer in of.layers:
        for place in layer.parameters:
            if test.fullmatch(layer.words[place]) and "=" in layer.words[place]:
                found.setdefault((layer.words[0], layer.words[place].partition("=")[0]), []).append((layer, place))
    if not found:
        return None
    layer, place = rng.choice(found[rng.choice(sorted(found))])
    key, _, value = layer.words[place].partition("=")
    return layer, place, key, value


def id_changed(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    return word(
        of,
        layer,
        place,
        f"{rng.choice((int(key) + 1, max(0, int(key) - 1), int(key) + 10, 32, 99, f'{key}{key}'))}={value}",
    )


def parameter_gone(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng)
    return spot and word(of, spot[0], spot[1], "", f"no {spot[2]}={spot[3][:20]}")


def parameter_doubled(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+")
    if spot is None:
        return None
    layer, place, key, value = spot
    return word(of, layer, place, f"{key}={value} {key}={rng.choice((int(value), int(value) + 1))}")


def value_off(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+")
    if spot is None:
        return None
    layer, place, key, value = spot
    n = int(value)
    return word(of, layer, place, f"{key}={rng.choice((n + 1, n - 1, n * 10, n * 2, -n or 1, 0 if n else 1))}")


def weight_size(of: Model, rng: random.Random) -> Made | None:
    """The parameter that has to fit others: the largest of a layer with weights."""
    layer = pick(
        of,
        rng,
        lambda layer: (
            layer.words[0] != "Input" and any(re.fullmatch(r"[1236]=\d{2,}", layer.words[k]) for k in layer.parameters)
        ),
    )
    if layer is None:
        return None
    places = [k for k in layer.parameters if re.fullmatch(r"[1236]=\d{2,}", layer.words[k])]
    place = max(places, key=lambda k: int(layer.words[k].partition("=")[2]))
    key, _, value = layer.words[place].partition("=")
    return word(
        of,
        layer,
        place,
        f"{key}={rng.choice((int(value) + 1, int(value) - 1, int(value) * 2, int(value) // 2, int(value[:-1])))}",
    )


def int_as_float(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+")
    return spot and word(of, spot[0], spot[1], f"{spot[2]}={spot[3]}{rng.choice(('.0', '.000000', 'e0', '.5'))}")


def float_as_int(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+\.\d*(?:e[-+]?\d+)?")
    if spot is None:
        return None
    layer, place, key, value = spot
    return word(of, layer, place, f"{key}={rng.choice((round(float(value)), 1, 2))}")


def value_gone(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng)
    return spot and word(
        of,
        spot[0],
        spot[1],
        rng.choice((f"{spot[2]}=", f"={spot[3]}", f"{spot[2]}{spot[3]}", f"{spot[2]}=x", f"{spot[2]}:{spot[3]}")),
    )


def space_in_parameter(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng)
    return spot and word(
        of, spot[0], spot[1], rng.choice((f"{spot[2]} ={spot[3]}", f"{spot[2]}= {spot[3]}", f"{spot[2]} = {spot[3]}"))
    )


def array_count(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"-233\d\d=\d+,.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    count, _, items = value.partition(",")
    return word(of, layer, place, f"{key}={rng.choice((int(count) + 1, int(count) - 1, int(count) * 2, 0))},{items}")


def array_key(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"-233\d\d=.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    return word(
        of,
        layer,
        place,
        f"{rng.choice((key[1:], key[:-1], f'{key}0', str(int(key) - 1), str(-23300 - int(key)), '-233'))}={value}",
    )


def array_items(of: Model, rng: random.Random) -> Made | None:
    """A comma too many or too few, spaces after commas, a float among ints."""
    spot = _parameter(of, rng, r"[-\d]+=[^,]*,.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    changed = rng.choice(
        (
            value.replace(",", ", "),
            value + ",",
            value.replace(",", ",,", 1),
            value.replace(",", ";"),
            value.replace(",", " "),
            value + ".0",
            value.rpartition(",")[0],
        )
    )
    return word(of, layer, place, f"{key}={changed}")


def parameter_before_blobs(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: len(layer.parameters) and len(layer.blobs))
    if layer is None:
        return None
    words = [*layer.words]
    words.insert(rng.choice((2, 4)), words.pop(rng.choice(layer.parameters)))
    return changed(of, layer, " ".join(words), "parameter before blobs")


# The text


def crlf(of: Model, rng: random.Random) -> Made:
    return Made("CRLF", "\r\n".join(of.lines), (1,))


def byte_order_mark(of: Model, rng: random.Random) -> Made:
    return Made("byte order mark", "\ufeff" + "\n".join(of.lines), (1,))


def blank_lines(of: Model, rng: random.Random) -> Made:
    k = rng.randrange(len(of.lines))
    return Made("blank lines", "\n".join([*of.lines[:k], "", rng.choice(("", "  ")), *of.lines[k:]]), (k + 1, k + 2))


def tabs(of: Model, rng: random.Random) -> Made:
    k = rng.randrange(2, len(of.lines))
    return Made("tabs", "\n".join([*of.lines[:k], re.sub(" +", "\t", of.lines[k]), *of.lines[k + 1 :]]), (k + 1,))


def comment(of: Model, rng: random.Random) -> Made:
    k = rng.randrange(1, len(of.lines))
    return Made(
        "comment line",
        "\n".join([*of.lines[:k], rng.choice(("# head", "// backbone", "#", "; neck", "/* end */")), *of.lines[k:]]),
        (k + 1, k + 2),
    )


def comment_behind(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    return layer and changed(
        of, layer, f"{of.lines[layer.line]} {rng.choice(('# stride was 2', '// see issue', '#3=2'))}", "comment behind"
    )


def cut_off(of: Model, rng: random.Random) -> Made:
    text = "\n".join(of.lines)
    at = rng.randrange(len(text) // 4, len(text))
    line = text.count("\n", 0, at) + 1
    return Made("cut off", text[:at], (2, line, line - 1))


def lines_merged(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: layer.line + 1 < len(of.lines) and of.lines[layer.line + 1].strip())
    if layer is None:
        return None
    lines = [
        *of.lines[: layer.line],
        of.lines[layer.line] + rng.choice(("", " ")) + of.lines[layer.line + 1],
        *of.lines[layer.line + 2 :],
    ]
    return edited(of, lines, "merged lines", layer)


def line_cut(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: len(layer.words) > 4)
    if layer is None:
        return None
    line = of.lines[layer.line]
    at = rng.randrange(2, len(line))
    lines = [*of.lines[: layer.line], line[:at], line[at:], *of.lines[layer.line + 1 :]]
    return edited(of, lines, f"cut at {at}", layer)
