// Two tests, one score: a vertical line crosses the line of each person at the height of the joint score.
function setup(ui, d) {
  const plane = ui.frame(d.frame), marks = ui.all("g > .mark").map(el => el.parentNode), n = d.people.length;
  function draw() {
    const k = +ui.control("share").value, share = Math.round(100 * k / d.steps), s = d.people.map(([a, b]) => a * (d.steps - k) + b * k);
    let won = 0;
    for (let i = 0; i < d.sick; i++) for (let j = d.sick; j < n; j++) won += s[i] > s[j] ? 1 : s[i] === s[j] ? 0.5 : 0;
    const pairs = d.sick * (n - d.sick);
    s.forEach((v, i) => ui.place(marks[i], plane.x(k / d.steps), plane.y(v / d.steps)));
    ui.set(".cutline", {d: plane.path([[k / d.steps, 0], [k / d.steps, 10]])});
    ui.label("share", `${share} %`);
    ui.say(`Test 1 counts ${100 - share} %, test 2 <b>${share} %</b>: <b>${won}</b> of ${pairs} pairs are in order, an AUC of <b>${fixed(won / pairs)}</b>.`);
  }
  ui.on("share", draw);
  draw();
}
