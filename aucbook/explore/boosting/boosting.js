// Boosting, round by round: the sum of the stumps so far, its weights exp(-y sum), and its AUC.
function setup(ui, d) {
  const plane = ui.frame(d.plane), rounds = ui.frame(d.rounds), slider = ui.control("round"), T = d.cuts.length, N = 24;
  const [left, top, width, height] = d.plane.box, who = ui.all(".who"), y = d.dots.map(dot => dot[2]), cells = [];
  let timer = 0;

  // A coarse map of the sum, behind everything.
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) {
    const cell = document.createElementNS(ui.one(".map").namespaceURI, "rect"), x = left + i * width / N, v = top + j * height / N;
    ui.set(cell, {x, y: v, width: width / N, height: height / N, "shape-rendering": "crispEdges"});
    ui.one(".map").append(cell);
    cells.push([cell, [plane.ix(x + width / N / 2), plane.iy(v + height / N / 2)]]);
  }
  const sum = (x, t) => d.cuts.slice(0, t).reduce((total, [j, edge, low, high]) => total + (x[j] >= edge ? high : low), 0);
  function auc(f) {
    let won = 0, pairs = 0;
    for (let i = 0; i < f.length; i++) for (let j = 0; j < f.length; j++) if (y[i] > 0 && y[j] < 0) {
      pairs++;
      won += Math.abs(f[i] - f[j]) < 1e-12 ? 0.5 : f[i] > f[j];
    }
    return won / pairs;
  }
  // Each class begins with half of the weight; all weights add up to 1.
  const each = {};
  y.forEach(c => each[c] = (each[c] || 0) + 1);
  const initial = y.map(c => 0.5 / each[c]);
  function weights(f) {
    const raw = f.map((v, i) => initial[i] * Math.exp(-y[i] * v)), total = raw.reduce((a, b) => a + b);
    return raw.map(w => w / total);
  }
  const history = [...Array(T + 1).keys()].map(t => auc(d.dots.map(dot => sum(dot, t))));

  function draw() {
    const t = +slider.value, f = d.dots.map(dot => sum(dot, t)), w = weights(f);
    who.forEach((g, i) => {
      // The area is the weight; a case with its first weight has its first size.
      const size = Math.min(2.6, Math.max(0.3, Math.sqrt(w[i] / initial[i])));
      g.setAttribute("transform", `translate(${plane.x(d.dots[i][0]).toFixed(2)} ${plane.y(d.dots[i][1]).toFixed(2)}) scale(${size.toFixed(3)})`);
      g.dataset.weight = w[i].toFixed(4);
    });
    for (const [cell, at] of cells) {
      const v = sum(at, t);
      ui.set(cell, {fill: v > 0 ? "var(--blue-mid)" : "var(--orange-mid)", "fill-opacity": t ? Math.min(0.9, Math.abs(v) / 2).toFixed(2) : 0});
    }
    ui.set(".rise", {d: rounds.path(history.slice(0, t + 1).map((v, k) => [k, v]))});
    ui.set(".bound", {d: rounds.path(d.bound.slice(0, t + 1).map((v, k) => [k, v]))});
    ui.set(".bound-name", {x: rounds.x(t) + (t > T / 2 ? 0 : 8), y: rounds.y(d.bound[t]) + (t > T / 2 ? 36 : 4), "text-anchor": t > T / 2 ? "end" : "start"});
    ui.text(".bound-name", t ? "lower bound" : "");
    ui.place(ui.one(".now"), rounds.x(t), rounds.y(history[t]));
    ui.set(".auc", {x: rounds.x(t) + (t > T / 2 ? -10 : 10), y: rounds.y(history[t]) + (t ? 20 : 4), "text-anchor": t > T / 2 ? "end" : "start"});
    ui.text(".auc", fixed(history[t], 3));
    ui.label("round", t);
    ui.control("back").disabled = t == 0;
    ui.control("next").disabled = t == T;
    if (!t) {
      ui.set(".cutline", {d: ""});
      return ui.say("All cases of a class have the same weight. Where would you split, along either measurement, and which cases will then be on the wrong side?");
    }
    const [j, edge, low, high] = d.cuts[t - 1], [from, to] = j ? d.plane.x : d.plane.y;
    ui.set(".cutline", {d: plane.path(j ? [[from, edge], [to, edge]] : [[edge, from], [edge, to]])});
    const wrong = d.dots.filter(x => (x[j] >= edge) == (high > low) != x[2] > 0).length, heaviest = w.indexOf(Math.max(...w));
    ui.say(`Round ${t} splits the ${d.axes[j]} measurement at <b>${fixed(edge, 1)}</b>; those ${high > low ? "above" : "below"} are predicted ${d.words[0]}. `
      + `It is wrong about <b>${wrong}</b> cases, whose weights grow. The largest weight has a ${d.words[y[heaviest] > 0 ? 0 : 1]} case, ${(100 * w[heaviest]).toFixed(0)} % of all weight.`);
  }
  const go = t => { slider.value = t; draw(); };
  const stop = () => { clearInterval(timer); timer = 0; ui.control("play").textContent = "Play"; };
  ui.on("round", () => { stop(); draw(); });
  ui.on("back", () => { stop(); go(+slider.value - 1); });
  ui.on("next", () => { stop(); go(+slider.value + 1); });
  ui.on("play", () => {
    if (timer) return stop();
    ui.control("play").textContent = "Stop";
    if (+slider.value == T) go(0);
    timer = setInterval(() => { go(+slider.value + 1); if (+slider.value == T) stop(); }, 1200);
  });
  draw();
}
