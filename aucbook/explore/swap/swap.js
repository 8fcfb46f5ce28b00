// One swap of neighbours: what it adds to the AUC, and to the average precision.
const auc = sick => {
  let positives = 0, pairs = 0;
  for (const s of sick) if (s) positives++; else pairs += positives;
  return pairs / positives / (sick.length - positives);
};
const averagePrecision = sick => {
  let positives = 0, sum = 0;
  sick.forEach((s, i) => { if (s) sum += ++positives / (i + 1); });
  return sum / positives;
};
const swapped = (sick, k) => sick.map((s, i) => i == k ? sick[k + 1] : i == k + 1 ? sick[k] : s);

function setup(ui, d) {
  const plane = ui.frame(d.frame), place = ui.control("place"), marks = ui.all(".mark");
  let sick = [...d.sick];
  const gains = k => [auc, averagePrecision].map(measure => measure(swapped(sick, k)) - measure(sick));
  const bar = (left, gain) => plane.path([[left, 0], [left, gain], [left + d.half, gain], [left + d.half, 0]], "Z");
  function sentence(k) {
    const now = `Now the AUC is <b>${fixed(auc(sick), 3)}</b>, the average precision <b>${fixed(averagePrecision(sick), 3)}</b>. `;
    if (sick[k] == sick[k + 1]) return now + `Places ${k + 1} and ${k + 2} are both ${sick[k] ? "sick" : "healthy"}: a swap changes nothing.`;
    const [a, p] = gains(k), [verb, where] = a > 0 ? ["adds", "to"] : ["takes", "from"];
    return now + `Swapping places ${k + 1} and ${k + 2} ${verb} <b>${fixed(Math.abs(a), 3)}</b> ${where} the AUC and <b>${fixed(Math.abs(p), 3)}</b> ${where} the average precision.`;
  }
  function draw() {
    const k = place.value - 1, paths = ["", ""];
    for (let i = 0; i + 1 < sick.length; i++) if (sick[i + 1] > sick[i]) {
      const [a, p] = gains(i);
      paths[0] += bar(i + 1 - d.half, a);
      paths[1] += bar(i + 1, p);
    }
    ui.set(".bar.auc", {d: paths[0]});
    ui.set(".bar.ap", {d: paths[1]});
    marks.forEach((mark, i) => {
      ui.toggle(mark, "pos", sick[i]);
      ui.toggle(mark, "neg", !sick[i]);
      ui.toggle(mark, "out", !sick[i]);
    });
    ui.place(ui.one(".chosen"), d.step * k, 0);
    ui.label("place", `${k + 1} and ${k + 2}`);
    ui.say(sentence(k));
  }
  ui.on("place", draw);
  ui.on("swap", () => { sick = swapped(sick, place.value - 1); draw(); });
  ui.on("again", () => { sick = [...d.sick]; place.value = 1; draw(); });
  draw();
}
