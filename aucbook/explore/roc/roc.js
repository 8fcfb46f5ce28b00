// Slide the threshold. k thresholds passed from the top: k = 0 predicts no positives, the last k predicts all positive.
function setup(ui, d) {
  const line = ui.frame(d.line), square = ui.frame(d.square), cut = ui.control("cut");
  const stairs = ui.all(".stairs"), marks = ui.all(".ax-panels .mark"), [left] = ui.all(".ax-panels > svg");
  const column = () => +(ui.form.elements.col || {value: 0}).value;
  // The line is at the threshold itself: a case on it is predicted positive.
  const at = (c, k) => k ? c.thr[k - 1] : d.line.x[1];

  function draw() {
    const i = column(), c = d.cols[i], K = c.thr.length, k = K - cut.value, theta = k ? c.thr[k - 1] : Infinity;
    const tp = Math.round(c.tpr[k] * d.m), fp = Math.round(c.fpr[k] * d.n), x = line.x(at(c, k));
    const word = k ? String(+theta.toPrecision(4)) : "above all";
    marks.forEach((mark, j) => {
      ui.place(mark.parentNode, line.x(c.s[j]), line.y(0) + (d.y[j] ? -1 : 1) * c.lift[j]);
      ui.toggle(mark, "out", c.s[j] < theta);
    });
    ui.set(".called", {x, width: Math.max(0, 342 - x)});
    ui.place(ui.one(".cutline"), x, 0);
    ui.set(".cut-label", {x: clamp(x, 70, 290)}).textContent = k ? "alarm if score ≥ " + word : "no alarms";
    stairs.forEach((g, j) => {
      ui.toggle(g, "hidden", j != i);
      [...g.children].forEach((step, t) => ui.toggle(step, "on", t < k));
    });
    ui.place(ui.one(".here"), square.x(c.fpr[k]), square.y(c.tpr[k]));
    ui.set(".tally-pos", {width: 170 * tp / d.m});
    ui.set(".tally-neg", {width: 170 * fp / d.n});
    ui.text(".tally-pos-count", `${tp} of ${d.m}`);
    ui.text(".tally-neg-count", `${fp} of ${d.n}`);
    ui.label("cut", word);
    ui.say(`Catch <b>${tp} of ${d.m}</b> at the price of <b>${fp} of ${d.n}</b>. <span>TPR ${fixed(c.tpr[k])}, FPR ${fixed(c.fpr[k])}</span>`);
  }
  // Another doctor may have fewer distinct scores: keep the number of predicted positives, not the slider's position.
  let K = d.cols[0].thr.length;
  if (ui.form.elements.col) ui.on("col", () => {
    const k = K - cut.value, next = d.cols[column()].thr.length;
    cut.max = next;
    cut.value = next - Math.min(k, next);
    K = next;
    draw();
  });
  ui.on("cut", draw);
  ui.drag(left, x => {
    const c = d.cols[column()], v = line.ix(x);
    const gap = [d.line.x[1], ...c.thr].map(t => Math.abs(t - v));
    cut.value = c.thr.length - gap.indexOf(Math.min(...gap));
    draw();
  });
  draw();
}
