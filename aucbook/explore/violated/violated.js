// The most violated ordering: each positive is ranked below the prefix of negatives at which a line of slope s touches P from above.
function setup(ui, d) {
  const frame = ui.frame(d.frame), grid = ui.frame(d.grid), [low, high] = d.frame.y, m = d.sick.length, n = d.healthy.length;
  const cells = ui.all(".cell"), dots = ui.all(".dot"), rows = ui.all(".row"), columns = ui.all(".column");
  const bands = ui.all(".band"), names = ui.all(".band-words"), solve = ui.control("solve"), chosen = ui.control("sick");
  let {alpha, beta} = d, ranks = d.sick.map(() => 0);

  const shade = (above, weight) => above ? `color-mix(in srgb,var(--orange) ${Math.round(100 * weight)}%,var(--orange-wash))` : "var(--faint)";
  const sums = steps => steps.reduce((out, v) => [...out, out.at(-1) + v], [0]);
  function clipped(slope, start) {
    const ends = Math.abs(slope) > 1e-9 ? [low, high].map(v => (v - start) / slope).sort((a, b) => a - b) : [0, n];
    return ends.map(x => clamp(x, 0, n)).map(x => [x, start + slope * x]);
  }
  function draw() {
    const w = +ui.control("w").value, i = chosen.value - 1, s = d.sick.map(v => w * v), t = d.healthy.map(v => w * v);
    const weights = t.map((_, j) => n * (clamp((j + 1) / n, alpha, beta) - clamp(j / n, alpha, beta))), steps = t.map((v, j) => v + weights[j]);
    const slopes = pool(steps, -1).flatMap(b => Array(b.to - b.from).fill(b.mean)), P = sums(steps), hull = sums(slopes);
    const best = s.map(v => slopes.filter(g => g > v).length), most = best.reduce((sum, r, k) => sum + hull[r] - r * s[k], 0);
    if (solve.checked) ranks = best;
    const gains = ranks.map((r, k) => P[r] - r * s[k]), value = gains.reduce((a, b) => a + b);
    const r = ranks[i], at = v => frame.y(v), won = value > most - 1e-9;

    ui.toggle(ui.one(".curve"), "hidden", !solve.checked);
    ui.set(".curve", {d: frame.path([...hull.entries()])});
    dots.forEach((dot, k) => ui.place(dot, frame.x(k), at(P[k])));
    ui.set(".tangent", {d: frame.path(clipped(s[i], gains[i]))});
    ui.place(ui.one(".here"), frame.x(r), at(P[r]));
    ui.set(".gain", {d: `M${frame.x(0) - 6} ${at(clamp(gains[i], low, high)).toFixed(2)}h12`});
    ui.text(".words", `slope ${fixed(s[i])}, adds ${fixed(gains[i])}`);
    cells.forEach((cell, k) => cell.style.fill = shade(k % n < ranks[Math.floor(k / n)], weights[k % n]));
    ui.set(".border", {d: grid.path([[0, 0], ...ranks.flatMap((r, k) => [[r, k], [r, k + 1]]), [n, m]])});
    ui.set(".chosen", {y: grid.y(i + 1)});
    [[0, alpha], [alpha, beta], [beta, 1]].forEach(([a, b], g) => {
      ui.set(bands[g], {x: grid.x(n * a), width: grid.x(n * b) - grid.x(n * a)});
      ui.set(names[g], {x: grid.x(n * (a + b) / 2)});
      // No words where they do not fit.
      ui.toggle(names[g], "hidden", b - a < [0.15, 0.25, 0.12][g]);
    });
    rows.forEach((el, k) => el.textContent = fixed(s[k]));
    columns.forEach((el, j) => el.textContent = fixed(t[j], 1));
    ui.control("alpha").value = alpha;
    ui.control("beta").value = beta;
    ui.control("above").value = r;
    ui.label("w", fixed(w));
    ui.label("alpha", fixed(alpha, 3));
    ui.label("beta", fixed(beta, 3));
    ui.label("sick", String(i + 1));
    ui.label("above", String(r));
    const taken = weights.slice(0, r), inside = taken.filter(v => v > 1e-9).length, early = Math.min(r, Math.floor(n * alpha + 1e-9));
    const points = taken.reduce((a, b) => a + b, 0), margins = points - gains[i];
    ui.say(`The value of ${solve.checked ? "the most violated" : "your"} ordering is <b>${fixed(value, 3)}</b>, the largest is <b>${fixed(most, 3)}</b>. `
      + (won && !solve.checked ? "No ordering is worse! " : "")
      + `Above sick patient ${i + 1} stand <b>${early}</b> before the range, <b>${inside}</b> in it, <b>${r - early - inside}</b> after it: `
      + (margins < -0.005 ? `${fixed(points)} points, and ${fixed(-margins)} more for negative margins.` : `${fixed(points)} points minus margins of ${fixed(margins)}.`));
  }
  function put(k, r) {
    ranks = [...ranks];
    ranks[k] = r;
    chosen.value = k + 1;
    solve.checked = false;
    draw();
  }
  // An end that meets the other one moves it along: the range is never empty.
  ui.on("alpha", () => { alpha = Math.min(+ui.control("alpha").value, 0.975); beta = Math.max(beta, alpha + 0.025); draw(); });
  ui.on("beta", () => { beta = Math.max(+ui.control("beta").value, 0.025); alpha = Math.min(alpha, beta - 0.025); draw(); });
  ui.on("w", draw);
  ui.on("sick", draw);
  ui.on("solve", draw);
  ui.on("above", () => put(chosen.value - 1, +ui.control("above").value));
  const [curve, table] = ui.all(".ax-panels > svg");
  ui.drag(table, (x, y) => put(clamp(Math.floor(grid.iy(y)), 0, m - 1), clamp(Math.floor(grid.ix(x)) + 1, 0, n)));
  ui.drag(curve, x => put(chosen.value - 1, clamp(Math.round(frame.ix(x)), 0, n)));
  draw();
}
