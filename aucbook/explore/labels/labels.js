// Wrong labels: people in two groups by their label, hollow where it is wrong.
function setup(ui, d) {
  const frame = ui.frame(d.frame), slider = ui.control("sick"), N = d.people;
  const who = {pos: ui.all(".pos-who"), neg: ui.all(".neg-who")};
  const spot = (el, top, place) => ui.place(el, 22 + 16.4 * (place % d.wide), top + 10 + 17 * Math.floor(place / d.wide));

  function draw() {
    const sick = +slider.value, count = {pos: sick, neg: N - sick}, wrong = {}, right = {};
    for (const kind of ["pos", "neg"]) {
      wrong[kind] = count[kind] * d.tenths / 10;
      right[kind] = count[kind] - wrong[kind];
    }
    for (const [kind, other, own, away] of [["pos", "neg", "sick", "healthy"], ["neg", "pos", "healthy", "sick"]]) {
      who[kind].forEach((el, i) => {
        const astray = i >= right[kind];
        ui.toggle(el, "hidden", i >= count[kind]);
        ui.toggle(el.firstElementChild, "out", astray && i < count[kind]);
        if (i < count[kind]) spot(el, d.boxes[astray ? away : own], astray ? right[other] + i - right[kind] : i);
      });
    }
    const looks = right.pos + wrong.neg;
    ui.text(".looks-sick", `marked sick: ${looks}`);
    ui.text(".looks-healthy", `marked healthy: ${N - looks}`);
    ui.place(ui.one(".here"), frame.x(sick), frame.y(looks));
    ui.label("sick", String(sick));
    ui.say(`Of ${N} people <b>${sick}</b> are sick, and <b>${looks}</b> are marked sick: `
      + `${right.pos} of the sick, and ${wrong.neg} healthy ones by mistake.`);
  }
  ui.on("sick", draw);
  draw();
}
