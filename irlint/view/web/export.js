// PNG and SVG of the whole picture as it is opened.
"use strict";

/** Takes what draw.js draws on a canvas and writes it as SVG. */
class Recorder {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
    this.path = "";
    this.fillStyle = this.strokeStyle = "#000000";
    this.lineWidth = 1;
    this.font = "";
    this.textAlign = "left";
    this.lineJoin = "miter";
    this.dash = "";
  }

  beginPath() {
    this.path = "";
  }

  /** @param {...number} at */
  moveTo(...at) {
    this.path += `M${numbers(at)}`;
  }

  /** @param {...number} at */
  lineTo(...at) {
    this.path += `L${numbers(at)}`;
  }

  /** @param {...number} at */
  bezierCurveTo(...at) {
    this.path += `C${numbers(at)}`;
  }

  /** @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    this.path += `M${numbers([x - r, y])}a${numbers([r, r, 0, 1, 0, 2 * r, 0])}a${numbers([r, r, 0, 1, 0, -2 * r, 0])}`;
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {number | number[]} radius */
  roundRect(x, y, w, h, radius) {
    const [r, low] = typeof radius === "number" ? [radius, radius] : [radius[0], radius[2]];
    this.path += `M${numbers([x + r, y])}H${n(x + w - r)}q${numbers([r, 0, r, r])}V${n(y + h - low)}q${numbers([0, low, -low, low])}H${n(x + low)}q${numbers([-low, 0, -low, -low])}V${n(y + r)}q${numbers([0, -r, r, -r])}z`;
  }

  fill() {
    this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}"/>`);
  }

  stroke() {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${n(this.lineWidth)}"${this.dash}/>`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.parts.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${this.fillStyle}"/>`);
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  }

  /** @param {string} words @param {number} x @param {number} y */
  fillText(words, x, y) {
    this.write(words, x, y, `fill="${this.fillStyle}"`);
  }

  /** @param {string} words @param {number} x @param {number} y */
  strokeText(words, x, y) {
    this.write(words, x, y, `fill="none" stroke="${this.strokeStyle}" stroke-width="${n(this.lineWidth)}" stroke-linejoin="${this.lineJoin}"`);
  }

  /** @param {string} words @param {number} x @param {number} y @param {string} paint */
  write(words, x, y, paint) {
    const [, weight, size] = /^(600 )?([\d.]+)px/.exec(this.font) ?? ["", "", "11"];
    const anchor = { center: ' text-anchor="middle"', right: ' text-anchor="end"' }[this.textAlign] ?? "";
    if (words) this.parts.push(`<text x="${n(x)}" y="${n(y)}" font-size="${n(Number(size))}"${weight ? ' font-weight="600"' : ""}${anchor} ${paint}>${escaped(words)}</text>`);
  }
}

/** @param {number} value */
function n(value) {
  return String(Math.round(value * 10) / 10);
}

/** @param {number[]} values */
function numbers(values) {
  return values.map(n).join(" ");
}

/** @param {string} words */
function escaped(words) {
  return words.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}

const ROW = 18; // of what colors mean, below the picture

/** @param {View} view */
function sizeOf(view) {
  const { width, height } = view.picture, rows = scaleOf(view);
  const widest = rows.reduce((most, [, words]) => Math.max(most, words.length), 0);
  return { width: Math.max(width, widest ? 2 * MARGIN + ROW + widest * LETTER : 0), height: height + (rows.length ? rows.length * ROW + MARGIN : 0) };
}

/** @param {CanvasRenderingContext2D} ctx @param {View} view */
function drawScale(ctx, view) {
  scaleOf(view).forEach(([color, words], k) => {
    const y = view.picture.height + k * ROW;
    ctx.fillStyle = color;
    ctx.fillRect(MARGIN, y, 12, 12);
    text(ctx, words, MARGIN + ROW, y + 10, 11, theme().text);
  });
}

/** @param {View} view */
function svgOf(view) {
  const recorder = new Recorder(), { width, height } = sizeOf(view);
  recorder.fillStyle = theme().page;
  recorder.fillRect(0, 0, width, height);
  draw(/** @type {any} */ (recorder), view.scene, view.picture, view.look({ x: 0, y: 0, width, height }, 1));
  drawScale(/** @type {any} */ (recorder), view);
  const font = escaped(FONT);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}" font-family="${font}" style="white-space:pre">${recorder.parts.join("\n")}</svg>\n`;
}

/** @param {View} view @returns {Promise<Blob>} */
function pngOf(view) {
  const { width, height } = sizeOf(view), canvas = document.createElement("canvas");
  const scale = Math.min(2, 16000 / Math.max(width, height), Math.sqrt(120e6 / (width * height))); // what browsers allow
  [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.fillStyle = theme().page;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  draw(ctx, view.scene, view.picture, view.look({ x: 0, y: 0, width, height }, Math.max(scale, 0.3)));
  drawScale(ctx, view);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large"))), "image/png"));
}

/** @param {View} view @param {string} name @param {Blob} blob */
async function save(view, name, blob) {
  if (view.host) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    view.send({ type: "export", name, data: Array.from(bytes) });
    return;
  }
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
}
