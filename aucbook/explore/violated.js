// The most violated ordering: every sick patient takes the prefix of the healthy ones at which a line of slope s touches P.
function setup(ui, d) {
  const frame = ui.frame(d.frame), grid = ui.frame(d.grid), [low, high] = d.frame.y, m = d.sick.length, n = d.healthy.length;
  const cells = ui.all(".cell"), dots = ui.all(".dot"), rows = ui.all(".row"), columns = ui.all(".column");
  let {alpha, beta} = d;

  const shade = (above, weight) => above ? `color-mix(in srgb,var(--orange) ${Math.round(100 * weight)}%,var(--orange-wash))` : "var(--faint)";
  const sums = steps => steps.reduce((out, v) => [...out, out.at(-1) + v], [0]);
  function clipped(slope, start) {
    const ends = Math.abs(slope) > 1e-9 ? [low, high].map(v => (v - start) / slope).sort((a, b) => a - b) : [0, n];
    return ends.map(x => clamp(x, 0, n)).map(x => [x, start + slope * x]);
  }
  function draw() {
    const w = +ui.control("w").value, i = ui.control("sick").value - 1, s = d.sick.map(v => w * v), t = d.healthy.map(v => w * v);
    const weights = t.map((_, j) => n * (clamp((j + 1) / n, alpha, beta) - clamp(j / n, alpha, beta))), steps = t.map((v, j) => v + weights[j]);
    const slopes = pool(steps, -1).flatMap(b => Array(b.to - b.from).fill(b.mean)), P = sums(steps), hull = sums(slopes);
    const ranks = s.map(v => slopes.filter(g => g > v).length), gains = ranks.map((r, k) => hull[r] - r * s[k]), value = gains.reduce((a, b) => a + b);
    const r = ranks[i], at = v => frame.y(v);

    ui.set(".curve", {d: frame.path([...hull.entries()])});
    dots.forEach((dot, k) => ui.place(dot, frame.x(k), at(P[k])));
    ui.set(".tangent", {d: frame.path(clipped(s[i], gains[i]))});
    ui.place(ui.one(".here"), frame.x(r), at(hull[r]));
    ui.set(".gain", {d: `M${frame.x(0) - 6} ${at(gains[i]).toFixed(2)}h12`});
    ui.text(".words", `slope ${fixed(s[i])}, profit ${fixed(gains[i])}`);
    cells.forEach((cell, k) => cell.style.fill = shade(k % n < ranks[Math.floor(k / n)], weights[k % n]));
    ui.set(".border", {d: grid.path([[0, 0], ...ranks.flatMap((r, k) => [[r, k], [r, k + 1]]), [n, m]])});
    ui.set(".chosen", {y: grid.y(i + 1)});
    rows.forEach((el, k) => el.textContent = fixed(s[k]));
    columns.forEach((el, j) => el.textContent = fixed(t[j], 1));
    ui.control("alpha").value = alpha;
    ui.control("beta").value = beta;
    ui.label("w", fixed(w));
    ui.label("alpha", fixed(alpha, 3));
    ui.label("beta", fixed(beta, 3));
    ui.label("sick", String(i + 1));
    ui.say(`The worst order earns <b>${fixed(value, 3)}</b> in all, loss minus margin <b>${fixed(Math.round(value / (m * n * (beta - alpha)) * 1e9) / 1e9, 3)}</b>. `
      + `It puts <b>${r}</b> of ${n} healthy patients above sick patient ${i + 1}.`);
  }
  // An end that meets the other one pushes it along: the range is never empty.
  ui.on("alpha", () => { alpha = Math.min(+ui.control("alpha").value, 0.975); beta = Math.max(beta, alpha + 0.025); draw(); });
  ui.on("beta", () => { beta = Math.max(+ui.control("beta").value, 0.025); alpha = Math.min(alpha, beta - 0.025); draw(); });
  ui.on("w", draw);
  ui.on("sick", draw);
  ui.drag(ui.all(".ax-panels > svg")[1], (x, y) => {
    ui.control("sick").value = Math.floor(grid.iy(y)) + 1;
    draw();
  });
  draw();
}
