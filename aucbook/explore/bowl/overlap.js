// One test, one weight: the surrogate loss has its minimum at zero if the positives are not far enough above the highest negatives.
function setup(ui, d) {
  const frame = ui.frame(d.frame), line = ui.frame(d.line), high = d.frame.y[1], input = ui.control("shift"), people = ui.all("g > .mark");
  const base = d.b.map(() => 0);
  function draw() {
    const shift = +input.value, test = d.b.map((v, i) => v + (i < d.sick ? shift : 0)), points = [];
    for (let i = -100; i <= 300; i++) {
      const [h, g] = worstPlane(base, test, d.sick, d.k, i / 200);
      points.push([i / 200, h + g * i / 200]);
    }
    const [w, surrogate] = points.reduce((a, b) => b[1] < a[1] - 1e-12 ? b : a);
    test.forEach((v, i) => { if (i < d.sick) people[i].parentNode.setAttribute("transform", `translate(${line.x(v).toFixed(2)} ${line.y(1.4).toFixed(2)}) scale(.7)`); });
    ui.set(".bowl", {d: frame.path(points.filter(p => p[1] <= high))});
    ui.place(ui.one(".lowest"), frame.x(w), frame.y(surrogate));
    ui.label("shift", fixed(shift, 1));
    ui.say(`The surrogate is lowest at w = <b>${fixed(w)}</b>: ${fixed(surrogate)}. ` + (Math.abs(w) < 1e-9 ? "Everybody gets the same score." : "People are ranked by test B."));
  }
  ui.on("shift", draw);
  draw();
}
