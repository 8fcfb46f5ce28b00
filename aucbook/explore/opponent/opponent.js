// One positive: each of the r negatives above it adds its points and subtracts the margin, the positive's score minus its own.
function setup(ui, d) {
  const frame = ui.frame(d.frame), input = ui.control("above"), healthy = ui.all(".healthy"), dots = ui.all(".dot");
  const totals = d.healthy.reduce((out, t, j) => [...out, out.at(-1) + d.points[j] + t - d.sick], [0]), tried = new Set();
  function draw() {
    const r = +input.value;
    tried.add(r);
    healthy.forEach((el, j) => ui.place(el, d.places[j < r ? j : j + 1], 38));
    ui.place(ui.one(".ill"), d.places[r], 38);
    dots.forEach((dot, k) => ui.toggle(dot, "hidden", !tried.has(k)));
    ui.place(ui.one(".here"), frame.x(r), frame.y(totals[r]));
    ui.set(".sums", {d: [1, 2, 3, 4].filter(k => tried.has(k) && tried.has(k - 1)).map(k => frame.path([[k - 1, totals[k - 1]], [k, totals[k]]])).join("")});
    ui.label("above", String(r));
    const points = d.points.slice(0, r).reduce((a, b) => a + b, 0), paid = totals[r] - points, best = Math.max(...[...tried].map(k => totals[k]));
    const margins = paid < -1e-9 ? `minus margins of ${fixed(-paid, 1)}` : `plus ${fixed(paid, 1)}, as these margins are negative`;
    const sum = r ? `${r} above: ${points} point${points == 1 ? "" : "s"}, ${margins}: the value is` : "No one above: the value is";
    ui.say(`${sum} <b>${fixed(totals[r], 1)}</b>. Largest so far: ${fixed(best, 1)}.`);
  }
  ui.on("above", draw);
  const svg = ui.all(".ax-panels > svg")[0];
  ui.drag(svg, x => { input.value = clamp(Math.round(frame.ix(x)), 0, 4); draw(); });
  draw();
}
