// The top of a list: the slider says how many of each list are tested.
function setup(ui, d) {
  const plane = ui.frame(d.frame), spots = ui.all(".here"), strips = ui.all(".tested");
  function draw() {
    const k = +ui.control("k").value, hits = d.active.map(row => row.slice(0, k).reduce((a, b) => a + b)), rich = hits.map(h => h / k / 0.2);
    rich.forEach((v, r) => {
      ui.place(spots[r], plane.x(k), plane.y(v));
      ui.set(strips[r], {width: d.step * k});
    });
    ui.label("k", String(k));
    ui.say(`With <b>${k}</b> well${k > 1 ? "s" : ""} list one brings <b>${hits[0]}</b> active, list two <b>${hits[1]}</b>; a random choice `
      + `${fixed(0.2 * k, 1)}, on average. Enrichment: <b>${fixed(rich[0])}</b> and <b>${fixed(rich[1])}</b>.`);
  }
  ui.on("k", draw);
  draw();
}
