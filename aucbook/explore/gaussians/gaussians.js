// Two Gaussians and a threshold. The distribution function by Abramowitz and Stegun 7.1.26: an error below 2e-7.
function above(z) {
  const x = Math.abs(z) / Math.SQRT2, t = 1 / (1 + 0.3275911 * x);
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x) / 2;
  return z > 0 ? tail : 1 - tail;
}
const density = (v, mean, deviation) => Math.exp(-(((v - mean) / deviation) ** 2) / 2) / (deviation * Math.sqrt(2 * Math.PI));

function setup(ui, d) {
  const line = ui.frame(d.line), square = ui.frame(d.square), [left, right] = ui.all(".ax-panels > svg");
  const value = name => +ui.control(name).value;
  const rates = theta => [above(theta), above((theta - value("mu")) / value("sigma"))];

  function draw() {
    const theta = value("cut"), mu = value("mu"), sigma = value("sigma"), [fpr, tpr] = rates(theta);
    const auc = above(-mu / Math.sqrt(1 + sigma * sigma));
    for (const [name, mean, deviation] of [["healthy", 0, 1], ["sick", mu, sigma]]) {
      const points = d.scores.map(v => [v, density(v, mean, deviation)]);
      const part = [[theta, density(theta, mean, deviation)], ...points.filter(p => p[0] > theta)];
      ui.set(".bell-" + name, {d: line.path(points)});
      ui.set(".area." + name, {d: line.path([[theta, 0], ...part, [part[part.length - 1][0], 0]], "Z")});
    }
    ui.set(".name-sick", {x: Math.min(line.x(mu + 0.8 * sigma), 310), y: line.y(density(0.8 * sigma, 0, sigma)) - 4});
    ui.place(ui.one(".cutline"), line.x(theta), 0);
    ui.set(".cut-label", {x: clamp(line.x(theta), 76, 284)}).textContent = "alarm if score ≥ " + fixed(theta);
    ui.set(".bar-tpr", {width: 332 * tpr});
    ui.set(".bar-fpr", {width: 332 * fpr});
    ui.text(".tpr", fixed(tpr));
    ui.text(".fpr", fixed(fpr));
    ui.set(".roc", {d: square.path(d.thresholds.map(rates))});
    ui.place(ui.one(".here"), square.x(fpr), square.y(tpr));
    ui.label("cut", fixed(theta));
    ui.label("mu", fixed(mu));
    ui.label("sigma", fixed(sigma));
    ui.say(`The threshold finds <b>${fixed(100 * tpr, 0)} %</b> of the sick, with a false alarm for <b>${fixed(100 * fpr, 0)} %</b> of the healthy. The area under the curve is AUC = <b>${fixed(auc)}</b>.`);
  }
  for (const name of ["cut", "mu", "sigma"]) ui.on(name, draw);
  ui.drag(left, x => { ui.control("cut").value = line.ix(x); draw(); });
  ui.drag(right, (x, y) => {
    let near = 0, least = Infinity;
    for (const theta of d.thresholds) {
      const [f, t] = rates(theta), far = Math.hypot(square.x(f) - x, square.y(t) - y);
      if (far < least) [near, least] = [theta, far];
    }
    ui.control("cut").value = near;
    draw();
  });
  draw();
}
