// MartiRank's branching program: every number comes from Python, by share of wrong labels and by level.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), noise = ui.control("noise"), level = ui.control("level");
  const places = d.runs[0].mass.flatMap((row, t) => row.map((_, k) => [t, k])), nodes = ui.all(".node");
  const [smallest, largest] = d.radius;
  // The first levels are below the picture: their AUC is close to 1/2.
  const curve = values => right.path(values.map((v, k) => [k, Math.max(v, d.right.y[0])]));

  function draw() {
    const L = +level.value, run = d.runs[noise.value], percent = d.noise[noise.value];
    places.forEach(([t, k], j) => {
      const share = run.share[t][k], strength = Math.round(Math.abs(2 * share - 1) * 100);
      ui.set(nodes[j], {r: smallest + (largest - smallest) * Math.sqrt(run.mass[t][k]), opacity: t > L ? d.pale : 1});
      nodes[j].style.fill = `color-mix(in srgb,var(--${share >= 0.5 ? "blue" : "orange"}) ${strength}%,var(--line))`;
    });
    ui.set(".row", {d: left.path([[-L / 2, L], [L / 2, L]])});
    for (const kind of ["pos", "neg"]) ui.place(ui.one(`.${kind}-crowd`), left.x(run[kind][L] - L / 2), 300);
    ui.set(".at", {d: right.path([[L, 0.7], [L, 1]])});
    ui.set(".curve", {d: curve(run.auc)});
    ui.set(".coin", {d: curve(run.boost)});
    ui.label("noise", `${percent} %`);
    ui.label("level", String(L));
    ui.say(`<b>${percent} %</b> of the labels are wrong. After ${L} level${L == 1 ? "" : "s"} the crowds are <b>${fixed(run.pos[L] - run.neg[L])}</b> steps apart, `
      + `a clean AUC of <b>${fixed(run.auc[L], 3)}</b>. In the end: ${d.levels} levels of MartiRank <b>${fixed(run.auc[d.levels], 3)}</b>, `
      + `${d.rounds} rounds of AUCBoost <b>${fixed(run.boost[d.rounds], 3)}</b>.`);
  }
  ui.drag(ui.one(".ax-panels > svg"), (x, y) => {
    level.value = Math.round(left.iy(y));
    draw();
  });
  ui.on("noise", draw);
  ui.on("level", draw);
  draw();
}
