"""What n, p and the buttons beside the search lead through, in a real browser: matches, changes or findings; and quantities as numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.cli.dispatch import guarded
from irlint.view.compare import draw_difference
from tests.formats.onnx.build import graph
from tests.view.conftest import Open, picture
from tests.view.models import model_of, scene_of
from tests.view.networks import broken, resnet

if TYPE_CHECKING:
    from playwright.sync_api import Page


def at(page: Page) -> tuple[str, str]:
    """Return the words between the buttons, and the name of the selected box."""
    box = "irlintView.selected > 0 ? irlintView.scene.boxes[irlintView.selected] : { name: '' }"
    return page.inner_text(".tour span"), str(page.evaluate(f"(({box}).full ?? ({box}).name)"))


def test_keys_work_before_the_first_click(opened: Open) -> None:
    scene = scene_of(broken())
    page = opened(scene)
    before = at(page)[0]
    page.keyboard.press("n")
    assert at(page)[0] != before
    page.keyboard.press("/")
    page.keyboard.type("on")
    assert page.input_value("input") == "on"
    page.click("text=close all")
    page.keyboard.press("?")
    assert page.inner_text(".panel h2") == "Keys"
    page.focus("select")
    page.keyboard.press("n")
    assert page.inner_text(".panel h2") == "Keys"


def test_a_difference_opens_at_its_first_change(opened: Open) -> None:
    weight = "float[4,3] w = {1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0}"
    chain = "".join(f"[n{k}] h{k} = {{}} ({f'h{k - 1}' if k else 'x'})\n" for k in range(60))
    before = chain.format(*["Relu"] * 60) + "[mm] y = MatMul (h59, w)"
    after = before.replace("h40 = Relu", "h40 = Sigmoid").replace("h50 = Relu", "h50 = Tanh")
    after = after.replace("[mm]", "[extra] e = Abs (h59)\n[mm]").replace("(h59, w)", "(e, w)")
    models = [model_of(graph(text, "float[2,4] x", "float[2,3] y", weight), "a.onnxtxt") for text in (before, after)]
    page = opened(draw_difference(models[0], models[1], "a"))
    words, first = at(page)
    count = int(words.split()[0])
    assert words == f"{count} changes"
    assert f"Boxes with changes ({count})" in page.inner_text(".panel")
    seen = []
    shown = """() => { const r = irlintView.picture.rects.get(irlintView.selected), v = irlintView.camera.view;
      return r.x >= v.x && r.y >= v.y && r.y + r.height <= v.y + v.height; }"""
    assert page.evaluate(shown)
    picture(page, "first-change")
    for number in range(1, count + 1):
        page.keyboard.press("n")
        assert at(page)[0] == f"change {number} of {count}"
        assert page.query_selector(".panel .status") is not None
        assert page.evaluate(shown)
        seen.append(at(page)[1])
    assert seen[0] == first
    assert {"n40", "n50", "extra"} <= set(seen)
    tops = page.evaluate("irlintView.tour.stops.map((box) => irlintView.picture.rects.get(box).y)")
    assert tops == sorted(tops)
    page.click("text=›")
    assert at(page) == (f"change 1 of {count}", first)
    page.click("text=‹")
    assert at(page)[0] == f"change {count} of {count}"
    picture(page, "last-change")


def test_two_equal_models_have_no_changes(opened: Open) -> None:
    page = opened(draw_difference(model_of(resnet()), model_of(resnet()), "a"))
    assert not page.is_visible(".tour")
    assert page.evaluate("irlintView.selected") == -1


def test_a_search_is_led_through_and_left_again(opened: Open) -> None:
    page = opened(scene_of(broken()))
    first = at(page)
    assert re.fullmatch(r"\d+ findings", first[0])
    page.keyboard.press("/")
    page.keyboard.type("rrelu")
    assert at(page)[0].endswith(("match", "matches"))
    page.keyboard.press("Enter")
    assert at(page)[0].startswith("match 1 of ")
    page.keyboard.press("p")
    assert at(page)[0].startswith("match ")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    assert "finding" in at(page)[0]


def test_enter_n_and_p_lead_through_matches(opened: Open) -> None:
    page = opened(scene_of(resnet()))
    page.keyboard.press("/")
    page.keyboard.type("conv")
    count = int(at(page)[0].split()[0])
    for number, key in enumerate(["Enter", "n", "Enter", "n"], 1):
        page.keyboard.press(key)
        assert at(page)[0] == f"match {number} of {count}"
    page.keyboard.press("p")
    page.keyboard.press("Shift+Enter")
    assert at(page)[0] == f"match 2 of {count}"
    assert page.input_value("input") == "conv"
    picture(page, "match")
    page.keyboard.press("Escape")
    assert page.input_value("input") == ""
    assert not page.is_visible(".results")


def test_a_selected_box_is_where_the_way_goes_on(opened: Open) -> None:
    page = opened(scene_of(broken()))
    boxes = page.evaluate("irlintView.tour.stops")
    page.evaluate(f"irlintView.select({boxes[-1]})")
    assert at(page)[0] == f"finding {boxes.index(boxes[-1]) + 1} of {len(boxes)}"


def test_times_are_numbers(opened: Open, tmp_path: Path) -> None:
    model, events, output = (tmp_path / name for name in ("m.onnx", "run.jsonl", "out.html"))
    weight = "float[64,64] w = {" + ",".join(["0.5"] * 4096) + "}"
    text = graph("[mm] h = MatMul (x, w)\n[act] y = Relu (h)", "float[2,64] x", "float[2,64] y", weight)
    model = model.with_suffix(".onnxtxt")
    model.write_text(text)
    assert guarded(["run", str(model), "--events", str(events)]) == 0
    assert guarded(["graph", str(model), "--events", str(events), "-o", str(output)]) == 0
    page = opened(output)
    panel = page.inner_text(".panel")
    assert "Slowest" in panel
    assert re.search(r"[\d.]+ [µm]s \([\d.]+ %\)  MatMul  mm", panel)
    assert page.input_value("select") == "time"
    picture(page, "times")
    page.click("text=MatMul")
    assert re.search(r"time\s+[\d.]+ [µm]s \([\d.]+ %\)", page.inner_text(".panel"))
    where = """() => { const r = irlintView.picture.rects.get(irlintView.selected), c = irlintView.camera, b = irlintView.canvas.getBoundingClientRect();
      return [b.left + (r.x + r.width / 2 - c.x) * c.scale, b.top + (r.y + 5 - c.y) * c.scale]; }"""
    page.mouse.move(*page.evaluate(where))
    assert re.search(r"[\d.]+ [µm]s \([\d.]+ %\)", page.evaluate("irlintView.canvas.title"))
    picture(page, "time-of-a-box")
