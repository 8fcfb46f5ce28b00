// How many trees? The votes of the first k trees are added up here; trees and bootstrap resamples come from Python.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), [low, high] = d.right.y, unseen = ui.control("unseen");
  const walk = (t, x) => t.length ? walk((x[t[0]] >= t[1]) == !!t[2] ? t[3] : t[4], x) : t;
  const round = v => Math.round(v * 1e9) / 1e9;
  // The curve through all different scores, and its area.
  function roc(y, scores) {
    const order = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a]), m = y.reduce((a, b) => a + b, 0), n = y.length - m;
    const points = [[0, 0]];
    let tp = 0, fp = 0, area = 0;
    order.forEach((i, k) => {
      y[i] ? tp++ : fp++;
      if (k + 1 < order.length && scores[order[k + 1]] == scores[i]) return;
      const [x0, y0] = points.at(-1), x = fp / n, z = tp / m;
      area += (x - x0) * (z + y0) / 2;
      points.push([x, z]);
    });
    return {points, area};
  }
  // For each number of trees: the curve on new people, and the out-of-bag curve.
  function grow({X, y, trees}) {
    const [Z, z] = d.new, sum = Z.map(() => 0), own = X.map(() => 0), asked = X.map(() => 0);
    return trees.map(([most, missed, tree], k) => {
      Z.forEach((x, i) => sum[i] += walk(tree, x) / most);
      X.forEach((x, i) => {
        if (!(parseInt(missed[i >> 2], 16) >> (3 - i % 4) & 1)) return;
        own[i] += walk(tree, x) / most;
        asked[i]++;
      });
      const rows = X.map((_, i) => i).filter(i => asked[i]);
      return {...roc(z, sum.map(round)), judged: rows.length, out: roc(rows.map(i => y[i]), rows.map(i => round(own[i] / asked[i])))};
    });
  }
  const films = [];
  let which = 0;

  function draw() {
    const film = films[which] ??= grow(d.samples[which]), k = +ui.control("trees").value, now = film[k - 1], shown = unseen.checked;
    const line = value => right.path(film.slice(0, k).map((one, i) => [i + 1, clamp(value(one), low, high)]));
    ui.set(".alone", {d: left.path(film[0].points)});
    ui.set(".mean", {d: left.path(now.points)});
    ui.set(".unseen", {d: left.path(now.out.points)});
    ui.set(".areas", {d: line(one => one.area)});
    ui.set(".unseen-areas", {d: line(one => one.out.area)});
    for (const name of [".unseen", ".unseen-areas"]) ui.toggle(ui.one(name), "hidden", !shown);
    ui.set(".at", {d: right.path([[k, low], [k, high]])});
    ui.place(ui.one(".here"), right.x(k), right.y(clamp(now.area, low, high)));
    ui.label("trees", String(k));
    const off = now.out.area - now.area, word = off < -0.02 ? "pessimistic" : off > 0.02 ? "optimistic" : "about right";
    ui.say(`<b>${k} tree${k > 1 ? "s" : ""}</b>: ${now.points.length - 1} different scores, area <b>${fixed(now.area, 3)}</b> for new people.`
      + (shown ? ` Out of bag, ${now.judged} of the 100 rows are judged, by ${k > 1 ? "about a third of the trees each" : "the one tree"}: area <b>${fixed(now.out.area, 3)}</b>, ${word}.` : ""));
  }
  ui.on("trees", draw);
  ui.on("unseen", draw);
  ui.on("other", () => { which = (which + 1) % d.samples.length; draw(); });
  draw();
}
