// PAV-AdaBoost.finite, pass by pass: every number and every sentence comes from Python.
function setup(ui, d) {
  const frames = d.frames.map(f => ui.frame(f)), right = ui.frame(d.right), slider = ui.control("pass"), last = d.steps.length - 1;
  const stairs = ui.all(".stairs"), was = ui.all(".was"), names = ui.all(".name"), docs = ui.all(".doc"), dots = ui.all(".dot");
  const corners = votes => votes.flatMap((v, i) => [[i + 0.5, v], [i + 1.5, v]]);

  function go(to) {
    const k = clamp(to, 0, last), step = d.steps[k], now = k ? (k - 1) % 2 : -1;
    frames.forEach((frame, j) => {
      ui.set(stairs[j], {d: frame.path(corners(step.votes[j])), class: "stairs " + (j == now ? "curve" : "level")});
      ui.set(was[j], {d: j == now ? frame.path(corners(d.steps[k - 1].votes[j])) : ""});
      ui.toggle(names[j], "blue-ink", j == now);
      names[j].textContent = `curve of score ${j + 1}` + (j == now ? ", just refitted" : "");
    });
    docs.forEach((doc, i) => ui.set(doc, {transform: `translate(${d.marks[i].join(" ")}) scale(${step.size.flat()[i]})`}));
    dots.forEach((dot, t) => ui.set(dot, {opacity: t > k ? 0.15 : 1}));
    ui.place(ui.one(".here"), right.x(k), right.y(step.loss));
    slider.value = k;
    ui.label("pass", String(k));
    ui.control("back").disabled = k == 0;
    ui.control("next").disabled = k == last;
    ui.say(step.say);
  }
  ui.on("next", () => go(+slider.value + 1));
  ui.on("back", () => go(slider.value - 1));
  ui.on("pass", () => go(+slider.value));
  ui.drag(ui.all(".ax-panels > svg")[1], x => go(Math.round(right.ix(x))));
  go(0);
}
