// MartiRank's branching program: every number comes from Python, by share of wrong labels and by level.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), noise = ui.control("noise"), level = ui.control("level");
  const places = d.runs[0].mass.flatMap((row, t) => row.map((_, k) => [t, k])), nodes = ui.all(".node");

  function draw() {
    const i = +noise.value, L = +level.value, run = d.runs[i], percent = d.noise[i];
    places.forEach(([t, k], j) => {
      const share = run.share[t][k], strength = Math.round(Math.abs(2 * share - 1) * 100);
      ui.set(nodes[j], {r: 15 * Math.sqrt(run.mass[t][k]), opacity: t > L ? 0.18 : 1});
      nodes[j].style.fill = `color-mix(in srgb,var(--${share >= 0.5 ? "blue" : "orange"}) ${strength}%,var(--line))`;
    });
    ui.set(".row", {d: left.path([[-L / 2, L], [L / 2, L]])});
    for (const kind of ["pos", "neg"]) ui.place(ui.one(`.${kind}-crowd`), left.x(run[kind][L] - L / 2), 300);
    ui.set(".at", {d: right.path([[percent, 0.7], [percent, 1]])});
    // Level 0 is below the picture: it ranks nobody.
    const height = v => Math.max(v, d.right.y[0]);
    ui.set(".curve", {d: right.path(d.runs.map((r, n) => [d.noise[n], height(r.auc[L])]))});
    ui.place(ui.one(".marti"), right.x(percent), right.y(height(run.auc[L])));
    ui.place(ui.one(".boost"), right.x(percent), right.y(run.boost));
    ui.set(".marti-name", {y: right.y(height(d.runs.at(-1).auc[L])) - 12});
    ui.label("noise", `${percent} %`);
    ui.label("level", String(L));
    ui.say(`With <b>${percent} %</b> wrong labels, ${L} level${L == 1 ? "" : "s"} of MartiRank reach${L == 1 ? "es" : ""} a clean AUC of <b>${fixed(run.auc[L], 3)}</b>, `
      + `${d.rounds} rounds of AUCBoost <b>${fixed(run.boost, 3)}</b>. The crowds are <b>${fixed(run.pos[L] - run.neg[L])}</b> steps apart.`);
  }
  function nearest(input, value) {
    input.value = value;
    draw();
  }
  const [program, curves] = ui.all(".ax-panels > svg");
  ui.drag(program, (x, y) => nearest(level, Math.round(left.iy(y))));
  ui.drag(curves, x => nearest(noise, Math.round(right.ix(x) / 5)));
  ui.on("noise", draw);
  ui.on("level", draw);
  draw();
}
