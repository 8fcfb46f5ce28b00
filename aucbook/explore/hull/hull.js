// PAV blocks of the labels, and the hull of their ROC curve: the last block is the first segment of the hull.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), patients = ui.all(".patient"), shapes = ui.all(".patient .mark"), slider = ui.control("pool");
  const y = d.y.slice(), n = y.length, ratio = (a, b) => b ? fixed(a / b) : "∞";
  // One disc and one square to copy when a label changes.
  const templates = Object.fromEntries(shapes.map((s, i) => [y[i], s.cloneNode(true)]));

  function draw() {
    const m = y.reduce((a, b) => a + b), blocks = pool(y), pieces = [];
    slider.max = blocks.length;
    const chosen = slider.value - 1, wrong = k => k == chosen ? " wrong" : "", block = blocks[chosen];
    let fpr = 0, tpr = 0, area = 0, under = 0;
    const curve = [[0, 0]];
    for (const v of y.slice().reverse()) {
      if (v) tpr += 1 / m;
      else { fpr += 1 / (n - m); area += tpr / (n - m); }
      curve.push([fpr, tpr]);
    }
    // From the highest scores down: up by the block's positives, right by its negatives.
    let at = [0, 0];
    for (const b of blocks.slice().reverse()) {
      const to = [at[0] + (b.to - b.from - b.sum) / (n - m), at[1] + b.sum / m];
      under += (to[0] - at[0]) * (at[1] + to[1]) / 2;
      pieces.unshift([at, to]);
      at = to;
    }
    patients.forEach((p, i) => {
      ui.place(p, left.x(i + 1), left.y(y[i]));
      p.replaceChild(templates[y[i]].cloneNode(true), p.lastElementChild);
    });
    ui.one(".blocks").innerHTML = blocks.map((b, k) => `<path d="${left.path([[b.from + 0.62, b.mean], [b.to + 0.38, b.mean]])}" class="block${wrong(k)}"/>`).join("");
    ui.one(".chords").innerHTML = pieces.map((p, k) => `<path d="${right.path(p)}" class="chord${wrong(k)}"/>`).join("");
    ui.set(".level", {d: right.path(curve)});
    ui.label("pool", `${chosen + 1}/${blocks.length}`);
    const ill = block.sum, size = block.to - block.from, [[x0, y0], [x1, y1]] = pieces[chosen];
    ui.say(`Pool ${chosen + 1}: ${ill} of ${size} ill, probability <b>${fixed(block.mean)}</b>, odds ${ratio(ill, size - ill)}. On the hull it is a piece of slope `
      + `<b>${size > ill ? fixed((y1 - y0) / (x1 - x0)) : "∞"}</b>, the odds times ${n - m}/${m}. AUC <b>${fixed(area, 3)}</b>, under the hull <b>${fixed(under, 3)}</b>.`);
  }
  patients.forEach((p, i) => {
    p.setAttribute("aria-label", `patient ${i + 1}`);
    const flip = v => {
      const last = !y.some((other, j) => j != i && other != v);
      if (!last) y[i] = v;
      slider.max = n;
      slider.value = pool(y).findIndex(b => b.from <= i && i < b.to) + 1;
      draw();
      if (last) ui.say(`Patient ${i + 1} is the last one who is ${y[i] ? "ill" : "well"}: without both kinds there is no curve.`);
    };
    ui.handle(p, {get: () => y[i], set: flip, from: (px, py) => left.iy(py), min: 0, max: 1, step: 1, text: v => v ? "ill" : "well"});
  });
  ui.on("pool", draw);
  draw();
}
