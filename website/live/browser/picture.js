// What a live cell ends in, as a picture, when it is a curve: three points [x, y] or more whose x never falls; or up to four such curves.
const SVG = "http://www.w3.org/2000/svg", LEFT = 38, TOP = 8, WIDE = 250, HIGH = 190;
const COLOURS = ["var(--blue)", "var(--mark)", "var(--ink)", "var(--wine)"], DASHES = ["", "7 4", "2 3", "8 3 2 3"];

const isPoint = point => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
const isCurve = value => Array.isArray(value) && value.length > 2 && value.every((point, i) => isPoint(point) && (!i || point[0] >= value[i - 1][0]));

const make = (tag, attributes, text = "") => {
  const made = document.createElementNS(SVG, tag);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.textContent = text;
  return made;
};
const number = v => String(Number(v.toPrecision(3)));

// an <svg>, or null
export function picture(value) {
  const curves = isCurve(value) ? [value] : Array.isArray(value) && value.length && value.length <= COLOURS.length && value.every(isCurve) ? value : null;
  if (!curves) return null;
  const points = curves.flat(), range = axis => {      // from zero at least, and a share is a share of one
    const values = points.map(point => point[axis]), low = Math.min(0, ...values), high = Math.max(...values);
    return [low, low === 0 && high <= 1 ? 1 : high > low ? high : low + 1];
  };
  const [x0, x1] = range(0), [y0, y1] = range(1);
  const x = v => (LEFT + (v - x0) / (x1 - x0) * WIDE).toFixed(1), y = v => (TOP + (y1 - v) / (y1 - y0) * HIGH).toFixed(1);
  const said = curves.map(curve => `a line through ${curve.length} points from (${curve[0].map(number)}) to (${curve.at(-1).map(number)})`);
  const svg = make("svg", { viewBox: `0 0 ${LEFT + WIDE + 12} ${TOP + HIGH + 22}`, class: "live-picture", role: "img", "aria-label": "What the cell ends in: " + said.join("; ") });
  svg.append(make("path", { d: `M${x(x0)} ${y(y1)}V${y(y0)}H${x(x1)}`, class: "axis" }));
  for (const [v, anchor] of [[x0, "start"], [x1, "end"]]) svg.append(make("text", { x: x(v), y: TOP + HIGH + 16, "text-anchor": anchor }, number(v)));
  for (const v of [y0, y1]) svg.append(make("text", { x: LEFT - 6, y: Number(y(v)) + 4, "text-anchor": "end" }, number(v)));
  curves.forEach((curve, i) => svg.append(make("polyline", { points: curve.map(([a, b]) => `${x(a)},${y(b)}`).join(" "), stroke: COLOURS[i], "stroke-dasharray": DASHES[i] })));
  return svg;
}
