// A ranking tree beside its ROC: the chosen cell is a chord, its cut the triangle on top of it.
function setup(ui, d) {
  const f = ui.frame(d.frame), slider = ui.control("node");
  let at = 0;
  function go(to) {
    if (to < 0) return;
    at = to;
    const node = d.nodes[at], [from, end] = node.ends;
    ui.place(ui.one(".chosen"), node.x, node.y);
    ui.set(".chord", {d: f.path([from, end])});
    ui.set(".wash", {d: node.knot ? f.path([from, node.knot, end], "Z") : ""});
    slider.value = at;
    ui.label("node", node.name);
    for (const name of ["up", "left", "right"]) ui.control(name).disabled = node[name] < 0;
    ui.say(node.say);
  }
  for (const name of ["up", "left", "right"]) ui.on(name, () => go(d.nodes[at][name]));
  for (const el of ui.all(".node")) el.addEventListener("click", () => go(+el.dataset.node));
  ui.on("node", () => go(+slider.value));
  go(0);
}
