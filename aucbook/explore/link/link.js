// One round of boosting: the reader's votes against links whose votes (on a grid of weak scores) and Z come from Python.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), who = ui.control("who"), times = ui.control("times"), links = ui.control("link");
  const cases = ui.all(".case"), shapes = ui.all(".case .mark"), [, svg] = ui.all(".ax-panels > svg");
  const bars = [...svg.querySelectorAll("path.pos,path.neg")], weights = ui.all(".weight"), [low, high] = d.left.x;
  const bar = (i, v) => `M${right.x(i + 0.65)} ${right.y(0)}V${right.y(Math.min(v, d.right.y[1]))}H${right.x(i + 1.35)}V${right.y(0)}`;
  // Your staircase steps half-way between two patients.
  const middle = d.h.slice(1).map((h, j) => (h + d.h[j]) / 2), stairs = votes => votes.flatMap((v, j) => [[j ? middle[j - 1] : low, v], [j < middle.length ? middle[j] : high, v]]);
  let mine = d.h.map(() => 0), shown = mine;

  function draw() {
    const link = +links.value, i = who.value - 1, t = +times.value, [votes, Z] = d.rounds[t ? `${i},${t}` : "0,0"];
    const w = d.h.map((_, j) => j == i ? d.weights[t] : 1), total = w.reduce((a, b) => a + b);
    const grid = votes[2], at = link == 3 ? grid : link ? grid.map((_, j) => votes[link - 1][0] + (votes[link - 1][1] - votes[link - 1][0]) * j / (grid.length - 1)) : [];
    shown = link ? d.h.map(h => at[Math.round((h - low) * 10)]) : mine;
    ui.set(".curve", {d: left.path(link ? at.map((v, j) => [low + j / 10, v]) : stairs(mine))});
    let paid = 0;
    d.h.forEach((h, j) => {
      const D = w[j] / total, pays = D * Math.exp(d.ill[j] ? -shown[j] : shown[j]);
      paid += pays;
      ui.place(cases[j], left.x(h), left.y(shown[j]));
      shapes[j].setAttribute("transform", `scale(${w[j] ** 0.35})`);
      cases[j].firstElementChild.style.stroke = j == i ? "var(--ink)" : "";
      ui.set(cases[j], {"aria-valuenow": fixed(shown[j], 1), "aria-valuetext": `vote ${fixed(shown[j], 1)}`});
      ui.set(bars[j], {d: bar(j, pays)});
      ui.set(weights[j], {d: bar(j, D)});
    });
    if (link) paid = Z[link - 1];
    ui.text(".total", `Z = ${fixed(paid, 3)}`);
    ui.label("who", String(i + 1));
    ui.label("times", `× ${d.weights[t]}`);
    const line = `For the best straight line through zero it is <b>${fixed(Z[0], 3)}</b>`, best = `the best staircase, <b>${fixed(Z[2], 3)}</b>`;
    const others = d.links.slice(1).map((name, j) => `${name} <b>${fixed(Z[j], 3)}</b>`).filter((_, j) => j != link - 1).join(", ");
    ui.say(link ? `The ${d.links[link]} link has the loss Z = <b>${fixed(paid, 3)}</b> in this round; the others: ${others}. With all votes 0 it is 1.`
      : `The loss of your votes is Z = <b>${fixed(paid, 3)}</b>. ` + (paid >= Z[0] - 0.0005 ? line + ": can you make it smaller?"
        : paid > Z[2] + 0.01 ? line + `: you are below it. How near can you come to ${best}?`
        : `No votes that never fall have a smaller loss than ${best}: you have it.`));
  }
  cases.forEach((c, i) => {
    // Votes stay monotone: a moved vote takes along those in its way. Moving a vote of another link starts from that link's votes.
    const move = v => {
      if (links.value != "0") mine = shown.map(k => clamp(Math.round(k * 10) / 10, -d.loudest, d.loudest));
      links.value = "0";
      mine = mine.map((k, j) => j < i ? Math.min(k, v) : j > i ? Math.max(k, v) : v);
      who.value = i + 1;
      draw();
    };
    c.setAttribute("aria-label", `patient ${i + 1}, ${d.ill[i] ? "ill" : "well"}, weak score ${d.h[i]}`);
    ui.handle(c, {get: () => Math.round(shown[i] * 10) / 10, set: move, from: (px, py) => left.iy(py), min: -d.loudest, max: d.loudest, step: 0.1, text: v => `vote ${fixed(v, 1)}`});
    c.addEventListener("focus", () => {
      who.value = i + 1;
      draw();
    });
  });
  for (const name of ["link", "who", "times"]) ui.on(name, draw);
  draw();
}
