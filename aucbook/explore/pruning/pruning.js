// A tree that the reader prunes at a cost per leaf: the objective is area - price * leaves.
function setup(ui, d) {
  const frame = ui.frame(d.frame), nodes = d.nodes, price = ui.control("price"), chooser = ui.control("cut"), folded = new Set();
  const cells = ui.all(".cell"), bars = ui.all(".gain");
  const leaves = n => n == 1 ? "1 leaf" : `${n} leaves`;
  let at = 0;
  const isCut = i => nodes[i].kids.length > 0, stays = i => isCut(i) && !folded.has(i);
  // All nodes of a branch, as grown; and those that remain after the reader's pruning.
  const branch = i => [i, ...nodes[i].kids.flatMap(branch)];
  const visible = i => [i, ...(stays(i) ? nodes[i].kids.flatMap(visible) : [])];
  const sum = (list, of) => list.reduce((total, i) => total + of(i), 0);
  // Gain of the best subtree of a branch over a single leaf.
  const net = (i, cost) => isCut(i) ? Math.max(0, nodes[i].gain - cost + net(nodes[i].kids[0], cost) + net(nodes[i].kids[1], cost)) : 0;

  function draw() {
    const seen = visible(0), kept = seen.filter(stays), choice = seen.filter(isCut), cost = +price.value, node = nodes[at];
    const count = kept.length + 1, area = 0.5 + sum(kept, i => nodes[i].gain), penalised = area - cost * count, best = 0.5 - cost + net(0, cost);
    for (const el of ui.all("[data-node]")) ui.toggle(el, "hidden", !seen.includes(+el.dataset.node));
    for (const i of choice) {
      ui.toggle(cells[i].querySelector(".counts"), "hidden", stays(i));
      ui.set(cells[i].querySelector(".node"), {r: stays(i) ? 7 : 5});
    }
    for (const bar of bars) ui.toggle(bar, "out", !kept.includes(+bar.dataset.cut));
    ui.place(ui.one(".price"), 0, frame.y(cost));
    ui.place(ui.one(".chosen"), node.x, node.y);
    chooser.max = choice.length;
    chooser.value = choice.indexOf(at) + 1;
    ui.label("cut", node.letter);
    ui.label("price", fixed(cost, 3));
    ui.control("fold").disabled = !stays(at);
    ui.control("unfold").disabled = stays(at);
    ui.control("again").disabled = !folded.size;
    const gone = visible(at).filter(stays), back = branch(at).filter(isCut);
    const here = gone.length ? `Pruning ${node.letter} would save ${leaves(gone.length)} and lose ${fixed(sum(gone, i => nodes[i].gain), 3)} of area.`
      : `Growing ${node.letter} back would add ${leaves(back.length)} and ${fixed(sum(back, i => nodes[i].gain), 3)} of area.`;
    ui.say(`<b>${leaves(count)}, area ${fixed(area, 3)}</b>: penalised area ${fixed(penalised, 3)} at ${fixed(cost, 3)} a leaf. `
      + (penalised > best - 1e-7 ? "<b>No other tree is better.</b> " : "Another tree is better. ") + here);
  }
  const go = i => { at = i; draw(); };
  // A disabled button would lose the keyboard focus: the one beside it takes it.
  function press(name, other, act) {
    ui.on(name, () => {
      const held = document.activeElement == ui.control(name);
      act();
      draw();
      if (held && ui.control(name).disabled) ui.control(other).focus();
    });
  }
  press("fold", "unfold", () => { branch(at).forEach(i => folded.delete(i)); folded.add(at); });
  press("unfold", "fold", () => branch(at).forEach(i => folded.delete(i)));
  press("again", "fold", () => { folded.clear(); at = 0; });
  ui.on("price", draw);
  ui.on("cut", () => go(visible(0).filter(isCut)[chooser.value - 1]));
  cells.forEach((el, i) => { if (isCut(i)) el.addEventListener("click", () => go(i)); });
  draw();
}
