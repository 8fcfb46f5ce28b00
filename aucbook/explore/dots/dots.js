// The dots of the first k folds are joined; their differences, mean and spread appear beside them.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), n = d.first.length, joins = ui.all(".join"), gaps = ui.all(".gap");
  const signed = v => (v < -5e-4 ? "−" : v > 5e-4 ? "+" : "") + fixed(Math.abs(v), 3);
  function spread(v) {
    const mean = v.reduce((a, b) => a + b, 0) / v.length;
    return [mean, Math.sqrt(v.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (v.length - 1))];
  }
  function draw() {
    const k = +ui.control("joined").value, wrong = ui.control("wrong").checked, partner = i => wrong ? d.other[i] : i;
    const differences = d.first.map((v, i) => v - d.second[partner(i)]), seen = differences.slice(0, k), [mean, sd] = spread(seen);
    joins.forEach((path, i) => {
      ui.toggle(path, "hidden", i >= k);
      ui.set(path, {d: left.path([[0, d.second[partner(i)]], [1, d.first[i]]]), style: differences[i] < 0 ? "stroke:var(--orange)" : ""});
    });
    gaps.forEach((dot, i) => {
      ui.toggle(dot, "hidden", i >= k);
      ui.place(dot, right.x(i + 1), right.y(differences[i]));
    });
    ui.toggle(ui.one(".both"), "hidden", k < 2);
    ui.toggle(ui.one(".mean"), "hidden", k < 2);
    if (k > 1) {
      const [, top, , height] = d.right.box, at = v => clamp(right.y(v), top, top + height).toFixed(2);
      ui.set(".both", {d: `M${right.x(n + 1.1)} ${at(mean - sd)}V${at(mean + sd)}`});
      ui.place(ui.one(".mean"), right.x(n + 1.1), right.y(mean));
    }
    ui.label("joined", String(k));
    const [one, two] = d.names, all = k == n, won = seen.filter(v => v > 0).length;
    if (!k) {
      const [a, s] = spread(d.first), [b, t] = spread(d.second);
      return ui.say(`Mean and spread over ${n} folds: ${one} <b>${fixed(a, 3)} ± ${fixed(s, 3)}</b>, ${two} `
        + `<b>${fixed(b, 3)} ± ${fixed(t, 3)}</b>. Join the two dots of a fold, then the next.`);
    }
    const i = k - 1, pair = `${fixed(d.first[i], 3)} − ${fixed(d.second[partner(i)], 3)} = <b>${signed(differences[i])}</b>`;
    const last = wrong ? `Fold ${k} with fold ${partner(i) + 1}: ${pair}.` : `Fold ${k}: ${pair}.`;
    ui.say(last + (k < 2 ? "" : ` ${all ? "All" : "The first"} ${k} differences: <b>${signed(mean)} ± ${fixed(sd, 3)}</b>, ${won} of them above zero.`)
      + (all && !wrong ? " Now join dots of different folds: what changes, the mean or the spread?" : ""));
  }
  ui.on("joined", draw);
  ui.on("wrong", draw);
  draw();
}
