// Several samples of each woman: every number comes from Python, by how alike the samples are.
function setup(ui, d) {
  const slider = ui.control("alike"), dots = {scores: ui.all(".score"), pulls: ui.all(".pull")}, bars = ui.all(".bar");
  const frames = {scores: ui.frame(d.scores), pulls: ui.frame(d.pulls)};

  function draw() {
    const alike = d.alike[slider.value], step = d.steps[slider.value];
    for (const kind of ["scores", "pulls"]) {
      step[kind].flat().forEach((v, i) => ui.place(dots[kind][i], frames[kind].x(v), frames[kind].y(9.5 - Math.floor(i / 3))));
    }
    bars.forEach((bar, i) => {
      const total = step.pulls[i].reduce((a, b) => a + b), at = 9.5 - i;
      ui.set(bar, {d: frames.pulls.path([[0, at - 0.28], [total, at - 0.28], [total, at + 0.28], [0, at + 0.28]], "Z")});
    });
    const [byRow, byWoman] = step.errors;
    ui.label("alike", `${alike} %`);
    ui.say(`The intra-cluster correlation is <b>${alike} %</b>. The AUC is ${fixed(step.auc, 3)}. Its standard error, if rows are `
      + `independent: <b>${fixed(byRow, 3)}</b>; with influences added up by woman: <b>${fixed(byWoman, 3)}</b>.`);
  }
  ui.on("alike", draw);
  draw();
}
