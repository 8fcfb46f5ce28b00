// Rooms in an order that the reader changes; the curve of calling them in, and behind it the one before the last move.
function setup(ui, d) {
  const f = ui.frame(d.frame), n = d.names.length, slider = ui.control("room"), start = d.names.map((_, i) => i);
  const columns = ui.all(".column"), letters = ui.all(".letter"), dots = ui.all(".dot");
  const total = v => v.reduce((a, b) => a + b, 0), shares = v => v.map(c => c / total(v)), g = shares(d.sick), h = shares(d.healthy);
  let order = start, at = 0, before = null, moved = "";

  function knots(order) {
    const out = [[0, 0]];
    for (const i of order) out.push([out.at(-1)[0] + h[i], out.at(-1)[1] + g[i]]);
    return out;
  }
  const area = p => p.slice(1).reduce((sum, [x, y], i) => sum + (x - p[i][0]) * (y + p[i][1]) / 2, 0);
  function draw() {
    const points = knots(order), value = area(points), i = order[at], centre = k => d.left + (k + 0.5) * d.wide;
    order.forEach((i, k) => ui.place(columns[i], centre(k), 0));
    ui.place(ui.one(".chosen"), at * d.wide, 0);
    ui.set(".curve", {d: f.path(points)});
    ui.set(".before", {d: before ? f.path(knots(before)) : ""});
    ui.set(".piece", {d: f.path(points.slice(at, at + 2))});
    dots.forEach((dot, k) => ui.set(dot, {cx: f.x(points[k][0]).toFixed(2), cy: f.y(points[k][1]).toFixed(2)}));
    letters.forEach((letter, k) => {
      const [[a, b], [c, e]] = points.slice(k, k + 2);
      letter.textContent = d.names[order[k]];
      ui.set(letter, {x: (f.x((a + c) / 2) - 9).toFixed(2), y: (f.y((b + e) / 2) - 4).toFixed(2)});
    });
    slider.value = at + 1;
    ui.label("room", `${at + 1}: ${d.names[i]}`);
    ui.control("earlier").disabled = at == 0;
    ui.control("later").disabled = at == n - 1;
    ui.control("again").disabled = order.every((i, k) => i == k);
    ui.say(`<b>${order.map(i => d.names[i]).join(" ")}</b>: area <b>${fixed(value, 3)}</b>.${moved}`
      + (value > d.best - 1e-9 ? " <b>No order has a larger one.</b>" : ""));
  }
  function move(to) {
    const was = area(knots(order)), here = order[at], other = order[to], step = Math.abs(to - at);
    before = order;
    order = order.filter(i => i != here);
    order.splice(to, 0, here);
    const change = area(knots(order)) - was, words = `${fixed(Math.abs(change), 3)}`;
    moved = ` ${step == 1 ? `${d.names[here]} and ${d.names[other]} changed places` : `${d.names[here]} moved ${step} places`}: `
      + (Math.abs(change) < 1e-9 ? "the same area." : `${words} ${change > 0 ? "more" : "less"}.`);
    at = to;
    draw();
  }
  // A button that greys would lose the keyboard's place: it goes to the one beside it.
  const press = (name, step, other) => ui.on(name, () => {
    const held = document.activeElement == ui.control(name);
    if (at + step >= 0 && at + step < n) move(at + step);
    if (held && ui.control(name).disabled) ui.control(other).focus();
  });
  press("earlier", -1, "later");
  press("later", 1, "earlier");
  ui.on("room", () => { at = slider.value - 1; draw(); });
  ui.on("again", () => { order = start; at = 0; before = null; moved = ""; draw(); slider.focus(); });
  const place = x => clamp(Math.floor((x - d.left) / d.wide), 0, n - 1);
  ui.drag(ui.all(".ax-panels > svg")[0], x => { if (place(x) != at) move(place(x)); }, x => { at = place(x); draw(); });
  draw();
}
