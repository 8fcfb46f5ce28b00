// One patient has weight w, all others 1. Rows and columns are as wide as these weights, so the blue area is the AUC.
function setup(ui, d) {
  const m = d.won.length, n = d.won[0].length, cells = ui.all(".cell"), glyphs = ui.all(".glyph"), ledger = ui.frame(d.ledger);
  const [left, top, width, height] = d.grid.box, mean = (v, w) => v.reduce((sum, x, i) => sum + w[i] * x, 0) / v.reduce((sum, x, i) => sum + w[i], 0);
  const signed = v => (v < -5e-4 ? "−" : v > 5e-4 ? "+" : "") + fixed(Math.abs(v), 3);
  const once = Array(m + n).fill(1), all = (i, w) => i < m ? mean(d.won[i], w.slice(m)) : mean(d.won.map(row => row[i - m]), w);
  const share = i => all(i, once), auc = mean(d.won.map((_, i) => share(i)), once), effect = i => (share(i) - auc) / (i < m ? m : n);
  let tried = new Set();

  function draw() {
    const k = ui.control("patient").value - 1, count = +ui.control("count").value, w = once.slice();
    w[k] = count;
    if (count != 1) tried.add(k);
    const up = w.slice(0, m), along = w.slice(m), tall = up.reduce((a, b) => a + b), wide = along.reduce((a, b) => a + b);
    const now = mean(up.map((_, i) => all(i, w)), up), y = [top + height], x = [left];
    up.forEach((v, i) => y.push(y[i] - height * v / tall));
    along.forEach((v, j) => x.push(x[j] + width * v / wide));
    cells.forEach((c, at) => {
      const i = Math.floor(at / n), j = at % n;
      ui.set(c, {x: x[j], y: y[i + 1], width: x[j + 1] - x[j], height: y[i] - y[i + 1]});
      ui.set(glyphs[at], {x: (x[j] + x[j + 1]) / 2, y: (y[i] + y[i + 1]) / 2 + 4});
      ui.toggle(glyphs[at], "hidden", !(up[i] && along[j]));
    });
    ["row", "A"].forEach(name => ui.all("." + name).forEach((t, i) => {
      t.setAttribute("y", (y[i] + y[i + 1]) / 2 + 4);
      ui.toggle(t, "hidden", !up[i]);
      if (name == "A") t.textContent = fixed(all(i, w));
    }));
    ["column", "N"].forEach(name => ui.all("." + name).forEach((t, j) => {
      t.setAttribute("x", (x[j] + x[j + 1]) / 2);
      ui.toggle(t, "hidden", !along[j]);
      if (name == "N") t.textContent = fixed(all(m + j, w));
    }));
    ui.set(".chosen", k < m ? {x: left, y: y[k + 1], width, height: y[k] - y[k + 1]} : {x: x[k - m], y: top, width: x[k - m + 1] - x[k - m], height});
    ui.all(".effect").forEach((r, i) => {
      const v = tried.has(i) ? effect(i) : 0;
      ui.set(r, {y: ledger.y(Math.max(v, 0)), height: Math.abs(ledger.y(v) - ledger.y(0))});
    });
    ui.all(".value").forEach((t, i) => {
      t.textContent = tried.has(i) ? signed(effect(i)).replace(/\+|0(?=\.)/g, "") : "?";
      t.setAttribute("y", tried.has(i) ? ledger.y(effect(i)) + (effect(i) < 0 ? 14 : -5) : ledger.y(0) - 4);
      ui.toggle(t, "strong", i == k);
    });
    ui.label("patient", d.who[k]);
    ui.label("count", fixed(count, 1) + " ×");
    const size = k < m ? m : n, letter = k < m ? "A" : "N", noted = [...tried];
    const person = `the ${k < m ? d.words[0] : d.words[1]} patient with score ${d.scores[k]}`;
    if (!noted.length) return ui.say(`AUC <b>${fixed(auc, 3)}</b>. Choose a patient, and let her count more or less than once.`);
    const here = tried.has(k) ? `With ${person} counted <b>${fixed(count, 1)}</b> times the AUC is <b>${fixed(now, 3)}</b>. The first nudge moves it by (${letter} − AUC)/${size} = (${fixed(share(k))} − ${fixed(auc, 3)})/${size} = <b>${signed(effect(k))}</b> per count.`
      : `Now ${person}: ${letter} = ${fixed(share(k))}. Up or down, and by how much?`;
    // Sample variance: divided by m - 1, not m.
    const spread = (from, to, size) => noted.reduce((sum, i) => sum + (from <= i && i < to ? effect(i) ** 2 : 0), 0) * size / (size - 1);
    const ill = spread(0, m, m), well = spread(m, m + n, n);
    ui.say(here + (noted.length < m + n ? ` <span>${noted.length} of ${m + n} noted.</span>`
      : ` All ${m + n} are noted. The squares of the ${d.words[0]}, times ${m}/${m - 1}, add up to ${fixed(ill, 4)}; those of the ${d.words[1]}, times ${n}/${n - 1}, to ${fixed(well, 4)}: together <b>${fixed(ill + well, 4)}</b>, and the root of that is <b>${fixed(Math.sqrt(ill + well), 3)}</b>.`));
  }
  const choose = k => {
    ui.control("patient").value = k + 1;
    ui.control("count").value = 1;
    draw();
  };
  ui.on("patient", () => choose(ui.control("patient").value - 1));
  ui.on("count", draw);
  ui.on("reset", () => { tried = new Set(); choose(0); });
  ui.all(".slot").forEach((slot, k) => {
    slot.style.cursor = "pointer";
    slot.addEventListener("click", () => choose(k));
  });
  draw();
}
