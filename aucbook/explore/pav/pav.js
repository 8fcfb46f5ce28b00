// Pool by hand: joined[i] is true if points i and i + 1 are in one block. Equal neighbours count as violators, as in the paper's Eq. 5.
function setup(ui, d) {
  const n = d.y.length, w = d.w, left = ui.frame(d.left), points = ui.all(".point"), sums = ui.all(".sum"), gaps = ui.all(".gap");
  const step = (d.high - d.low) / 100, tiny = 1e-12, start = Array(n - 1).fill(false);
  let y = d.y.slice(), joined = start.slice();

  const block = (from, to) => {
    let size = 0, sum = 0;
    for (let i = from; i < to; i++) { size += w[i]; sum += w[i] * y[i]; }
    return {from, to, mean: sum / size};
  };
  const blocks = joined => {
    const cuts = [0, ...joined.flatMap((j, i) => j ? [] : [i + 1]), n];
    return cuts.slice(1).map((to, k) => block(cuts[k], to));
  };
  const violates = (a, b) => a.mean >= b.mean - tiny;
  function solution() {
    const stack = [];
    for (let i = 0; i < n; i++) {
      stack.push(block(i, i + 1));
      while (stack.length > 1 && violates(stack.at(-2), stack.at(-1))) stack.push(block(stack.splice(-2)[0].from, i + 1));
    }
    const out = Array(n - 1).fill(true);
    for (const b of stack.slice(1)) out[b.from - 1] = false;
    return out;
  }
  const error = bars => bars.reduce((sum, b) => sum + y.slice(b.from, b.to).reduce((part, v, i) => part + w[b.from + i] * (v - b.mean) ** 2, 0), 0);
  const range = b => b.to - b.from > 1 ? `points ${b.from + 1}–${b.to}` : `point ${b.to}`;

  function draw() {
    const bars = blocks(joined), best = solution(), at = [[0, 0]];
    y.forEach((v, i) => at.push([at[i][0] + w[i], at[i][1] + w[i] * v]));
    const low = Math.min(...at.map(p => p[1])), high = Math.max(...at.map(p => p[1])), pad = 0.06 * (high - low) || 1;
    const frame = ui.frame({box: d.box, x: [0, at[n][0]], y: [low - pad, high + pad]});
    const bad = bars.slice(1).map((b, k) => violates(bars[k], b)), wrong = k => bad[k - 1] || bad[k] ? " wrong" : "";
    const line = (f, a, b, name) => `<path d="${f.path([a, b])}" class="${name}"/>`;
    const corners = new Set(bars.map(b => b.from).concat(n));
    points.forEach((p, i) => ui.place(p, left.x(i + 1), left.y(y[i])));
    sums.forEach((p, i) => {
      ui.place(p, frame.x(at[i][0]), frame.y(at[i][1]));
      ui.toggle(p, "waiting", !corners.has(i));
    });
    gaps.forEach((g, i) => {
      ui.toggle(g, "on", joined[i]);
      ui.toggle(g, "bad", !joined[i] && bad[bars.findIndex(b => b.to == i + 1)]);
      g.setAttribute("aria-pressed", joined[i]);
      g.querySelector("text").textContent = joined[i] ? "−" : "+";
    });
    ui.set(".sums", {d: frame.path(at)});
    ui.one(".stems").innerHTML = bars.map(b => y.slice(b.from, b.to).map((v, j) => line(left, [b.from + j + 1, v], [b.from + j + 1, b.mean], "stem")).join("")).join("");
    ui.one(".blocks").innerHTML = bars.map((b, k) => line(left, [b.from + 0.62, b.mean], [b.to + 0.38, b.mean], "block" + wrong(k))).join("");
    ui.one(".means").innerHTML = bars.map((b, k) => b.to - b.from > 1
      ? `<text x="${left.x((b.from + b.to + 1) / 2)}" y="${left.y(b.mean) - 10}" text-anchor="middle" class="strong halo ${wrong(k) ? "orange-ink" : "blue-ink"}">${fixed(b.mean)}</text>` : "").join("");
    ui.one(".chords").innerHTML = bars.map((b, k) => line(frame, at[b.from], at[b.to], "chord" + wrong(k))).join("");

    const many = bad.filter(Boolean).length, paid = `Squared error <b>${fixed(error(bars), 4)}</b>`, split = best.findIndex((j, i) => !j && joined[i]);
    ui.control("step").disabled = !many && split < 0;
    if (many) return ui.say(`<b>${many}</b> ${many == 1 ? "pair" : "pairs"} of neighbouring bars in the wrong order. ${paid}.`);
    if (split < 0) return ui.say(`Solved: <b>${bars.flatMap(b => Array(b.to - b.from).fill(fixed(b.mean))).join(", ")}</b>. ${paid}, and no staircase that never falls comes closer.`);
    const b = bars.find(b => b.from <= split && split + 1 < b.to), front = block(b.from, split + 1), back = block(split + 1, b.to);
    ui.say(`Nothing falls, but too much is pooled: in ${range(b)}, ${range(front)} (mean ${fixed(front.mean)}) may stay below ${range(back)} (${fixed(back.mean)}). ${paid}; <b>${fixed(error(blocks(best)), 4)}</b> is possible.`);
  }
  gaps.forEach((g, i) => {
    const flip = () => { joined[i] = !joined[i]; draw(); };
    ui.set(g, {tabindex: 0, role: "button", "aria-label": `pool points ${i + 1} and ${i + 2}`, "data-lm-suppress-shortcuts": "true"});
    g.addEventListener("click", flip);
    g.addEventListener("keydown", e => {
      if (e.key != "Enter" && e.key != " ") return;
      e.preventDefault();
      flip();
    });
  });
  const show = points.map((p, i) => {
    p.setAttribute("aria-label", `value of point ${i + 1}`);
    return ui.handle(p, {get: () => y[i], set: v => { y[i] = v; draw(); }, from: (px, py) => left.iy(py), min: d.low, max: d.high, step, text: v => fixed(v)});
  });
  // One step of the algorithm: pool the first two blocks in the wrong order, or split a block that should not be pooled.
  ui.on("step", () => {
    const bars = blocks(joined), k = bars.findIndex((b, i) => i && violates(bars[i - 1], b));
    if (k > 0) joined[bars[k].from - 1] = true;
    else joined[solution().findIndex((j, i) => !j && joined[i])] = false;
    draw();
  });
  ui.on("finish", () => { joined = solution(); draw(); });
  ui.on("reset", () => {
    y = d.y.slice();
    joined = start.slice();
    draw();
    show.forEach(f => f());
  });
  draw();
}
