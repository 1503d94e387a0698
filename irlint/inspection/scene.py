"""A picture as rectangles and texts, and its two ways out: SVG by hand, PNG through Pillow."""

from __future__ import annotations

from html import escape
from io import BytesIO
from typing import Any, Literal

from irlint.records import NamedTuple, dataclass, field
from irlint.text.safe import escape as spelled_out
from irlint.text.safe import width
from irlint.tools import UserError

FAMILY = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
ADVANCE = 0.62  # of a monospaced letter, as a part of the font size: no common font is wider
_FONTS = ("DejaVuSansMono.ttf", "Menlo.ttc", "consola.ttf", "LiberationMono-Regular.ttf", "NotoSansMono-Regular.ttf")
_SCALE = 2  # pixels of a PNG per unit


class NoPicture(UserError):
    """Why a picture cannot be drawn."""


class Rect(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str
    title: str = ""


class Label(NamedTuple):
    """`y` is the middle of the letters; `room` is the width that is kept free for them."""

    x: float
    y: float
    text: str
    size: float
    room: float
    anchor: Literal["start", "end"] = "start"
    fill: str = "#222222"
    title: str = ""


@dataclass
class Scene:
    width: float
    height: float
    items: list[Rect | Label] = field(default_factory=list)


def fitted(text: str, size: float, room: float) -> str:
    """The text, its middle left out if it would not fit into the room."""
    cells = int(room / (size * ADVANCE))
    if width(text) <= cells:
        return text
    head = tail = ""
    while width(head) + width(tail) < cells - 1:
        if width(head) <= width(tail):
            head += text[len(head)]
        else:
            tail = text[-len(tail) - 1] + tail
    return f"{head}…{tail}" if cells > 1 else "…"


def svg(scene: Scene) -> str:
    """The picture as SVG; what was cut short shows in full under the pointer."""
    w, h = _number(scene.width), _number(scene.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}"',
        f' font-family="{FAMILY}">',
        f'<rect width="{w}" height="{h}" fill="#ffffff"/>',
        *(_svg_rect(item) if isinstance(item, Rect) else _svg_text(item) for item in scene.items),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _svg_rect(rect: Rect) -> str:
    x, y, w, h = map(_number, rect[:4])
    title = f"<title>{escape(rect.title)}</title>" if rect.title else ""
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{rect.fill}">{title}</rect>'


def _svg_text(text: Label) -> str:
    shown = fitted(text.text, text.size, text.room)
    title = text.title or (text.text if shown != text.text else "")
    inner = escape(shown, quote=False) + (f"<title>{escape(title)}</title>" if title else "")
    baseline = _number(text.y + text.size * 0.35)
    return (
        f'<text x="{_number(text.x)}" y="{baseline}" font-size="{_number(text.size)}" text-anchor="{text.anchor}" '
        f'fill="{text.fill}" xml:space="preserve">{inner}</text>'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def png(scene: Scene) -> bytes:
    """The picture as PNG."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise NoPicture("a PNG requires Pillow (pip install 'irlint[plot]'); an SVG does not") from error
    size = (round(scene.width * _SCALE), round(scene.height * _SCALE))
    if size[0] * size[1] > 200_000_000:
        raise NoPicture(f"a PNG of {size[0]} x {size[1]} pixels is too large; draw fewer rows or an SVG")
    image = Image.new("RGB", size, "#ffffff")
    drawing = ImageDraw.Draw(image)
    fonts: dict[float, Any] = {}
    for item in scene.items:
        if isinstance(item, Rect):
            left, top = item.x * _SCALE, item.y * _SCALE
            right, bottom = left + item.width * _SCALE - 1, top + item.height * _SCALE - 1
            if right >= left and bottom >= top:
                drawing.rectangle((left, top, right, bottom), fill=item.fill)
            continue
        if item.size not in fonts:
            fonts[item.size] = _font(item.size * _SCALE)
        _draw_text(drawing, item, fonts[item.size])
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw_text(drawing: Any, item: Label, font: Any) -> None:
    text = _drawable(item.text, font)
    room, shown = item.room, fitted(text, item.size, item.room)
    while font.getlength(shown) > item.room * _SCALE and room > 1:  # a font that is not monospaced
        room *= 0.95
        shown = fitted(text, item.size, room)
    anchor = "lm" if item.anchor == "start" else "rm"
    drawing.text((item.x * _SCALE, item.y * _SCALE), shown, fill=item.fill, font=font, anchor=anchor)


def _drawable(text: str, font: Any) -> str:
    """The text with escapes for what the font has no letters for, instead of boxes that all look alike."""
    if text.isascii():
        return text
    box = bytes(font.getmask("\U0010fffe"))
    return "".join(char if char.isascii() or bytes(font.getmask(char)) != box else spelled_out(char) for char in text)


def _font(size: float) -> Any:
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
