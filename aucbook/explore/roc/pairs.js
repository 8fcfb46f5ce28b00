// Count the pairs. The cells stay; the scores determine which case is in which row and column.
function setup(ui, d) {
  const line = ui.frame(d.line), grid = ui.frame(d.grid), cases = ui.all(".case"), cells = ui.all(".cell"), glyphs = ui.all(".glyph");
  const pos = d.y.flatMap((v, i) => v ? [i] : []), neg = d.y.flatMap((v, i) => v ? [] : [i]), m = pos.length, n = neg.length;
  const digits = Math.max(0, Math.round(-Math.log10(d.step))), column = () => +(ui.form.elements.col || {value: 0}).value;
  const word = v => String(+v.toPrecision(4));
  let s = d.cols[0].slice(), chosen = -1;

  // Dots of one class that would cover each other are stacked, lowest score first.
  function lifts() {
    const level = [];
    for (const i of s.map((_, i) => i).sort((a, b) => s[a] - s[b] || a - b)) {
      const taken = level.map((v, j) => d.y[j] == d.y[i] && Math.abs(line.x(s[j]) - line.x(s[i])) < 13 ? v : -1);
      level[i] = 0;
      while (taken.includes(level[i])) level[i]++;
    }
    return level.map(v => 16 + Math.min(14, 40 / Math.max(1, ...level)) * v);
  }
  // The scan: up for a positive, right for a negative, slanted for a tie.
  function staircase() {
    const points = [[0, 0]];
    for (const t of [...new Set(s)].sort((a, b) => b - a)) points.push([neg.filter(i => s[i] >= t).length / n, pos.filter(i => s[i] >= t).length / m]);
    return points;
  }
  function draw() {
    const rows = pos.slice().sort((a, b) => s[b] - s[a] || a - b), columns = neg.slice().sort((a, b) => s[b] - s[a] || a - b), lift = lifts();
    let wins = 0, ties = 0;
    rows.forEach((p, i) => columns.forEach((q, j) => {
      const win = s[p] > s[q], tie = s[p] === s[q];
      wins += win;
      ties += tie;
      cells[i * n + j].setAttribute("class", "cell " + (win ? "win" : tie ? "even" : "lose"));
      const away = tie ? 0.25 : 0, [left, top, width, height] = d.grid.box;
      ui.set(glyphs[i * n + j], {x: left + width * (j + 0.5 + away) / n, y: top + height - height * (i + 0.5 - away) / m + 4}).textContent = win ? "" : tie ? "½" : "×";
    }));
    ui.all(".row").forEach((t, i) => { t.textContent = word(s[rows[i]]); });
    ui.all(".column").forEach((t, j) => { t.textContent = word(s[columns[j]]); });
    ui.set(".border", {d: grid.path(staircase())});
    cases.forEach((c, i) => ui.place(c, line.x(s[i]), line.y(0) + (d.y[i] ? -1 : 1) * lift[i]));
    const row = rows.indexOf(chosen), col = columns.indexOf(chosen), [left, top, width, height] = d.grid.box;
    ui.set(".chosen", row >= 0 ? {x: left, y: top + height * (m - 1 - row) / m, width, height: height / m}
      : col >= 0 ? {x: left + width * col / n, y: top, width: width / n, height} : {width: 0, height: 0});
    ui.text(".who", chosen < 0 ? "" : `${d.y[chosen] ? d.words[0] : d.words[1]}, score ${word(s[chosen])}`);
    ui.say(`<b>${wins}</b> of ${m * n} pairs are in the right order${ties ? `, and ${ties} ${ties == 1 ? "is" : "are"} tied` : ""}: AUC = <b>${fixed((wins + ties / 2) / (m * n), 3)}</b>.`);
  }
  const show = cases.map((c, i) => {
    c.setAttribute("aria-label", `score of ${d.y[i] ? d.words[0] : d.words[1]} case ${1 + (d.y[i] ? pos : neg).indexOf(i)}`);
    c.addEventListener("focus", () => { chosen = i; draw(); });
    return ui.handle(c, {get: () => s[i], set: v => { s[i] = +v.toFixed(digits); draw(); }, from: x => line.ix(x), min: d.line.x[0], max: d.line.x[1], step: d.step, text: word});
  });
  function reset() {
    s = d.cols[column()].slice();
    chosen = -1;
    draw();
    show.forEach(f => f());
  }
  ui.on("reset", reset);
  if (ui.form.elements.col) ui.on("col", reset);
  draw();
}
