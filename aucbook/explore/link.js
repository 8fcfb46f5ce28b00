// One round of boosting: the votes on a grid of weak scores, and every Z, come from Python.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), who = ui.control("who"), times = ui.control("times");
  const cases = ui.all(".case"), shapes = ui.all(".case .mark"), [, svg] = ui.all(".ax-panels > svg");
  const bars = [...svg.querySelectorAll("path.pos,path.neg")], weights = ui.all(".weight");
  const bar = (i, v) => `M${right.x(i + 0.65)} ${right.y(0)}V${right.y(Math.min(v, d.right.y[1]))}H${right.x(i + 1.35)}V${right.y(0)}`;

  function draw() {
    const link = +ui.control("link").value, i = who.value - 1, t = +times.value, [votes, Z] = d.rounds[t ? `${i},${t}` : "0,0"];
    const [first, last] = votes[link], staircase = votes[0], curve = staircase.map((v, j) => link ? first + (last - first) * j / (staircase.length - 1) : v);
    const w = d.h.map((_, j) => j == i ? d.weights[t] : 1), total = w.reduce((a, b) => a + b);
    ui.set(".curve", {d: left.path(curve.map((v, j) => [d.left.x[0] + j / 10, v]))});
    d.h.forEach((h, j) => {
      const k = curve[Math.round((h - d.left.x[0]) * 10)], D = w[j] / total;
      ui.place(cases[j], left.x(h), left.y(k));
      shapes[j].setAttribute("transform", `scale(${w[j] ** 0.35})`);
      cases[j].firstElementChild.style.stroke = j == i ? "var(--ink)" : "";
      ui.set(bars[j], {d: bar(j, D * Math.exp(d.ill[j] ? -k : k))});
      ui.set(weights[j], {d: bar(j, D)});
    });
    ui.text(".total", `Z = ${fixed(Z[link], 3)}`);
    ui.label("who", String(i + 1));
    ui.label("times", `× ${d.weights[t]}`);
    const others = d.links.map((name, j) => `${name} <b>${fixed(Z[j], 3)}</b>`).filter((_, j) => j != link).join(", ");
    ui.say(`The ${d.links[link]} link pays Z = <b>${fixed(Z[link], 3)}</b> for this round; the others: ${others}. Silence would pay 1.`);
  }
  for (const name of ["link", "who", "times"]) ui.on(name, draw);
  cases.forEach((c, i) => c.addEventListener("click", () => {
    who.value = i + 1;
    draw();
  }));
  draw();
}
