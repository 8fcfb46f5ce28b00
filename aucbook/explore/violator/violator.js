// Two predictions, the first never above the second: one that meets the other moves it along.
function setup(ui, d) {
  const f = ui.frame(d.frame), w = d.patients, p = d.ill.map((a, i) => a / w[i]), names = ["first", "second"];
  const bars = ui.all(".off"), lines = ui.all(".prediction"), ends = [[0, w[0]], [w[0], w[0] + w[1]]], q = d.q.slice();
  const all = (d.ill[0] + d.ill[1]) / (w[0] + w[1]);

  function draw() {
    names.forEach((name, i) => {
      const high = Math.max(p[i], q[i]), low = Math.min(p[i], q[i]);
      ui.set(bars[i], {y: f.y(high), height: f.y(low) - f.y(high)});
      ui.set(lines[i], {d: f.path(ends[i].map(x => [x, q[i]]))});
      ui.control(name).value = q[i];
      ui.label(name, fixed(q[i]));
    });
    const error = q.reduce((sum, v, i) => sum + w[i] * (v - p[i]) ** 2, 0), cost = `Squared error <b>${fixed(error, 3)}</b>.`;
    if (q[1] - q[0] > 0.005) {
      const closer = q[0] < p[0] - 0.005 ? "the first may rise towards its bar" : q[1] > p[1] + 0.005 ? "the second may fall towards its bar" : "";
      return ui.say(`${cost} There is a gap between the predictions${closer && ": " + closer}.`);
    }
    if (Math.abs(q[0] - all) > 0.0051) return ui.say(`${cost} The predictions have met. Move both: is there a better place?`);
    ui.say(`${cost} Nothing is better: both predictions are <b>${fixed(all)}</b>, the share among all ${w[0] + w[1]}, of whom ${d.ill[0] + d.ill[1]} are ill.`);
  }
  function move(i, value) {
    q[i] = clamp(Math.round(value * 100) / 100, 0, 1);
    if (i) q[0] = Math.min(q[0], q[1]);
    else q[1] = Math.max(q[0], q[1]);
    draw();
  }
  names.forEach((name, i) => ui.on(name, () => move(i, +ui.control(name).value)));
  let held;
  ui.drag(ui.one(".ax-panels > svg"), (x, y) => move(held, f.iy(y)), x => { held = +(f.ix(x) > w[0]); }, "none");
  draw();
}
