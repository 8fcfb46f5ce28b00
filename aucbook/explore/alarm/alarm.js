// Two columns of numbers, as pasted. Returns {y, s} or {error}; `y` is 0 or 1, 1 for the larger label.
function read(text, most) {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, rows = [];
  const lines = text.split(/\r\n|\r|\n/);
  const show = word => "“" + (word.length > 20 ? word.slice(0, 20) + "…" : word) + "”";
  for (let i = 0; i < lines.length; i++) {
    const words = lines[i].replace(/^\uFEFF/, "").trim().split(/\s*[,;\t]\s*|\s+/).map(w => w.replace(/^"(.*)"$/, "$1"));
    if (words.length == 1 && !words[0]) continue;
    if (!rows.length && words.length == 2 && !words.some(w => number.test(w)) && words.every(w => /[a-z_]/i.test(w))
      && lines.slice(i + 1).some(l => /\d/.test(l)) && !words.some(w => /^[+-]?(nan|inf|infinity|na)$/i.test(w))) continue; // a line of names
    if (words.length != 2) return {error: `Line ${i + 1} has ${words.length} value${words.length > 1 ? "s" : ""}: every line needs two, a label and a score (a decimal point, not a comma).`};
    const bad = words.find(w => !number.test(w));
    if (bad !== undefined) return {error: `Line ${i + 1}: ${bad ? show(bad) + " is not a number" : "a value is missing"}.`};
    const row = words.map(Number);
    if (!row.every(Number.isFinite)) return {error: `Line ${i + 1}: ${show(words.find(w => !Number.isFinite(+w)))} is too large.`};
    rows.push(row);
  }
  if (!rows.length) return {error: "Nothing to read yet: paste two columns, a label and a score in each line."};
  if (rows.length < 2 || rows.length > most) return {error: `${rows.length} row${rows.length > 1 ? "s" : ""}: between 2 and ${most} can be used.`};
  const values = j => [...new Set(rows.map(r => r[j]))].sort((a, b) => a - b), kinds = [values(0), values(1)];
  const j = kinds[0].length == 2 ? 0 : kinds[1].length == 2 ? 1 : -1;
  if (j < 0) {
    const one = kinds.findIndex(k => k.length == 1);
    return {error: one >= 0 ? `All labels are ${kinds[one][0]}: both classes are needed, at least one row of each.`
      : `The first column has ${kinds[0].length} different values, the second ${kinds[1].length}: one of them must hold labels, with exactly two.`};
  }
  return {y: rows.map(r => +(r[j] == kinds[j][1])), s: rows.map(r => r[1 - j]), positive: kinds[j][1]};
}

// One sort, one scan: a point for every distinct score, the highest first.
function scan({y, s}) {
  const order = [...s.keys()].sort((a, b) => s[b] - s[a]), m = y.reduce((a, b) => a + b), n = y.length - m;
  const fpr = [0], tpr = [0], at = [Infinity];
  let up = 0, right = 0, area = 0;
  order.forEach((i, r) => {
    if (y[i]) up++; else right++;
    if (r + 1 < order.length && s[order[r + 1]] == s[i]) return;
    area += (right / n - fpr[fpr.length - 1]) * (up / m + tpr[tpr.length - 1]) / 2;
    fpr.push(right / n); tpr.push(up / m); at.push(s[i]);
  });
  return {fpr, tpr, at, m, n, area};
}

function setup(ui, d) {
  const square = ui.frame(d.square), gain = ui.frame(d.gain), cut = ui.control("cut"), best = ui.control("best");
  const [hereL, hereR] = ui.all(".here");
  let curve, shown, own = false, words = d.words, been, set;
  // A point of the curve that moves by less than a third of a pixel is not drawn.
  const thin = points => points.filter((p, i) => {
    if (i && i < points.length - 1 && Math.hypot(p[0] - thin.x, p[1] - thin.y) < 0.0012) return false;
    [thin.x, thin.y] = p;
    return true;
  });

  // The two histograms: each of its own class, the highest bar as high as its row.
  function bars(row, scores) {
    const [low, high] = row.limits, width = (high - low) / d.bins, counts = Array(d.bins).fill(0);
    for (const v of scores) counts[Math.min(d.bins - 1, Math.floor((v - low) / width))]++;
    const most = Math.max(...counts);
    return counts.map((n, i) => {
      const left = low + i * width;
      return n ? row.path([[left, 0], [left, n / most], [left + width, n / most], [left + width, 0]], "Z") : "";
    }).join("");
  }
  let rows;
  function histograms({y, s}) {
    let low = Infinity, high = -Infinity;
    for (const v of s) { low = Math.min(low, v); high = Math.max(high, v); }
    if (high == low) high = low + Math.max(1, Math.abs(low) * 1e-6);
    const limits = [low, high];
    rows = d.rows.map(row => ({...ui.frame({...row, x: limits}), limits}));
    ["sick", "healthy"].forEach((kind, i) => {
      ui.set(".bars." + kind, {d: bars(rows[i], s.filter((v, k) => y[k] == 1 - i))});
      ui.text("." + kind + "-name", words[i].length > d.longest ? words[i].slice(0, d.longest - 1) + "…" : words[i]);
    });
    ui.text(".low", String(+low.toPrecision(6)));
    ui.text(".high", String(+limits[1].toPrecision(6)));
  }

  function use(cases, start) {
    curve = scan(cases);
    histograms(cases);
    cut.max = curve.fpr.length - 1;
    cut.value = curve.fpr.length - 1 - (start ?? curve.fpr.findIndex(v => v >= 0.5));
    ui.set(".ax-panels > svg .curve", {d: square.path(thin(curve.fpr.map((v, k) => [v, curve.tpr[k]])))});
    best.checked = false;
    set = null;
    draw();
  }
  // What the sliders say: {share, ratio, limit} with the net benefit of every point, and the best within the budget.
  function settings() {
    const i = +ui.control("prevalence").value, own = curve.m / (curve.m + curve.n);
    const share = i < d.prevalences.length ? d.prevalences[i] : own, miss = d.costs[ui.control("miss").value], false_ = d.costs[ui.control("false").value];
    const limit = d.budgets[ui.control("budget").value] / 1000;
    ui.label("prevalence", i < d.prevalences.length ? String(share) : "data: " + own.toPrecision(2));
    ui.label("miss", String(miss));
    ui.label("false", String(false_));
    ui.label("budget", String(1000 * limit));
    const alarms = curve.fpr.map((f, k) => share * curve.tpr[k] + (1 - share) * f);
    const benefit = curve.fpr.map((f, k) => share * curve.tpr[k] - false_ / miss * (1 - share) * f);
    let top = 0;
    benefit.forEach((v, k) => { if (alarms[k] <= limit + 1e-12 && v > benefit[top] + 1e-12) top = k; });
    return {share, limit, alarms, benefit, top};
  }
  function draw() {
    const now = settings(), key = [now.share, now.limit, ui.control("miss").value, ui.control("false").value].join();
    if (best.checked) cut.value = curve.fpr.length - 1 - now.top;
    const k = curve.fpr.length - 1 - cut.value, {share, limit, alarms, benefit, top} = now, high = v => Math.max(d.floor, v / share);
    if (set != key) { set = key; been = [k, k]; }
    been = [Math.min(been[0], k), Math.max(been[1], k)];
    if (best.checked) been = [0, curve.fpr.length - 1];
    const [f, t, rate, value] = [curve.fpr[k], curve.tpr[k], alarms[k], benefit[k]];
    const within = rate <= limit + 1e-12, solved = within && value > benefit[top] - 1e-9;
    ui.place(hereL, square.x(f), square.y(t));
    ui.place(hereR, gain.x(1000 * rate), gain.y(high(value)));
    const mark = ui.one(".best");
    ui.toggle(mark, "hidden", !solved);
    ui.place(mark, square.x(f), square.y(t));
    ui.set(".been", {d: gain.path(thin(alarms.slice(been[0], been[1] + 1).map((a, i) => [a, high(benefit[been[0] + i])])).map(p => [1000 * p[0], p[1]]))});
    ui.set(".budget", {d: gain.path([[1000 * limit, d.floor], [1000 * limit, 1]])});
    // The points with as many alarms as the budget: from the left or upper edge of the square to its lower or right one.
    const up = Math.min(1, limit / share), down = Math.max(0, (limit - (1 - share)) / share);
    ui.set(".limit", {d: limit < 1 ? square.path([[(limit - share * up) / (1 - share), up], [(limit - share * down) / (1 - share), down]]) : ""});
    const corner = [(limit - share * up) / (1 - share), up], name = ui.one(".limit-name");
    ui.toggle(name, "hidden", limit == 1);
    ui.place(name, square.x(corner[0]), square.y(corner[1]));
    ui.toggle(ui.one(".budget-name"), "hidden", limit == 1);
    ui.place(ui.one(".budget-name"), gain.x(1000 * limit), gain.y(1));
    const text = {alarms: fixed(1000 * rate, 1), precision: rate ? fixed(share * t / rate, 3) : "–", caught: fixed(t, 3), benefit: fixed(1000 * value, 1)};
    for (const name in text) ui.text("." + name, text[name]);
    ui.place(ui.one(".cut"), k ? rows[0].x(curve.at[k]) : d.square.box[0] + d.square.box[2], 0);
    ui.label("cut", k ? String(+curve.at[k].toPrecision(6)) : "none");
    const people = `It finds <b>${fixed(100 * t, 0)} %</b> of the ${words[0]}. `;
    ui.say((k ? `This threshold gives <b>${fixed(1000 * rate, 0)}</b> alarms among 1000 people, ${within ? "within the budget" : "more than the budget allows"}. ` + people
      : "This threshold gives no alarm. ")
      + (!solved ? "Find the threshold of largest net benefit within the budget!"
        : !k ? "And nothing is better: at these costs to treat none has the largest net benefit."
        : `No threshold within the budget is better: its net benefit is that of finding <b>${fixed(1000 * value, 1)}</b> of the ${fixed(1000 * share, 0)} ${words[0]} in 1000 without any false alarm.`));
  }
  const note = text => { ui.text(".ax-note", text); };
  for (const name of ["prevalence", "miss", "false", "budget", "best"]) ui.on(name, draw);
  ui.on("cut", () => { best.checked = false; draw(); });
  // Browsers insert thousands of lines at the pace of typing (minutes); put in at once they take a second.
  ui.control("pasted").addEventListener("paste", e => {
    const text = e.clipboardData.getData("text/plain"), box = e.target;
    if (text.length < 2000) return;
    e.preventDefault();
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
  });
  ui.on("use", () => {
    const found = read(ui.control("pasted").value, d.most);
    if (found.error) return note(found.error);
    words = ["positive", "negative"];
    ui.control("prevalence").value = d.prevalences.length;
    use(found);
    note(`${found.y.length} rows, ${curve.m} of them positive (label ${found.positive}), AUC ${fixed(curve.area, 3)}. `
      + (curve.area < 0.5 ? "Below one half: are low scores the suspicious ones? Then put a minus before them. " : "")
      + "The prevalence is now that of your rows: set the one you expect.");
  });
  ui.on("example", () => {
    words = d.words;
    ui.form.reset();
    use(d, d.start);
    note("");
  });
  ui.drag(ui.one(".ax-panels > svg"), (x, y) => {
    let near = 0, least = Infinity;
    curve.fpr.forEach((v, k) => {
      const far = Math.hypot(square.x(v) - x, square.y(curve.tpr[k]) - y);
      if (far < least) [near, least] = [k, far];
    });
    cut.value = curve.fpr.length - 1 - near;
    best.checked = false;
    draw();
  });
  use(d, d.start);
}
