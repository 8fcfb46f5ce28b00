// An additive model: a slider chooses a bin of each column; the votes of the bins are added.
function setup(ui, d) {
  const frames = d.frames.map(f => ui.frame(f)), bars = ui.frame(d.bars), spots = ui.all(".here"), rects = ui.all(".part"), amounts = ui.all(".amount");
  const signed = v => (v > 0.005 ? "+" : v < -0.005 ? "−" : "") + fixed(Math.abs(v) > 0.005 ? Math.abs(v) : 0);
  const chance = v => clamp(Math.round(100 / (1 + Math.exp(-v))), 1, 99) + " %";
  const at = j => +ui.control("v" + j).value;

  function draw() {
    const parts = [d.base, ...d.curves.map(([, votes], j) => votes[at(j)])];
    parts.push(parts.reduce((a, b) => a + b));
    d.curves.forEach(([edges, votes], j) => {
      ui.place(spots[j], frames[j].x((edges[at(j)] + edges[at(j) + 1]) / 2), frames[j].y(votes[at(j)]));
      ui.label("v" + j, d.shown[j][at(j)]);
    });
    parts.forEach((v, r) => {
      ui.set(rects[r], {x: bars.x(Math.min(v, 0)), width: Math.abs(bars.x(v) - bars.x(0)), class: "part " + (v > 0 ? "pos" : "neg")});
      amounts[r].textContent = signed(v);
    });
    const sum = parts[4], moved = d.start.map((k, j) => j).filter(j => at(j) != d.start[j]), only = moved.length == 1 ? d.words[moved[0]] : "";
    let more = " Move one measurement and leave the others: with which can you bring the chance below one half?";
    if (only && sum < 0) more = ` <b>Below one half, by the ${only} alone.</b>`;
    else if (only && at(moved[0]) == 0) more = ` The ${only} cannot do it alone: the others speak louder.`;
    else if (moved.length > 1) more = ` You have moved ${moved.map(j => d.words[j]).join(" and ")}; their votes add up, whichever comes first.`;
    ui.say(`The votes add up to <b>${signed(sum)}</b>: a chance of <b>${chance(sum)}</b> of being malignant.` + more);
  }
  d.words.forEach((word, j) => ui.on("v" + j, draw));
  ui.on("reset", () => { d.start.forEach((k, j) => { ui.control("v" + j).value = k; }); draw(); });
  draw();
}
