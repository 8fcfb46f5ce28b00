// Labels and positions of a few points. Two non-decreasing functions can realise a labelling unless a negative is at least as high as a positive in both scores.
function setup(ui, d) {
  const plane = ui.frame(d.plane), votes = ui.frame(d.votes), marks = ui.all(".point"), n = d.points.length, size = d.size, letters = "ABCDEF";
  let points, labels;

  // The nearest pair (positive, negative) that forbids a labelling.
  function forbidding(word) {
    let best = null, least = Infinity;
    points.forEach(([a, b], i) => points.forEach(([x, y], j) => {
      const far = Math.abs(x - a) + Math.abs(y - b);
      if (word[i] && !word[j] && x >= a && y >= b && far < least) { least = far; best = [i, j]; }
    }));
    return best;
  }
  function possible() {
    let count = 0;
    for (let k = 0; k < 1 << n; k++) count += !forbidding(points.map((_, i) => k >> i & 1));
    return count;
  }
  const steps = levels => levels.flatMap((v, i) => [[i + 0.5, v], [i + 1.5, v]]);

  function draw() {
    const pair = forbidding(labels), middle = (size + 1) / 2;
    const first = Array.from({length: size}, (_, k) => middle + 0.5 - Math.min(size + 1, ...points.filter((p, i) => labels[i] && p[0] <= k + 1).map(p => p[1])));
    marks.forEach((g, i) => {
      ui.place(g, plane.x(points[i][0]), plane.y(points[i][1]));
      ui.toggle(g.querySelector(".pos-mark"), "hidden", !labels[i]);
      ui.toggle(g.querySelector(".neg-mark"), "hidden", !!labels[i]);
      ui.set(g, {"aria-label": `${letters[i]} at ${points[i].join(", ")}, ${labels[i] ? "positive" : "negative"}`, "aria-pressed": !!labels[i]});
    });
    ui.set(".region", {d: pair ? "" : plane.path([[0.5, size + 0.5], ...steps(first.map(v => middle - v)), [size + 0.5, size + 0.5]], "Z")});
    ui.set(".pair", {d: pair ? plane.path(pair.map(i => points[i])) : ""});
    ui.set(".first", {d: votes.path(steps(first))});
    ui.set(".first-name", {y: votes.y(first[0]) - 7});
    ui.toggle(ui.one(".stairs"), "hidden", !!pair);
    ui.toggle(ui.one(".none"), "hidden", !pair);
    const count = `Of the ${1 << n} labellings of these points <b>${possible()}</b> are possible.`;
    ui.say(pair ? `<b>Impossible</b>: ${letters[pair[1]]}, negative, is at least as high as ${letters[pair[0]]}, positive, in both scores, so rising curves give it at least as many votes. ${count}`
      : `<b>Possible</b>: the votes add up to more than 0 at the positives only. ${count}`);
  }
  function flip(i) { labels[i] = 1 - labels[i]; draw(); }
  // Move to a free position of the grid.
  function move(i, x, y) {
    const to = [x, y].map(v => clamp(Math.round(v), 1, size));
    if (points.some(p => p[0] == to[0] && p[1] == to[1])) return;
    points[i] = to;
    draw();
  }
  function reset() {
    points = d.points.map(p => p.slice());
    labels = d.labels.slice();
    draw();
  }

  marks.forEach((g, i) => {
    let from = [0, 0], moved = false;
    ui.set(g, {tabindex: 0, role: "button", "data-lm-suppress-shortcuts": "true"});
    ui.drag(g, (x, y) => {
      moved ||= Math.hypot(x - from[0], y - from[1]) > 8;
      if (moved) move(i, plane.ix(x), plane.iy(y));
    }, (x, y) => {
      from = [x, y];
      moved = false;
      g.focus({preventScroll: true});
    }, "none");
    g.addEventListener("pointerup", () => { if (!moved) flip(i); });
    g.addEventListener("keydown", e => {
      const way = {ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0]}[e.key];
      if (!way && e.key != "Enter" && e.key != " ") return;
      e.preventDefault();
      if (way) move(i, points[i][0] + way[0], points[i][1] + way[1]); else flip(i);
    });
  });
  ui.on("next", () => {
    let k = 0;
    while (k < n && labels[k]) labels[k++] = 0;
    if (k < n) labels[k] = 1;
    draw();
  });
  ui.on("reset", reset);
  reset();
}
