// A ranking tree that the reader splits: a node is a chord of the ROC curve, its split the triangle above it.
function setup(ui, d) {
  const f = ui.frame(d.frame), slider = ui.control("node"), cells = ui.all(".cell"), open = new Set();
  const regions = ui.all(".region"), numbers = ui.all(".number");      // of the plane, where there is one
  const cuts = n => n == 1 ? "1 split" : `${n} splits`;
  const above = d.nodes.map((_, i) => d.nodes.findIndex(n => n.kids.includes(i)));
  // The chosen node, and the one that has just been split: its better child is chosen, and its triangle is still shown.
  let at = 0, fresh = -1;
  // The nodes, from top to bottom and from left to right; and the leaves among them.
  const visible = (i = 0) => [i, ...(open.has(i) ? d.nodes[i].kids.flatMap(k => visible(k)) : [])];
  const close = i => { if (open.delete(i)) d.nodes[i].kids.forEach(close); };

  function draw() {
    const seen = visible(), leaves = seen.filter(i => !open.has(i)), node = d.nodes[at], cut = open.has(at), last = cut ? at : fresh;
    const area = [...open].reduce((sum, i) => sum + d.nodes[i].gain, 0.5);
    for (const el of ui.all("[data-node]")) ui.toggle(el, "hidden", !seen.includes(+el.dataset.node));
    for (const i of seen) {
      const text = cells[i].querySelector("text");
      text.textContent = open.has(i) ? d.nodes[i].words : leaves.length > 16 ? "" : leaves.indexOf(i) + 1;
      ui.set(text, {y: open.has(i) ? -16 : 22});
      ui.toggle(text, "small", open.has(i));
      if (!regions.length) continue;
      for (const el of [regions[i], numbers[i]]) ui.toggle(el, "hidden", open.has(i));
      numbers[i].textContent = open.size ? leaves.indexOf(i) + 1 : "";
    }
    if (regions.length) {
      const [left, bottom, right, top] = node.box;
      ui.set(".outline", {d: f.path([[left, bottom], [right, bottom], [right, top], [left, top]], "Z")});
    }
    ui.place(ui.one("circle.chosen"), node.x, node.y);
    ui.set(".curve", {d: f.path([[0, 0], ...leaves.map(i => d.nodes[i].ends[1])])});
    ui.set(".chord", {d: f.path(node.ends)});
    ui.set(".wash", {d: last < 0 ? "" : f.path([d.nodes[last].ends[0], d.nodes[last].knot, d.nodes[last].ends[1]], "Z")});
    slider.max = seen.length;
    slider.value = seen.indexOf(at) + 1;
    ui.label("node", `${seen.indexOf(at) + 1}/${seen.length}`);
    ui.control("cut").disabled = cut || !node.kids.length;
    ui.control("undo").disabled = !open.size;
    ui.control("again").disabled = !open.size;
    const made = last < 0 ? "" : `The split “${d.nodes[last].cut}” ${cut ? "sent the better part to the left and " : ""}added a triangle of <b>${d.nodes[last].gain.toFixed(3)}</b>.`;
    const kind = cut ? "" : node.kids.length ? " One chord: all its rows are tied." : " A leaf that this tree does not split.";
    const here = cut ? `${node.here}. ${made}` : made ? `${made} Its better part is chosen: ${node.here}.${kind}` : `${node.here}.${kind}`;
    const done = area >= d.goal - 1e-6;
    const far = done && open.size <= d.tries ? "<b>You are there.</b>"
      : done ? `That is enough, but ${cuts(d.tries)} would do.`
      : open.size < d.tries ? `The goal: ${d.goal.toFixed(3)} with ${cuts(d.tries)}.`
      : `Not ${d.goal.toFixed(3)} yet: take back a split that added little.`;
    ui.say(`${here} <b>${cuts(open.size)}, area ${area.toFixed(3)}</b>. ${far}`);
  }
  const go = i => { at = i; fresh = -1; draw(); };
  // A disabled button would lose the keyboard focus: another control takes it.
  const keep = (name, next) => { if (ui.control(name).disabled) ui.control(next).focus({preventScroll: true}); };
  ui.on("node", () => go(visible()[slider.value - 1]));
  ui.on("cut", () => { open.add(at); fresh = at; at = d.nodes[at].kids[0]; draw(); keep("cut", "node"); });
  ui.on("undo", () => { const of = open.has(at) ? at : above[at]; close(of); go(of); keep("undo", "cut"); });
  ui.on("again", () => { close(0); go(0); keep("again", "cut"); });
  for (const marks of [cells, regions]) marks.forEach((el, i) => el.addEventListener("click", () => go(i)));
  draw();
}
