// Pool adjacent violators, recorded as a film: frames[k] is the state after k steps.
function setup(ui, d) {
  const n = d.y.length, w = d.w, left = ui.frame(d.left), points = ui.all(".point"), sums = ui.all(".sum");
  const step = (d.high - d.low) / 100;
  let y = d.y.slice(), k = 0, frames = [];

  const join = (a, b) => ({from: a.from, to: b.to, w: a.w + b.w, sum: a.sum + b.sum, mean: (a.sum + b.sum) / (a.w + b.w)});
  const range = b => b.to - b.from > 1 ? `points ${b.from + 1}–${b.to}` : `point ${b.to}`;
  function film() {
    const stack = [], out = [{blocks: [], say: `${n} points, not always in order. Each step adds the next point, or pools two blocks that are in the wrong order.`}];
    const violated = () => stack.length > 1 && stack.at(-2).mean > stack.at(-1).mean + 1e-12;
    const keep = say => out.push({blocks: stack.slice(), bad: violated(), say});
    for (let i = 0; i < n; i++) {
      stack.push({from: i, to: i + 1, w: w[i], sum: w[i] * y[i], mean: y[i]});
      const before = i ? fixed(stack.at(-2).mean) : "";
      keep(!i ? `Point 1 is the first block: <b>${fixed(y[0])}</b>.`
        : violated() ? `Point ${i + 1} (<b>${fixed(y[i])}</b>) lies below the block on its left (${before}): a violation. Next, pool the two.`
        : `Point ${i + 1} (<b>${fixed(y[i])}</b>) does not lie below the block on its left (${before}): it starts its own block.`);
      while (violated()) {
        const last = stack.pop(), block = join(stack.pop(), last);
        stack.push(block);
        keep(`Pool ${range(block)}: their mean is <b>${fixed(block.mean)}</b>. ` + (violated() ? `That lies below the block on its left (${fixed(stack.at(-2).mean)}): pool again.` : "In order again."));
      }
    }
    out.at(-1).say = `Done: ${stack.length} block${stack.length > 1 ? "s" : ""}. The fit is <b>${stack.flatMap(b => Array(b.to - b.from).fill(fixed(b.mean))).join(", ")}</b>.`;
    return out;
  }
  function diagram() {
    const total = w.reduce((a, b) => a + b), mean = y.reduce((sum, v, i) => sum + v * w[i], 0) / total, at = [[0, 0]];
    y.forEach((v, i) => at.push([at[i][0] + w[i], at[i][1] + w[i] * (v - mean)]));
    const low = Math.min(...at.map(p => p[1])), high = Math.max(...at.map(p => p[1]));
    const pad = Math.max(0.1 * (high - low), ((d.high - d.low) * total / 12 - (high - low)) / 2);
    return {at, frame: ui.frame({box: d.box, x: [0, total], y: [low - pad, high + pad]})};
  }
  function draw() {
    const {blocks, bad, say} = frames[k], {at, frame} = diagram(), joined = blocks.length ? blocks.at(-1).to : 0;
    const wrong = i => bad && i >= blocks.length - 2 ? " wrong" : "";
    const line = (f, a, b, name) => `<path d="${f.path([a, b])}" class="${name}"/>`;
    points.forEach((p, i) => {
      ui.place(p, left.x(i + 1), left.y(y[i]));
      ui.toggle(p, "waiting", i >= joined);
    });
    sums.forEach((p, i) => {
      ui.place(p, frame.x(at[i][0]), frame.y(at[i][1]));
      ui.toggle(p, "waiting", i > joined);
    });
    ui.set(".sums", {d: frame.path(at)});
    ui.one(".stems").innerHTML = blocks.map(b => y.slice(b.from, b.to).map((v, j) => line(left, [b.from + j + 1, v], [b.from + j + 1, b.mean], "stem")).join("")).join("");
    ui.one(".blocks").innerHTML = blocks.map((b, i) => line(left, [b.from + 0.62, b.mean], [b.to + 0.38, b.mean], "block" + wrong(i))).join("");
    ui.one(".means").innerHTML = blocks.map((b, i) => b.to - b.from > 1 || wrong(i)
      ? `<text x="${left.x((b.from + b.to + 1) / 2)}" y="${left.y(b.mean) - 10}" text-anchor="middle" class="strong halo ${wrong(i) ? "orange-ink" : "blue-ink"}">${fixed(b.mean)}</text>` : "").join("");
    ui.one(".chords").innerHTML = blocks.map((b, i) => line(frame, at[b.from], at[b.to], "chord" + wrong(i))).join("");
    ui.say(say);
    ui.control("step").disabled = ui.control("finish").disabled = k == frames.length - 1;
    ui.control("back").disabled = k == 0;
  }
  function go(to) {
    k = clamp(to, 0, frames.length - 1);
    draw();
  }
  // A moved point: the same stage of the new film; finished stays finished.
  function refit() {
    const end = k == frames.length - 1;
    frames = film();
    go(end ? frames.length - 1 : k);
  }
  const show = points.map((p, i) => {
    p.setAttribute("aria-label", `value of point ${i + 1}`);
    return ui.handle(p, {get: () => y[i], set: v => { y[i] = v; refit(); }, from: (px, py) => left.iy(py), min: d.low, max: d.high, step, text: v => fixed(v)});
  });
  ui.on("step", () => go(k + 1));
  ui.on("back", () => go(k - 1));
  ui.on("finish", () => go(frames.length - 1));
  ui.on("reset", () => {
    y = d.y.slice();
    frames = film();
    go(0);
    show.forEach(f => f());
  });
  frames = film();
  draw();
}
