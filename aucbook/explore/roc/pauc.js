// Choose the range. The area under the polyline over [alpha, beta], segment by segment.
function setup(ui, d) {
  const square = ui.frame(d.square), panels = ui.all(".ax-panels > svg"), low = ui.control("alpha"), high = ui.control("beta");
  let alpha = d.alpha, beta = d.beta;

  // The curve clipped to the strip: (x, y) pairs from alpha to beta, vertical steps kept.
  function clip({fpr, tpr}) {
    const out = [];
    for (let i = 1; i < fpr.length; i++) {
      const a = Math.max(fpr[i - 1], alpha), b = Math.min(fpr[i], beta);
      const at = x => fpr[i] > fpr[i - 1] ? tpr[i - 1] + (tpr[i] - tpr[i - 1]) * (x - fpr[i - 1]) / (fpr[i] - fpr[i - 1]) : tpr[i];
      if (b > a) out.push([a, at(a)], [b, at(b)]);
    }
    return out;
  }
  const area = points => points.reduce((sum, [x, y], i) => i ? sum + (x - points[i - 1][0]) * (y + points[i - 1][1]) / 2 : 0, 0);

  function draw() {
    const shares = d.cols.map((c, i) => {
      const part = clip(c), raw = area(part), share = raw / (beta - alpha), in_panel = s => panels[i].querySelector(s);
      ui.set(in_panel(".strip"), {x: square.x(alpha), width: square.x(beta) - square.x(alpha)});
      ui.set(in_panel(".fill"), {d: square.path([[alpha, 0], ...part, [beta, 0]], "Z")});
      ui.place(in_panel(".alpha"), square.x(alpha), 0);
      ui.place(in_panel(".beta"), square.x(beta), 0);
      in_panel(".share").textContent = `fills ${fixed(share)}`;
      in_panel(".raw").textContent = `of the strip (area ${fixed(raw, 3)})`;
      return share;
    });
    low.value = alpha;
    high.value = beta;
    ui.label("alpha", fixed(alpha));
    ui.label("beta", fixed(beta));
    ui.say(`Of the strip from ${fixed(alpha)} to ${fixed(beta)}, ${d.cols.map((c, i) => `${c.name} fills <b>${fixed(shares[i])}</b>`).join(", ")}; chance fills ${+fixed((alpha + beta) / 2, 3)}.`);
  }
  // A handle that meets the other one moves it along: the range is never empty.
  function move(which, value) {
    const v = Math.round(value * 100) / 100;
    if (which == "alpha") { alpha = clamp(v, 0, 0.99); beta = Math.max(beta, (Math.round(alpha * 100) + 1) / 100); }
    else { beta = clamp(v, 0.01, 1); alpha = Math.min(alpha, (Math.round(beta * 100) - 1) / 100); }
    draw();
  }
  ui.on("alpha", () => move("alpha", +low.value));
  ui.on("beta", () => move("beta", +high.value));
  for (const panel of panels) {
    let held;
    ui.drag(panel, x => move(held, square.ix(x)), x => { held = Math.abs(square.ix(x) - alpha) < Math.abs(square.ix(x) - beta) ? "alpha" : "beta"; });
  }
  draw();
}
