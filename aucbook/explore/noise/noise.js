// Label noise: every number comes from Python, in thousandths, by share of wrong labels and by round.
function setup(ui, d) {
  const frame = ui.frame(d.frame), noise = ui.control("noise"), rounds = ui.control("rounds");
  const bars = ui.all(".wrong-sign"), words = ui.all(".wrong-words");

  function draw() {
    const percent = d.noise[noise.value], run = d.runs[noise.value], t = +rounds.value, share = run.share[t - 1] / 1000;
    const wrong = run.wrong.map(group => group[t - 1] / 1000);
    bars.forEach((bar, g) => ui.set(bar, {width: 332 * wrong[g]}));
    words.forEach((el, g) => el.textContent = `${fixed(100 * wrong[g], 1)} %`);
    ui.set(".curve", {d: frame.path(run.share.map((v, k) => [k + 1, v / 1000]))});
    ui.place(ui.one(".here"), frame.x(t), frame.y(share));
    ui.label("noise", `${percent} %`);
    ui.label("rounds", String(t));
    ui.say(`With <b>${percent} %</b> wrong labels and ${t} round${t == 1 ? "" : "s"}, <b>${fixed(100 * wrong[2], 1)} %</b> of the mixed group get the wrong sign; `
      + `the clean AUC is <b>${fixed(run.auc[t - 1] / 1000, 3)}</b>. The first 11 columns hold <b>${fixed(share)}</b> of the votes, the other 10 hold ${fixed(1 - share)}.`);
  }
  ui.drag(ui.all(".ax-panels > svg")[1], x => {
    rounds.value = Math.round(frame.ix(x));
    draw();
  });
  ui.on("noise", draw);
  ui.on("rounds", draw);
  draw();
}
