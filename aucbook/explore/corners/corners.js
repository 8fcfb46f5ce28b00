// The adaptive approximation: the corners of depth D are every 2^(levels - D)-th point of the finest one.
function setup(ui, d) {
  const left = ui.frame(d.left), right = ui.frame(d.right), depth = ui.control("depth"), dots = ui.one(".corners");
  const short = v => v >= 0.001 ? String(+v.toPrecision(2)) : v.toExponential(1);

  function draw() {
    const D = +depth.value, set = d.sets[+ui.control("problem").value], step = 2 ** (d.levels - D), scale = 4 ** D;
    const points = set.x.map((x, i) => [x, set.y[i]]), knots = points.filter((p, i) => i % step == 0);
    // The gap is clipped at the border of the picture.
    const gap = points.map(([x, y], i) => {
      const a = points[i - i % step], b = points[Math.min(i - i % step + step, points.length - 1)];
      const chord = b[0] > a[0] ? a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]) : y;
      return [x, clamp((y - chord) * scale, 0, d.right.y[1])];
    });
    ui.set(".sums", {d: left.path(points)});
    ui.set(".chord", {d: left.path(knots)});
    ui.set(".curve", {d: right.path(gap)});
    dots.replaceChildren(...knots.map(([x, y]) => {
      return ui.set(dots.firstElementChild.cloneNode(), {r: D > 4 ? 2.5 : 4, cx: left.x(x).toFixed(2), cy: left.y(y).toFixed(2)});
    }));
    ui.label("depth", String(D));
    const there = set.dinf[D] < d.goal, last = D == set.dinf.length - 1;
    const end = there ? `<b>below ${d.goal}</b>.` : last ? `still not below ${d.goal}. Where is it?` : `not yet below ${d.goal}.`;
    ui.say(`<b>${2 ** D}</b> piece${D ? "s" : ""} miss${D ? "" : "es"} an area of <b>${short(set.d1[D])}</b>; the largest gap is <b>${short(set.dinf[D])}</b>: ${end}`);
  }
  ui.on("problem", draw);
  ui.on("depth", draw);
  draw();
}
