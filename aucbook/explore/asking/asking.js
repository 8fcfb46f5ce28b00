// Nscore by hand. The similarities come from Python; votes, weights and scores follow the reader's rounds.
function setup(ui, d) {
  const {S, y, widest} = d, n = y.length, plane = ui.frame(d.plane), ask = ui.control("ask"), cut = ui.control("k");
  const rows = ui.all(".row"), spots = ui.all(".vote"), signed = v => (v > 1e-9 ? "+" : v < -1e-9 ? "−" : "") + fixed(Math.abs(v));
  const word = v => v ? "wanted" : "not wanted", clip = 1 / n;
  let f, rounds;

  // Isotonic votes of weak scores h under weights D: half the log-odds of the PAV blocks, bounded.
  function votesOf(h, D) {
    const kinds = [...new Set(h)].sort((a, b) => a - b), of = (v, part) => h.reduce((sum, x, i) => sum + (x == v) * part(i), 0);
    const total = kinds.map(v => of(v, i => D[i])), share = kinds.map((v, k) => of(v, i => D[i] * y[i]) / total[k]);
    const p = pool(share, 1, total).flatMap(b => Array(b.to - b.from).fill(clamp(b.mean, clip, 1 - clip)));
    return h.map(v => p[kinds.indexOf(v)]).map(q => Math.log(q / (1 - q)) / 2);
  }
  function steps(s, votes) {
    const pairs = new Map(s.map((v, i) => [Math.min(v, widest), votes[i]])), at = [...pairs.keys()].sort((a, b) => a - b);
    return at.flatMap((v, i) => [[i ? (at[i - 1] + v) / 2 : -0.02, pairs.get(v)], [i + 1 < at.length ? (v + at[i + 1]) / 2 : widest + 0.04, pairs.get(v)]]);
  }
  const weights = () => {
    const D = f.map((v, i) => Math.exp(y[i] ? -v : v)), all = D.reduce((a, b) => a + b);
    return D.map(v => v / all);
  };
  function look() {
    const i = ask.value - 1, s = S[i], kinds = [...new Set(s)].sort((a, b) => b - a), D = weights(), turn = v => y[i] ? v : -v;
    cut.max = kinds.length - 1;
    const least = kinds[cut.value - 1], inside = s.map(v => +(v >= least));
    const votes = [votesOf(inside.map(turn), D), votesOf(s.map(turn), D)];
    const Z = votes.map(k => D.reduce((sum, w, j) => sum + w * Math.exp(y[j] ? -k[j] : k[j]), 0));
    return {i, s, D, votes, Z, link: +ui.control("link").value, count: inside.reduce((a, b) => a + b), out: inside.indexOf(0)};
  }
  function draw() {
    const {i, s, D, votes, Z, link, count, out} = look(), k = votes[link];
    rows.forEach((row, j) => {
      ui.toggle(row.querySelector(".strip"), "hidden", j != i);
      ui.set(row.querySelector(".weight"), {transform: `translate(16 10) scale(${Math.sqrt(n * D[j]).toFixed(3)})`});
      ui.set(row.querySelector(".like"), {width: 270 * Math.min(s[j], widest) / widest});
      row.querySelector(".score").textContent = signed(f[j]);
    });
    ui.set(".chosen-votes", {d: plane.path(steps(s, k))});
    ui.set(".other", {d: plane.path(steps(s, votes[1 - link]))});
    spots.forEach((spot, j) => {
      const same = s.map((v, m) => v == s[j] ? m : -1).filter(m => m >= 0), shift = same.indexOf(j) - (s[j] > 0 ? (same.length - 1) / 2 : 0);
      ui.place(spot, plane.x(Math.min(s[j], widest)) + 14 * shift, plane.y(k[j]));
    });
    cut.disabled = link == 1;
    ui.label("ask", String(i + 1));
    ui.label("k", String(count));
    const right = f.every((v, j) => y[j] ? v > 1e-9 : v < -1e-9);
    const done = right ? `<b>All ${n} scores have the right sign after ${rounds} round${rounds == 1 ? "" : "s"}.</b> ` : "";
    ui.say(done + `Round ${rounds + 1}. You ask title <b>${i + 1}</b>, ${word(y[i])}. ` + (link
      ? `PAV's curve gives it the vote <b>${signed(k[i])}</b>. Of the weights <b>${fixed(Z[1])}</b> would be left; your cut would leave <b>${fixed(Z[0])}</b>.`
      : `The ${count} most like it get${count == 1 ? "s" : ""} the vote <b>${signed(k[i])}</b>, the others <b>${signed(k[out])}</b>. `
        + `Of the weights <b>${fixed(Z[0])}</b> would be left; PAV's curve would leave <b>${fixed(Z[1])}</b>.`));
  }
  function reset() { f = Array(n).fill(0); rounds = 0; draw(); }
  ui.on("ask", () => { cut.value = 1; draw(); });
  ui.on("k", draw);
  ui.on("link", draw);
  ui.on("vote", () => {
    const {votes, link} = look();
    f = f.map((v, j) => v + votes[link][j]);
    rounds++;
    draw();
  });
  ui.on("reset", reset);
  rows.forEach((row, j) => row.addEventListener("click", () => { ask.value = j + 1; cut.value = 1; draw(); }));
  reset();
}
