// Two sliders change the log-odds of the forecasts. What happened rises with it, so no dot is ever pooled: the parts need no more than sums.
function setup(ui, d) {
  const square = ui.frame(d.square), bars = ui.frame(d.bars), bold = ui.control("bold"), lean = ui.control("lean"), observed = ui.control("observed");
  const dots = ui.all("circle.sum"), base = d.uncertainty - d.discrimination, mean = v => v.reduce((a, b) => a + b) / v.length;
  const wide = (name, from, to) => ui.set(`.${name}-bar`, {x: bars.x(from), width: Math.max(0, bars.x(Math.min(to, d.bars.x[1])) - bars.x(from))});

  function draw() {
    const a = +bold.value, b = +lean.value;
    const bent = d.said.map(p => 1 / (1 + Math.exp(-b) * ((1 - p) / p) ** a)), says = observed.checked ? d.happened : bent;
    const off = mean(says.map((p, i) => (p - d.happened[i]) ** 2)), score = base + off, honest = off < d.goal;
    const points = says.map((p, i) => [p, d.happened[i]]);
    points.forEach(([p, f], i) => ui.set(dots[i], {cx: square.x(p), cy: square.y(f)}));
    ui.set(".curve", {d: square.path(points)});
    ui.set(".stem", {d: points.map(([p, f]) => `M${square.x(p).toFixed(2)} ${square.y(f).toFixed(2)}V${square.y(p).toFixed(2)}`).join("")});
    wide("miscalibration", base, score);
    wide("score", 0, score);
    ui.text(".miscalibration-value", fixed(off, 3));
    ui.text(".score-value", fixed(score, 3));
    ui.label("bold", fixed(a, 1));
    ui.label("lean", fixed(b, 1).replace("-", "−"));
    const average = `On average she says <b>${fixed(100 * mean(says), 0)} %</b>; it rained on ${fixed(100 * mean(d.happened), 0)} % of the days. `;
    const now = `Her miscalibration is <b>${fixed(off, 4)}</b>. `;
    ui.say(average + now + (observed.checked ? "The observed shares are perfectly calibrated, on the days that they come from."
      : honest ? "Her forecasts are calibrated. What is left of the score is what she does not know: neither slider changes that, nor the AUC."
      : `Can you bring it below ${d.goal}?`));
  }
  ui.on("observed", draw);
  for (const name of ["bold", "lean"]) ui.on(name, () => { observed.checked = false; draw(); });
  draw();
}
