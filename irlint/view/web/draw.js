// Draws a scene on a canvas, or on what behaves like one (export.js).
"use strict";

/** @typedef {{x: number, y: number, width: number, height: number}} Rect */
/** What of the picture is placed: rectangles by box (only of visible ones), the insides of groups, and their edges.
 * @typedef {{value: number, source: number, target: number, points: number[], left: number, right: number, top: number,
 *   bottom: number}} Course
 * @typedef {{words: string, x: number, y: number, atRight: boolean}} Label
 * @typedef {{rects: Map<number, Rect>, placed: Map<number, Placed>, courses: Map<number, Course[]>,
 *   labels: Map<number, Label[]>, width: number, height: number}} Picture */

const MARGIN = 20, TITLE_HEIGHT = 20, NAME_HEIGHT = 15, LINE_HEIGHT = 15, LETTER = 11 * 0.602;
const SMALL = 0.3; // the scale below which letters cannot be read: boxes are colored areas
const STACK = 4; // how far the second card of a closed group is seen

/** @param {Scene} scene @returns {Picture} */
function compose(scene) {
  const placed = place(scene), root = /** @type {Placed} */ (placed.get(0));
  /** @type {Picture} */
  const picture = { rects: new Map(), placed, courses: new Map(), labels: new Map(), width: root.width + 2 * MARGIN, height: root.height - HEAD + 2 * MARGIN };
  picture.rects.set(0, { x: MARGIN, y: MARGIN - HEAD, width: root.width, height: root.height });
  const stack = [0];
  while (stack.length) {
    const number = /** @type {number} */ (stack.pop()), group = scene.boxes[number];
    const at = /** @type {Rect} */ (picture.rects.get(number)), inside = /** @type {Placed} */ (placed.get(number));
    (group.items ?? []).forEach((item, k) => {
      if (item < 0) return;
      const size = placed.get(item) ?? scene.boxes[item];
      picture.rects.set(item, { x: at.x + inside.x[k] - size.width / 2, y: at.y + inside.y[k], width: size.width, height: size.height });
      if (placed.has(item)) stack.push(item);
    });
    const courses = (group.edges ?? []).map(([value, chain]) => course(scene, picture, number, value, chain));
    picture.courses.set(number, courses);
    picture.labels.set(number, labelsOf(scene, picture, courses));
  }
  return picture;
}

/** One label below each box that is not open: at its right, unless only there a line bends away.
 * @param {Scene} scene @param {Picture} picture @param {Course[]} courses @returns {Label[]} */
function labelsOf(scene, picture, courses) {
  /** @type {Map<number, Course>} */
  const first = new Map();
  const [toLeft, toRight] = [new Set(), new Set()];
  for (const edge of courses) {
    if (edge.source < 0 || picture.placed.has(edge.source)) continue;
    if (!first.has(edge.source)) first.set(edge.source, edge);
    const lean = (edge.points[4] ?? edge.points[0]) - edge.points[0];
    if (Math.abs(lean) > 0.5) (lean < 0 ? toLeft : toRight).add(edge.source);
  }
  return [...first].filter(([, edge]) => scene.values[edge.value].label).map(([source, edge]) => {
    const atRight = toLeft.has(source) || !toRight.has(source), below = scene.boxes[source].items ? 13 + STACK : 13;
    return { words: scene.values[edge.value].label, x: edge.points[0] + (atRight ? 6 : -6), y: edge.points[1] + below, atRight };
  });
}

/** Where an edge passes: straight within a row, bent between rows.
 * @param {Scene} scene @param {Picture} picture @param {number} number @param {number} value @param {number[]} chain
 * @returns {Course} */
function course(scene, picture, number, value, chain) {
  const group = scene.boxes[number], items = group.items ?? [];
  const at = /** @type {Rect} */ (picture.rects.get(number)), inside = /** @type {Placed} */ (picture.placed.get(number));
  /** @type {number[]} */
  const points = [];
  chain.forEach((item, position) => {
    let x = at.x + inside.x[item];
    const y = at.y + inside.y[item], low = at.y + inside.low[item], kind = items[item];
    if (kind >= 0) {
      const rect = /** @type {Rect} */ (picture.rects.get(kind)), open = picture.placed.get(kind);
      if (open) x = rect.x + port(scene.boxes[kind], open, value, position === 0 ? EXIT : ENTRY);
      if (position === 0) points.push(x, y + rect.height, x, low);
      else points.push(x, y);
    } else if (kind === ENTRY) points.push(x, at.y);
    else if (kind === EXIT) points.push(x, y, x, at.y + at.height);
    else points.push(x, y, x, low);
  });
  let left = Infinity, right = -Infinity;
  for (let k = 0; k < points.length; k += 2) {
    left = Math.min(left, points[k]);
    right = Math.max(right, points[k]);
  }
  const ends = [items[chain[0]], items[chain[chain.length - 1]]];
  return { value, source: ends[0], target: ends[1], points, left, right, top: points[1], bottom: points[points.length - 1] };
}

/** @param {Box} box @param {Placed} inside @param {number} value @param {number} kind */
function port(box, inside, value, kind) {
  const items = box.items ?? [], values = box.values_of ?? [];
  for (let k = items.length - 1; k >= 0 && items[k] < 0; k--) if (items[k] === kind && values[k] === value) return inside.x[k];
  return inside.width / 2;
}

/** @typedef {{scale: number, view: Rect, selected: number, found: Set<number>, heat: string, range: ColorScale,
 *   marks: Map<number, Mark> | undefined}} Look */

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Picture} picture @param {Look} look */
function draw(ctx, scene, picture, look) {
  drawGroup(ctx, scene, picture, look, 0, 0);
  drawPaths(ctx, scene, picture, look);
}

/** @param {Rect} rect @param {Rect} view */
function meets(rect, view) {
  return rect.x < view.x + view.width && rect.x + rect.width > view.x - 12 && rect.y < view.y + view.height && rect.y + rect.height > view.y - 12;
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Picture} picture @param {Look} look
 * @param {number} number @param {number} depth */
function drawGroup(ctx, scene, picture, look, number, depth) {
  const group = scene.boxes[number], view = look.view, items = group.items ?? [];
  ctx.strokeStyle = theme().edge;
  ctx.lineWidth = look.scale < SMALL ? 1 / Math.max(look.scale, 0.05) / 2 : 1.1;
  ctx.beginPath();
  /** @type {Course[]} */
  const seen = [];
  for (const edge of picture.courses.get(number) ?? []) {
    if (edge.bottom < view.y || edge.top > view.y + view.height || edge.right < view.x || edge.left > view.x + view.width) continue;
    seen.push(edge);
    trace(ctx, edge.points, look.scale > 0.15);
  }
  ctx.stroke();
  if (look.scale >= SMALL) {
    drawTips(ctx, picture, seen);
    drawLabels(ctx, picture.labels.get(number) ?? [], view, ground(depth));
  }
  const inside = /** @type {Placed} */ (picture.placed.get(number)), top = /** @type {Rect} */ (picture.rects.get(number)).y;
  for (const row of group.rows ?? []) {
    if (!row.length || top + inside.low[row[0]] < view.y - 12) continue;
    if (top + inside.y[row[0]] > view.y + view.height) break;
    for (const k of row) {
      const rect = items[k] >= 0 ? picture.rects.get(items[k]) : undefined;
      if (rect && meets(rect, view)) drawBox(ctx, scene, picture, look, items[k], rect, depth);
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number[]} points @param {boolean} bent */
function trace(ctx, points, bent) {
  ctx.moveTo(points[0], points[1]);
  for (let k = 2; k < points.length; k += 2) {
    const [x0, y0, x1, y1] = [points[k - 2], points[k - 1], points[k], points[k + 1]];
    if (!bent || Math.abs(x1 - x0) < 0.5) ctx.lineTo(x1, y1);
    else ctx.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
  }
}

/** Arrow heads. @param {CanvasRenderingContext2D} ctx @param {Picture} picture @param {Course[]} edges */
function drawTips(ctx, picture, edges) {
  ctx.fillStyle = theme().edge;
  ctx.beginPath();
  for (const edge of edges) {
    if (edge.target < 0 || picture.placed.has(edge.target)) continue;
    const [x, y] = edge.points.slice(-2);
    ctx.moveTo(x, y);
    ctx.lineTo(x - 3.5, y - 7);
    ctx.lineTo(x + 3.5, y - 7);
  }
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {Label[]} labels @param {Rect} view @param {string} back */
function drawLabels(ctx, labels, view, back) {
  for (const label of labels) {
    if (label.y < view.y || label.y > view.y + view.height + 12 || label.x < view.x - 200 || label.x > view.x + view.width + 200) continue;
    haloed(ctx, label.words, label.x, label.y, back, label.atRight ? "left" : "right");
  }
}

/** Small words that stay readable over a line. @param {CanvasRenderingContext2D} ctx @param {string} words @param {number} x
 * @param {number} y @param {string} back @param {CanvasTextAlign} [align] */
function haloed(ctx, words, x, y, back, align = "left") {
  ctx.font = `11px ${FONT}`;
  ctx.textAlign = align;
  ctx.lineJoin = "round";
  ctx.lineWidth = 4;
  ctx.strokeStyle = back;
  ctx.strokeText(words, x, y);
  ctx.fillStyle = theme().faint;
  ctx.fillText(words, x, y);
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Picture} picture @param {Look} look
 * @param {number} number @param {Rect} rect @param {number} depth */
function drawBox(ctx, scene, picture, look, number, rect, depth) {
  const box = scene.boxes[number], colors = theme(), open = picture.placed.has(number);
  if (look.scale < SMALL && !open) {
    ctx.fillStyle = look.found.has(number) ? colors.select : fillOf(look, scene, number) ?? markColor(scene, box);
    ctx.fillRect(rect.x, rect.y, rect.width, rect.height);
    if (number === look.selected) frame(ctx, rect, 4 / look.scale);
  } else {
    const status = scene.diff ? STATUS[box.status] : undefined;
    if (number === look.selected && status) frame(ctx, rect, 2.5);
    ctx.strokeStyle = status ?? (number === look.selected ? colors.select : colors.border);
    ctx.lineWidth = number === look.selected ? 2.5 : status ? 2.5 : 1;
    ctx.setLineDash(box.status === "removed" ? [6, 3] : []);
    if (open) {
      outline(ctx, rect, 6);
      ctx.fillStyle = ground(depth + 1);
      ctx.fill();
      ctx.stroke();
    } else {
      drawClosed(ctx, box, rect, look, number, fillOf(look, scene, number));
    }
    ctx.setLineDash([]);
  }
  if (open) {
    drawGroup(ctx, scene, picture, look, number, depth + 1);
    if (look.scale > 0.2) {
      haloed(ctx, box.title, rect.x + 22, rect.y + 16, ground(depth + 1));
      arrow(ctx, rect.x + 12, rect.y + 12, true);
    }
  } else if (box.badge) drawBadge(ctx, box, rect, look.scale);
}

/** Around a selected box that is small. @param {CanvasRenderingContext2D} ctx @param {Rect} rect @param {number} width */
function frame(ctx, rect, width) {
  ctx.strokeStyle = theme().select;
  ctx.lineWidth = width;
  outline(ctx, { x: rect.x - width, y: rect.y - width, width: rect.width + 2 * width, height: rect.height + 2 * width }, 0);
  ctx.stroke();
}

/** @param {Look} look @param {Scene} scene @param {number} number */
function fillOf(look, scene, number) {
  if (look.marks) return look.marks.get(number)?.color ?? theme().box;
  if (!look.heat) return undefined;
  const value = scene.heat[look.heat][number], { kind } = scene.boxes[number];
  if (value === null) return kind === "input" || kind === "output" ? theme().box : theme().unknown; // not the color of nothing
  return heatColor(value, look.range);
}

/** @param {CanvasRenderingContext2D} ctx @param {Box} box @param {Rect} rect @param {Look} look @param {number} number
 * @param {string | undefined} heat */
function drawClosed(ctx, box, rect, look, number, heat) {
  const colors = theme();
  ctx.fillStyle = colors.box;
  if (box.items) {
    outline(ctx, { ...rect, x: rect.x + STACK, y: rect.y + STACK }, 5);
    ctx.fill();
    ctx.stroke();
  }
  outline(ctx, rect, 5);
  ctx.fillStyle = look.found.has(number) ? colors.found : colors.box;
  ctx.fill();
  ctx.fillStyle = heat ?? barColor(box.category);
  ctx.beginPath();
  ctx.roundRect(rect.x + 0.5, rect.y + 0.5, rect.width - 1, TITLE_HEIGHT - 0.5, [5, 5, 0, 0]);
  ctx.fill();
  outline(ctx, rect, 5);
  ctx.stroke();
  const onDark = box.category === "input" || box.category === "output", mark = look.marks?.get(number);
  text(ctx, box.title, rect.x + 8, rect.y + 14, 12, mark?.ink ?? (onDark && !heat ? "#ffffff" : colors.title), true);
  if (mark) drawMark(ctx, mark, rect, box);
  if (box.items) arrow(ctx, rect.x + rect.width - 11, rect.y + 10, false);
  let y = rect.y + TITLE_HEIGHT;
  if (box.name) text(ctx, box.name, rect.x + 8, (y += NAME_HEIGHT) - 4, 11, colors.text);
  for (const [kind, words] of box.lines) text(ctx, words, rect.x + 8, (y += LINE_HEIGHT) - 4, 11, kind === "far" ? colors.select : colors.faint);
}

/** A value at the right of a title bar, as much of it as there is room for. @param {CanvasRenderingContext2D} ctx @param {Mark} mark
 * @param {Rect} rect @param {Box} box */
function drawMark(ctx, mark, rect, box) {
  const right = rect.x + rect.width - (box.items ? 22 : 6), room = Math.floor((right - rect.x - 16) / LETTER - box.title.length * 12 / 11);
  const words = mark.label.length > room ? `${mark.label.slice(0, Math.max(0, room - 1))}…` : mark.label;
  if (room > 1) text(ctx, words, right - words.length * LETTER, rect.y + 14, 11, mark.ink);
}

/** @param {CanvasRenderingContext2D} ctx @param {Rect} rect @param {number} radius */
function outline(ctx, rect, radius) {
  ctx.beginPath();
  ctx.roundRect(rect.x, rect.y, rect.width, rect.height, radius);
}

/** @param {CanvasRenderingContext2D} ctx @param {string} words @param {number} x @param {number} y @param {number} size
 * @param {string} color @param {boolean} [bold] */
function text(ctx, words, x, y, size, color, bold = false) {
  ctx.font = `${bold ? "600 " : ""}${size}px ${FONT}`;
  ctx.textAlign = "left";
  ctx.fillStyle = color;
  ctx.fillText(words, x, y);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {boolean} down */
function arrow(ctx, x, y, down) {
  ctx.fillStyle = theme().faint;
  ctx.beginPath();
  if (down) [ctx.moveTo(x - 4.5, y - 3), ctx.lineTo(x + 4.5, y - 3), ctx.lineTo(x, y + 4)];
  else [ctx.moveTo(x - 3, y - 4.5), ctx.lineTo(x - 3, y + 4.5), ctx.lineTo(x + 4, y)];
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {Box} box @param {Rect} rect @param {number} scale */
function drawBadge(ctx, box, rect, scale) {
  const size = Math.max(9, Math.min(4 / scale, 60));
  ctx.fillStyle = BADGES[box.badge];
  ctx.beginPath();
  ctx.arc(rect.x + rect.width, rect.y, size, 0, 2 * Math.PI);
  ctx.fill();
  ctx.font = `600 ${size * 1.2}px ${FONT}`;
  ctx.textAlign = "center";
  ctx.fillStyle = "#ffffff";
  ctx.fillText(box.count > 99 ? "99+" : String(box.count), rect.x + rect.width, rect.y + size * 0.42);
}

/** The edges to and from the selected box, over all others. @param {CanvasRenderingContext2D} ctx @param {Scene} scene
 * @param {Picture} picture @param {Look} look */
function drawPaths(ctx, scene, picture, look) {
  if (look.selected <= 0) return;
  const values = new Set();
  for (let at = look.selected, first = true; at > 0; at = scene.boxes[at].parent, first = false) {
    for (const edge of picture.courses.get(scene.boxes[at].parent) ?? []) {
      if (edge.target === at && (first || values.has(edge.value))) {
        values.add(edge.value);
        stroke(ctx, edge, theme().incoming, look.scale);
      }
    }
  }
  for (const edges of picture.courses.values()) {
    for (const edge of edges) if (isIn(scene, scene.values[edge.value].box, look.selected)) stroke(ctx, edge, theme().outgoing, look.scale);
  }
}

/** @param {Scene} scene @param {number} box @param {number} group */
function isIn(scene, box, group) {
  while (box > group) box = scene.boxes[box].parent; // a group's number is smaller than those in it
  return box === group;
}

/** @param {CanvasRenderingContext2D} ctx @param {Course} edge @param {string} color @param {number} scale */
function stroke(ctx, edge, color, scale) {
  ctx.strokeStyle = color;
  ctx.lineWidth = Math.max(2, 1.2 / scale);
  ctx.beginPath();
  trace(ctx, edge.points, scale > 0.15);
  ctx.stroke();
}
