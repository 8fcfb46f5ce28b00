// Turn the line: a direction ranks people; only the pairs with the k highest healthy count.
function setup(ui, d) {
  const people = ui.frame(d.people), square = ui.frame(d.square), marks = ui.all("g > .mark"), input = ui.control("angle");
  const two = v => (Math.floor(v * 100 + 0.5 + 1e-9) / 100).toFixed(2), n = d.a.length - d.sick;
  let angle = +input.value, best = -1, at = angle;
  function draw() {
    const w = [Math.cos(angle * Math.PI / 180), Math.sin(angle * Math.PI / 180)], s = d.a.map((a, i) => a * w[0] + d.b[i] * w[1]);
    const sick = s.slice(0, d.sick), order = s.slice(d.sick).sort((a, b) => b - a);
    const won = t => sick.reduce((sum, v) => sum + (v > t + 1e-9 ? 1 : v > t - 1e-9 ? 0.5 : 0), 0) / d.sick;
    const share = order.slice(0, d.k).reduce((sum, t) => sum + won(t), 0) / d.k, alarm = (order[d.k - 1] + order[d.k]) / 2;
    if (share > best + 1e-9) { best = share; at = angle; }
    marks.forEach((el, i) => ui.toggle(el, "out", s[i] <= alarm));
    const [x, y] = d.centre, tip = [x + 2.6 * w[0], y + 2.6 * w[1]], middle = alarm - x * w[0] - y * w[1];
    const foot = [x + middle * w[0], y + middle * w[1]], side = [-w[1], w[0]];
    ui.set(".alarm", {d: clipped(foot, side)});
    ui.set(".arrow", {d: people.path([[x, y], tip])});
    ui.place(ui.one(".tip"), people.x(tip[0]), people.y(tip[1]));
    const points = [[0, won(Infinity)]];
    order.forEach((t, k) => points.push([k / n, won(t)], [(k + 1) / n, won(t)]));
    ui.set(".roc", {d: square.path([...points, [1, 1]])});
    input.value = angle;
    ui.label("angle", `${angle}°`);
    ui.say(`In the first tenth <b>${two(share)}</b> of the pairs are right. The best so far is ${two(best)}, at ${at}°.`);
  }
  // The part of a line inside the picture
  function clipped([x, y], [u, v]) {
    const [x0, x1] = d.people.x, [y0, y1] = d.people.y;
    let from = -20, to = 20;
    for (const [p, q, lo, hi] of [[x, u, x0, x1], [y, v, y0, y1]]) {
      if (Math.abs(q) < 1e-9) { if (p < lo || p > hi) return ""; continue; }
      const ends = [(lo - p) / q, (hi - p) / q].sort((a, b) => a - b);
      from = Math.max(from, ends[0]);
      to = Math.min(to, ends[1]);
    }
    return from < to ? people.path([[x + from * u, y + from * v], [x + to * u, y + to * v]]) : "";
  }
  ui.on("angle", () => { angle = +input.value; draw(); });
  ui.drag(ui.all(".ax-panels > svg")[0], (x, y) => {
    angle = Math.round(Math.atan2(people.iy(y) - d.centre[1], people.ix(x) - d.centre[0]) * 180 / Math.PI);
    draw();
  });
  draw();
}
