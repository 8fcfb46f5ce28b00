// PAV-AdaBoost.finite, refit by refit: every number and every sentence about the fit comes from Python.
function setup(ui, d) {
  const frames = d.frames.map(f => ui.frame(f)), right = ui.frame(d.right), last = d.films[0].length - 1;
  const stairs = ui.all(".stairs"), was = ui.all(".was"), names = ui.all(".name"), docs = ui.all(".doc"), dots = ui.all(".dot");
  const corners = votes => votes.flatMap((v, i) => [[i + 0.5, v], [i + 1.5, v]]);
  let first = 0, k = 0;

  function draw(more = "") {
    const film = d.films[first], step = film[k], now = k ? (first + k - 1) % 2 : -1;
    frames.forEach((frame, j) => {
      ui.set(stairs[j], {d: frame.path(corners(step.votes[j])), class: "stairs " + (j == now ? "curve" : "level")});
      ui.set(was[j], {d: j == now ? frame.path(corners(film[k - 1].votes[j])) : ""});
      ui.toggle(names[j], "blue-ink", j == now);
      names[j].textContent = `curve of score ${j + 1}` + (j == now ? ", just refitted" : "");
    });
    docs.forEach((doc, i) => ui.set(doc, {transform: `translate(${d.marks[i].join(" ")}) scale(${step.size.flat()[i]})`}));
    dots.forEach((dot, t) => {
      ui.set(dot, {opacity: t > k ? 0 : 1});
      ui.place(dot, right.x(t), right.y(film[t].loss));
    });
    ui.place(ui.one(".here"), right.x(k), right.y(step.loss));
    ui.control("back").disabled = ui.control("again").disabled = k == 0;
    const there = film.findIndex(s => s.loss < d.goal);
    if (!more && k && k == there) more = there > d.fewest ? ` Below ${fixed(d.goal, 3)}, but with ${there} refits: ${d.fewest} will do.` : ` Below ${fixed(d.goal, 3)} with ${there} refits, the fewest.`;
    ui.say(step.say + more);
  }
  const refit = j => () => {
    if (k == 0) first = j;
    if ((first + k) % 2 != j) return draw(` To refit curve ${j + 1} again moves nothing: it is the best there is for the other curve as it stands.`);
    if (k == last) return draw(" That is all that this picture shows.");
    k += 1;
    draw();
  };
  ui.on("one", refit(0));
  ui.on("two", refit(1));
  ui.on("back", () => { k -= 1; draw(); });
  ui.on("again", () => { k = 0; draw(); });
  draw();
}
