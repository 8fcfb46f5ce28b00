// Lemma 4's coin. miss = D+[h < theta], alarm = D-[h >= theta]; the coin moves (a) along a straight line to a corner.
function setup(ui, d) {
  const square = ui.frame(d.square), bars = ui.frame(d.bars), cut = ui.control("cut"), coin = ui.control("zeta"), even = ui.control("even");
  const K = d.fpr.length - 1, gamma = d.auc - 0.5, bound = 0.5 - gamma / 4, [positive, negative] = d.words;

  function draw() {
    const k = K - cut.value, miss = 1 - d.tpr[k], alarm = d.fpr[k], gap = Math.abs(miss - alarm), up = miss >= alarm;
    const best = gap / (1 + gap), epsilon = Math.max(miss, alarm) / (1 + gap), J = 1 - miss - alarm;
    const zeta = even.checked ? best : +coin.value;
    // up: those below the threshold are called positive with probability zeta; else those above it negative.
    const missed = up ? (1 - zeta) * miss : miss + zeta * (1 - miss), alarmed = up ? alarm + zeta * (1 - alarm) : (1 - zeta) * alarm;
    const at = (x, y) => [square.x(x), square.y(y)];
    ui.place(ui.one(".point-a"), ...at(alarm, 1 - miss));
    ui.place(ui.one(".point-b"), ...at(alarmed, 1 - missed));
    ui.set(".coin", {d: square.path([[alarm, 1 - miss], up ? [1, 1] : [0, 0]])});
    // The solution is shown only when it is found or asked for.
    const solved = Math.abs(missed - alarmed) < 0.01;
    ui.toggle(ui.one(".coin"), "hidden", !zeta);
    ui.text(".point-b text", solved && zeta ? "(b)" : "");
    ui.text(".point-a text", zeta > 0.04 || !zeta || best < 0.04 ? "(a)" : "");
    ui.set(".pos-error", {width: bars.x(missed) - bars.x(0)});
    ui.set(".neg-error", {width: bars.x(alarmed) - bars.x(0)});
    for (const [name, value] of Object.entries({"pos-value": missed, "neg-value": alarmed, J})) ui.text("." + name, fixed(value, 3));
    for (const [name, value] of Object.entries({best, epsilon})) ui.text("." + name, solved ? fixed(value, 3) : "?");
    if (even.checked) coin.value = zeta;
    ui.label("cut", k ? fixed(d.thr[k - 1]) : "above all");
    ui.label("zeta", fixed(zeta, 3));
    const who = up ? `below it are called ${positive}` : `above it are called ${negative}`;
    const worst = Math.max(missed, alarmed);
    ui.say(`At (a) the threshold misses <b>${fixed(miss)}</b> of the ${positive} and gives a false alarm to <b>${fixed(alarm)}</b> of the ${negative}. `
      + (zeta ? `Cases ${who} with probability <b>${fixed(zeta, 3)}</b>. ` : "")
      + (!solved ? "Can you make the two bars equal?"
        : J < gamma - 1e-12 ? "Equal! But here J is below AUC − ½: the bound does not apply to this threshold."
        : worst <= bound + 1e-12 ? "Equal, and within the bound." : "Equal, to the eye; one error is still above the bound."));
  }
  ui.on("cut", draw);
  ui.on("even", draw);
  ui.on("zeta", () => { even.checked = false; draw(); });
  ui.drag(ui.one(".ax-panels > svg"), (x, y) => {
    const near = d.fpr.map((v, k) => Math.hypot(square.x(v) - x, square.y(d.tpr[k]) - y));
    cut.value = K - near.indexOf(Math.min(...near));
    draw();
  });
  draw();
}
