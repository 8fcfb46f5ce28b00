// Resampling: the draws and their AUCs come from Python; here they are dealt out one by one.
function setup(ui, d) {
  const cases = ui.all(".case"), shapes = ui.all(".case .mark"), places = cases.map(c => c.getAttribute("transform")), dots = ui.one(".pile").getAttribute("d").match(/M[^M]+/g);
  const still = matchMedia("(prefers-reduced-motion: reduce)"), N = d.areas.length;
  let k = 0, timer = 0;

  function draw() {
    const seen = d.areas.slice(0, k), mean = seen.reduce((a, b) => a + b, 0) / k, last = k ? d.counts[k - 1] : "";
    const spread = Math.sqrt(seen.reduce((sum, a) => sum + (a - mean) ** 2, 0) / (k - 1));
    cases.forEach((c, i) => {
      const times = k ? parseInt(last[i], 36) : 1;
      ui.toggle(shapes[i], "out", times == 0);
      c.setAttribute("transform", `${places[i]} scale(${Math.sqrt(times || 0.35).toFixed(3)})`);
    });
    ui.set(".pile", {d: dots.slice(0, k).join("")});
    ui.set(".newest", {d: k && k < N ? dots[k - 1] : ""});
    ui.text(".which", k ? `resample ${k}: AUC ${fixed(d.areas[k - 1], 3)}` : `the study itself: AUC ${fixed(d.auc, 3)}`);
    ui.control("run").textContent = timer ? "Pause" : "Run";
    ui.control("step").disabled = ui.control("run").disabled = k == N;
    ui.control("reset").disabled = k == 0;
    const inside = seen.filter(a => d.low <= a && a <= d.high).length / k;
    if (!timer) ui.say(k > 1 ? `After <b>${k}</b> resamples the AUCs have a standard deviation of <b>${fixed(spread, 3)}</b>; DeLong's formula says `
      + `<b>${fixed(d.se, 3)}</b> without drawing. <b>${fixed(100 * inside, 1)} %</b> of the dots lie in its 95 % interval.`
      : k ? `The first resample has an AUC of <b>${fixed(d.areas[0], 3)}</b>. Draw more, and the dots will fill a shape.`
      : `One study, AUC <b>${fixed(d.auc, 3)}</b>. DeLong's formula says that another would be off by <b>${fixed(d.se, 3)}</b> or so. Draw its patients again, with replacement.`);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
  }
  function go(to) {
    k = Math.min(to, N);
    if (k == N) stop();
    draw();
  }
  ui.on("step", () => { stop(); go(k + 1); });
  ui.on("reset", () => { stop(); go(0); });
  ui.on("run", () => {
    if (still.matches) return go(N);
    if (timer) stop();
    else timer = setInterval(() => go(k + 2), 30);
    draw();
  });
  draw();
}
