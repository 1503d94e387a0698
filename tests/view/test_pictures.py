"""What is seen of whole networks, light and dark, as they open and with all groups open: nothing is on top of anything else."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from irlint.view import BoxScene
from irlint.view.compare import draw_difference
from tests.view import networks
from tests.view.conftest import Open, picture
from tests.view.models import model_of, scene_at, scene_of, transformer

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = {
    "script": '</script><script>window.hit=1</script><img src=x onerror="window.hit=1">${window.hit=1}',
    "right-to-left": "\u0634\u0628\u0643\u0629 \u05e8\u05e9\u05ea\u202e/abc",
    "wide": "\u5377\u79ef\u5c42" * 30,
    "long": "n" * 10_000,
    "odd": 'a\u0301\u200b\U0001f9e0\n\t\x07"&quot;<!--',
}
NAMES = ("resnet", "resnet-flat", "transformer", "detector", "lstm", "mobilenetv2", "broken", "diff")

# Labels, as draw.js puts them: text, corner and size
TEXTS = """() => {
  const { scene, picture } = irlintView;
  const ctx = document.createElement("canvas").getContext("2d");
  const wide = (words, bold) => { ctx.font = (bold ? "600 12px " : "11px ") + FONT; return ctx.measureText(words).width; };
  const boxes = [], labels = [], outside = [];
  for (const [id, r] of picture.rects) {
    const open = picture.placed.has(id), box = scene.boxes[id];
    if (id === 0) continue;
    boxes.push([id, box.parent, open, r.x, r.y, r.width, r.height]);
    if (open) { labels.push([id, r.x + 22, r.y + 6, wide(box.title), 12]); continue; }
    const room = r.width - 8 - (box.items ? 16 : 4) - (box.badge ? 5 : 0);
    if (wide(box.title, true) > room) outside.push([box.title, wide(box.title, true), room]);
    for (const words of [box.name, ...box.lines.map((line) => line[1])])
      if (wide(words) > r.width - 10) outside.push([words, wide(words), r.width - 10]);
  }
  for (const each of picture.labels.values())
    for (const { words, x, y, atRight } of each) labels.push([words, atRight ? x : x - wide(words), y - 9, wide(words), 11]);
  return { boxes, labels, outside };
}"""


def scene(name: str, folder: Path) -> BoxScene:
    if name == "mobilenetv2":
        return scene_at(EXAMPLES / "glacier" / "mobilenetv2.txt")
    if name == "detector":
        return scene_at(networks.detector(folder))
    if name == "diff":
        old = networks.resnet((1, 1))
        new = old.replace('"num_filter": "128"', '"num_filter": "96"', 1).replace('"relu"', '"sigmoid"', 1)
        return draw_difference(model_of(old), model_of(new), "old.json → new.json")
    text = {
        "resnet": networks.resnet,
        "resnet-flat": lambda: networks.resnet(name="{stage}_{unit}_{part}"),
        "transformer": lambda: transformer(12),
        "lstm": networks.lstm,
        "broken": networks.broken,
    }[name]()
    return scene_of(text, f"{name}.json")


def apart(one: list[float], other: list[float]) -> bool:
    """Say whether two rectangles (left, top, width, height) have no point in common."""
    return (
        one[0] + one[2] <= other[0] + 0.01
        or other[0] + other[2] <= one[0] + 0.01
        or one[1] + one[3] <= other[1] + 0.01
        or other[1] + other[3] <= one[1] + 0.01
    )


def check(page: Page) -> None:
    seen: dict[str, Any] = page.evaluate(TEXTS)
    assert seen["outside"] == [], "texts that do not fit into their boxes"
    boxes = sorted(seen["boxes"], key=lambda box: box[4])
    for k, (_, parent, _, *rect) in enumerate(boxes):
        for _, other_parent, _, *other in boxes[k + 1 :]:
            if other[1] >= rect[1] + rect[3]:
                break
            assert parent != other_parent or apart(rect, other)
    closed = [(number, rect) for number, _, is_open, *rect in boxes if not is_open]
    labels = sorted(seen["labels"], key=lambda label: label[2])
    for k, (number, *label) in enumerate(labels):
        for other, rect in closed:
            assert apart(label, rect), ("a box covers a label", number, other)
        for other, *rect in labels[k + 1 :]:
            if rect[1] > label[1] + label[3]:
                break
            assert apart(label, rect), ("two labels", number, other)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_overlaps(name: str, dark: bool, opened: Open, tmp_path: Path) -> None:
    suffix = "dark" if dark else "light"
    page = opened(scene(name, tmp_path), dark)
    check(page)
    image = picture(page, f"{name}-{suffix}")
    assert page.evaluate("dark") is dark
    pixel = Image.open(BytesIO(image)).convert("L").getpixel((4, 60))
    assert isinstance(pixel, int | float)
    assert (pixel < 60) is dark
    page.evaluate("irlintView.toggleAll(true)")
    check(page)
    picture(page, f"{name}-open-{suffix}")
    page.evaluate("irlintView.fit()")
    picture(page, f"{name}-fit-{suffix}")
    page.evaluate("irlintView.toggleAll(false)")
    check(page)
    picture(page, f"{name}-closed-{suffix}")
    assert page.evaluate("window.hit") is None


@pytest.mark.parametrize("kind", HOSTILE)
def test_any_name_fits_and_runs_nothing(kind: str, opened: Open) -> None:
    page = opened(scene_of(networks.hostile(HOSTILE[kind])))
    check(page)
    page.focus("canvas")
    page.keyboard.press("n")
    picture(page, f"hostile-{kind}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1300
    assert page.evaluate("window.hit") is None
