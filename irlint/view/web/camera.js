// Which part of the picture is seen: panning, zooming, and a bitmap that is shown while the view moves.
"use strict";

const LARGE = 1200; // boxes: more are not drawn anew for every step of a movement
const REST = 90; // milliseconds without movement after which the picture is drawn sharp again
const NEAREST = 4, MARGIN_OF_VIEW = 0.5;

class Camera {
  /** @param {HTMLCanvasElement} canvas @param {(ctx: CanvasRenderingContext2D, view: Rect, scale: number) => void} paint
   * @param {() => void} moved */
  constructor(canvas, paint, moved) {
    this.canvas = canvas;
    this.paint = paint;
    this.moved = moved;
    this.x = 0; // of the picture, at the canvas's left edge
    this.y = 0;
    this.scale = 1;
    this.isLarge = false;
    this.bitmap = document.createElement("canvas");
    this.bitmapView = { x: 0, y: 0, width: 0, height: 0 };
    this.bitmapScale = 0;
    this.timer = 0;
    this.pending = false;
  }

  get width() {
    return this.canvas.clientWidth;
  }

  get height() {
    return this.canvas.clientHeight;
  }

  /** @returns {Rect} */
  get view() {
    return { x: this.x, y: this.y, width: this.width / this.scale, height: this.height / this.scale };
  }

  /** Something other than the view has changed. */
  refresh() {
    this.bitmapScale = 0;
    this.redraw();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.frame();
      this.moved();
    });
  }

  frame() {
    const ratio = devicePixelRatio || 1, canvas = this.canvas, ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = theme().page;
    ctx.fillRect(0, 0, width, height);
    if (!this.isLarge) {
      this.render(ctx, this.view, this.scale * ratio, this.scale);
      return;
    }
    const view = this.view, old = this.bitmapView;
    const covered = view.x >= old.x && view.y >= old.y && view.x + view.width <= old.x + old.width && view.y + view.height <= old.y + old.height;
    if (this.bitmapScale === 0 || (!covered && this.bitmapScale === this.scale)) this.draw_bitmap(ratio);
    else if (this.bitmapScale !== this.scale) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.refresh(), REST);
    }
    const shown = this.scale / this.bitmapScale, from = this.bitmapView;
    const [x, y] = [(from.x - view.x) * this.scale * ratio, (from.y - view.y) * this.scale * ratio];
    ctx.drawImage(this.bitmap, x, y, this.bitmap.width * shown, this.bitmap.height * shown);
  }

  /** @param {number} ratio */
  draw_bitmap(ratio) {
    const view = this.view, [dx, dy] = [view.width * MARGIN_OF_VIEW, view.height * MARGIN_OF_VIEW];
    this.bitmapView = { x: view.x - dx, y: view.y - dy, width: view.width + 2 * dx, height: view.height + 2 * dy };
    this.bitmapScale = this.scale;
    this.bitmap.width = Math.max(1, Math.round(this.bitmapView.width * this.scale * ratio));
    this.bitmap.height = Math.max(1, Math.round(this.bitmapView.height * this.scale * ratio));
    const ctx = /** @type {CanvasRenderingContext2D} */ (this.bitmap.getContext("2d"));
    ctx.fillStyle = theme().page;
    ctx.fillRect(0, 0, this.bitmap.width, this.bitmap.height);
    this.render(ctx, this.bitmapView, this.scale * ratio, this.scale);
  }

  /** @param {CanvasRenderingContext2D} ctx @param {Rect} view @param {number} pixels @param {number} scale */
  render(ctx, view, pixels, scale) {
    ctx.setTransform(pixels, 0, 0, pixels, -view.x * pixels, -view.y * pixels);
    this.paint(ctx, view, scale);
  }

  /** @param {number} dx @param {number} dy in pixels of the screen */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.redraw();
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] the point of the canvas that stays */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(NEAREST, Math.max(0.005, this.scale * factor));
    this.x += x / this.scale - x / scale;
    this.y += y / this.scale - y / scale;
    this.scale = scale;
    this.redraw();
  }

  /** @param {Rect} rect @param {number} [most] the greatest scale */
  fit(rect, most = 1) {
    this.scale = Math.min(most, this.width / rect.width, this.height / rect.height);
    this.x = rect.x - (this.width / this.scale - rect.width) / 2;
    this.y = rect.y - (this.height / this.scale - rect.height) / 2;
    this.redraw();
  }

  /** Bring a rectangle into view, if it is not, with as much of the picture around it as fits. @param {Rect} rect @param {{width: number, height: number}} picture */
  reveal(rect, picture) {
    const view = this.view, edge = 30 / this.scale;
    const inside = rect.x >= view.x + edge && rect.x + rect.width <= view.x + view.width - edge;
    if (inside && rect.y >= view.y + edge && rect.y + rect.height <= view.y + view.height - edge) return this.redraw();
    if (this.scale < 0.5) this.scale = 0.9;
    const { width, height } = this.view, margin = 30 / this.scale;
    this.x = within(rect.x + (Math.min(rect.width, width) - width) / 2, picture.width - width, margin);
    this.y = within(rect.y + (Math.min(rect.height, height) - height) / 2, picture.height - height, margin);
    this.redraw();
  }
}

/** Where a view begins that shows nothing beyond the picture but a margin; the middle of a picture that is smaller. @param {number} at @param {number} last @param {number} margin */
function within(at, last, margin) {
  return last < -2 * margin ? last / 2 : Math.max(-margin, Math.min(at, last + margin));
}

/** Mouse, trackpad and touch. @param {Camera} camera @param {(x: number, y: number, twice: boolean) => void} clicked */
function listen(camera, clicked) {
  const canvas = camera.canvas;
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let travelled = 0;
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.ctrlKey || event.metaKey) camera.zoom(Math.exp(-event.deltaY * lines * 0.01), event.offsetX, event.offsetY);
    else camera.pan(-(event.shiftKey ? event.deltaY : event.deltaX) * lines, -(event.shiftKey ? 0 : event.deltaY) * lines);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (pointers.size === 1) travelled = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.offsetX, y: event.offsetY }, other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (other) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      camera.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    camera.pan((now.x - before.x) / pointers.size, (now.y - before.y) / pointers.size);
    pointers.set(event.pointerId, now);
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (pointers.delete(event.pointerId) && event.type === "pointerup" && travelled < 5) clicked(event.offsetX, event.offsetY, false);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("dblclick", (event) => clicked(event.offsetX, event.offsetY, true));
}
