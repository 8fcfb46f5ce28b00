// Cutting planes: lines below the surrogate loss; their maximum is a lower bound, and its minimum is the next w.
function setup(ui, d) {
  const frame = ui.frame(d.frame), [left, right] = d.frame.x, [low, high] = d.frame.y, input = ui.control("w"), dots = ui.all(".touch");
  const value = ([h, g], v) => h + g * v;
  let planes = [], asked = [], w = d.start;
  const known = v => Math.max(...planes.map(p => value(p, v)));
  // The minimum of the lower bound: at an end, or where two lines cross.
  function lowest() {
    const places = [left, right];
    planes.forEach(([h, g], i) => planes.slice(0, i).forEach(([b, c]) => {
      const v = (b - h) / (g - c);
      if (v > left && v < right) places.push(v);
    }));
    return places.map(v => [known(v), v]).sort((a, b) => a[0] - b[0])[0];
  }
  function inside([h, g]) {
    const ends = Math.abs(g) < 1e-9 ? [left, right] : [low, high].map(y => clamp((y - h) / g, left, right)).sort((a, b) => a - b);
    return ends[1] > ends[0] ? frame.path(ends.map(v => [v, h + g * v])) : "";
  }
  function draw() {
    ui.set(".planes", {d: planes.map(inside).join("")});
    let path = "", before = false;
    if (planes.length) for (let i = 0; i <= 300; i++) {
      const v = left + (right - left) * i / 300, y = known(v), seen = y >= low && y <= high;
      if (seen) path += (before ? "L" : "M") + frame.x(v).toFixed(2) + " " + frame.y(y).toFixed(2);
      before = seen;
    }
    ui.set(".known", {d: path});
    dots.forEach((dot, i) => {
      ui.toggle(dot, "hidden", i >= asked.length || asked[i][1] > high);
      if (i < asked.length) ui.place(dot, frame.x(asked[i][0]), frame.y(asked[i][1]));
    });
    const last = planes.at(-1), mark = ui.one(".height");
    ui.toggle(mark, "hidden", !last || last[0] > high || last[0] < low);
    if (last) ui.place(mark, frame.x(0), frame.y(last[0]));
    ui.set(".now", {d: frame.path([[w, low], [w, high]])});
    input.value = w;
    ui.label("w", fixed(w));
    const level = y => planes.length && y >= low && y <= high ? frame.path([[left, y], [right, y]]) : "";
    const best = Math.min(...asked.map(p => p[1])), [floor, next] = planes.length ? lowest() : [0, w], done = best - floor < 0.01;
    ui.set(".ceiling", {d: level(best)});
    ui.set(".floor", {d: level(floor)});
    // The names of the two dashed lines: above the upper one and below the lower one, so that they never meet.
    [["ceiling", best, -6], ["floor", floor, 15]].forEach(([name, y, away]) => {
      ui.toggle(ui.one(`.${name}-name`), "hidden", !level(y));
      if (level(y)) ui.set(`.${name}-name`, {y: frame.y(y) + away});
    });
    ui.control("drop").disabled = planes.length >= dots.length;
    if (!planes.length) return ui.say(`Nothing is known yet. Ask at w = <b>${fixed(w)}</b>: drop a plane.`);
    ui.say(`${planes.length} plane${planes.length > 1 ? "s" : ""}: the smallest value found is <b>${fixed(best, 3)}</b>, and the surrogate is nowhere below <b>${fixed(floor, 3)}</b>. `
      + (done ? "They differ by less than 0.01: done." : `Next, w = ${fixed(next)}.`));
  }
  ui.on("drop", () => {
    const plane = worstPlane(d.b, d.a, d.sick, d.k, w);
    planes.push(plane);
    asked.push([w, value(plane, w)]);
    w = lowest()[1];
    draw();
  });
  ui.on("again", () => { planes = []; asked = []; w = d.start; draw(); });
  ui.on("w", () => { w = +input.value; draw(); });
  draw();
}
