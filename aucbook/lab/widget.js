// Draws the widgets of aucbook.lab: controls, panels, tables and a sentence, all described by Python.
// Marks and cells may follow a slider: they hold one value for each of its steps, so that it needs no
// Python. Every other control asks for a new picture: from the kernel, or from those stored in a page.
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 360, HEIGHT = 300;
const SERIES = 4;
const SILENCE = 10, LONG_SILENCE = 60;  // seconds until the reader hears that Python does not answer; the second while it computes

function svgElement(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  if (text !== "") made.textContent = text;
  return made;
}

function htmlElement(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// What a mark or a cell shows now. A plain value stands for itself; {terms} are summed, each taken
// at the step where its slider stands, and divided by the sum of {over}, if there is one.
function current(value, steps) {
  if (value === null || typeof value !== "object") return value;
  const sum = total(value.terms, steps);
  if (!value.over || typeof sum !== "number") return sum;
  const divisor = total(value.over, steps);
  return divisor ? sum / divisor : null;
}

function total(terms, steps) {
  let sum = 0;
  for (const { control, values, sign } of terms) {
    const here = values[Math.min(steps[control] ?? 0, values.length - 1)];
    if (here === null || typeof here === "string") return here;
    sum += sign * here;
  }
  return sum;
}

function shown(cell, steps) {
  if (cell === null || typeof cell !== "object") return cell ?? "–";
  const value = current(cell, steps);
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (cell.format === "percent") return `${(100 * value).toFixed(1)} %`;
  if (cell.format === "count") return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(1);
  if (cell.format === "decimal") return value.toFixed(3);
  return String(Number(value.toPrecision(3)));
}

function follows(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

class Panel {
  constructor(spec) {
    this.spec = spec;
    const longest = Math.max(0, ...spec.y_ticks.map(tick => tick[1].length));
    this.left = Math.min(150, Math.max(46, 26 + 6.8 * longest));
    this.top = 10;
    this.width = WIDTH - this.left - 14;
    this.height = HEIGHT - 54;
    this.svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${spec.title}. ${spec.description}` });
    this.drawAxes();
    this.moving = [];
    this.layer = this.svg;
    for (const mark of spec.marks) this.add(mark);
  }
  x(value) {
    const [low, high] = this.spec.x_range;
    return this.left + this.width * (Math.min(Math.max(value, low), high) - low) / (high - low);
  }
  y(value) {
    const [low, high] = this.spec.y_range;
    return this.top + this.height * (high - Math.min(Math.max(value, low), high)) / (high - low);
  }
  drawAxes() {
    const { left, top, width, height, spec } = this;
    const bottom = top + height;
    for (const [value, text] of spec.x_ticks) {
      this.svg.append(
        svgElement("path", { class: "grid", d: `M${this.x(value)} ${top}V${bottom}` }),
        svgElement("text", { x: this.x(value), y: bottom + 16, "text-anchor": "middle" }, text));
    }
    for (const [value, text] of spec.y_ticks) {
      this.svg.append(
        svgElement("path", { class: "grid", d: `M${left} ${this.y(value)}H${left + width}` }),
        svgElement("text", { x: left - 6, y: this.y(value) + 4, "text-anchor": "end" }, text));
    }
    this.svg.append(
      svgElement("path", { class: "axis", d: `M${left} ${top}V${bottom}H${left + width}` }),
      svgElement("text", { class: "title", x: left + width / 2, y: bottom + 35, "text-anchor": "middle" }, spec.x_label),
      svgElement("text", { class: "title", x: 12, y: top + height / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${top + height / 2})` }, spec.y_label));
  }
  path(x, y) {
    let d = "", pen = "M";
    for (let i = 0; i < x.length; i++) {
      if (x[i] === null || y[i] === null) { pen = "M"; continue; }
      d += `${pen}${this.x(x[i]).toFixed(1)} ${this.y(y[i]).toFixed(1)}`;
      pen = "L";
    }
    return d;
  }
  add(mark) {
    const class_ = `${mark.kind} series${(mark.series ?? 0) % SERIES} ${mark.style ?? ""}`;
    const draw = { line: this.line, band: this.band, bars: this.bars, points: this.points, intervals: this.intervals }[mark.kind];
    if (draw) { draw.call(this, mark, class_); return; }
    if (mark.kind === "frames") { this.frames(mark); return; }
    // a rule, a region, a marker or a text: one element, which may follow a slider
    const name = { rule: "path", region: "rect", marker: "circle", text: "text" }[mark.kind];
    const element = svgElement(name, { class: class_ });
    this.layer.append(element);
    const place = steps => this.place(mark, element, steps);
    if (Object.values(mark).some(follows)) this.moving.push({ mark, place });
    else place({});
  }
  place(mark, element, steps) {
    const at = key => current(mark[key] ?? null, steps);
    const { left, top, width, height } = this;
    const values = ["x", "y", "x0", "x1"].map(at);
    element.style.display = values.every(value => value === null) ? "none" : "";
    const [x, y, x0, x1] = values;
    if (mark.kind === "rule") {
      element.setAttribute("d", x === null ? `M${left} ${this.y(y)}H${left + width}` : `M${this.x(x)} ${top}V${top + height}`);
    } else if (mark.kind === "region") {
      element.setAttribute("x", this.x(Math.min(x0, x1)));
      element.setAttribute("width", this.x(Math.max(x0, x1)) - this.x(Math.min(x0, x1)));
      element.setAttribute("y", top);
      element.setAttribute("height", height);
    } else if (mark.kind === "marker") {
      element.setAttribute("r", 6);
      element.setAttribute("cx", this.x(x));
      element.setAttribute("cy", this.y(y));
    } else {
      element.setAttribute("x", this.x(x));
      element.setAttribute("y", this.y(y) - 6);
      element.setAttribute("text-anchor", mark.anchor ?? "middle");
      element.textContent = shown(mark.text, steps);
    }
  }
  line(mark, class_) {
    this.layer.append(svgElement("path", { class: class_, d: this.path(mark.x, mark.y) }));
  }
  band(mark, class_) {
    const x = [...mark.x, ...[...mark.x].reverse()];
    const y = [...mark.low, ...[...mark.high].reverse()];
    this.layer.append(svgElement("path", { class: class_, d: `${this.path(x, y)}Z` }));
  }
  bars(mark, class_) {
    for (let i = 0; i < mark.heights.length; i++) {
      if (!mark.heights[i]) continue;
      const from = this.x(mark.edges[i]), to = this.x(mark.edges[i + 1]);
      const zero = this.y(0), end = this.y(mark.heights[i]);
      this.layer.append(svgElement("rect", { class: class_, x: from, width: Math.max(0.5, to - from - 0.5), y: Math.min(zero, end), height: Math.abs(end - zero) }));
    }
  }
  points(mark, class_) {
    for (let i = 0; i < mark.x.length; i++) {
      if (mark.x[i] === null || mark.y[i] === null) continue;
      const dot = svgElement("circle", { class: class_, cx: this.x(mark.x[i]), cy: this.y(mark.y[i]), r: 3 });
      if (mark.labels) dot.append(svgElement("title", {}, mark.labels[i]));
      this.layer.append(dot);
    }
  }
  intervals(mark, class_) {
    for (let i = 0; i < mark.at.length; i++) {
      if (mark.low[i] === null) continue;
      const d = mark.across
        ? `M${this.x(mark.low[i])} ${this.y(mark.at[i])}H${this.x(mark.high[i])}`
        : `M${this.x(mark.at[i])} ${this.y(mark.low[i])}V${this.y(mark.high[i])}`;
      this.layer.append(svgElement("path", { class: class_, d }));
    }
  }
  // How far a handle is from a place of the picture: a rule from its line, a marker from its centre.
  distance(mark, event, steps) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const x = current(mark.x, steps), y = current(mark.y, steps);
    return Math.hypot(x === null ? 0 : this.x(x) - at.x, y === null ? 0 : this.y(y) - at.y);
  }
  // Marks that a slider exchanges for others: one list of marks for each of its steps, or for a range of them.
  frames(mark) {
    const layer = svgElement("g");
    this.svg.append(layer);
    let drawn = -1;
    const place = steps => {
      const step = Math.min(steps[mark.control] ?? 0, mark.which.length - 1);
      if (mark.which[step] === drawn) return;
      drawn = mark.which[step];
      layer.replaceChildren();
      this.layer = layer;
      for (const one of mark.frames[drawn]) this.add(one);
      this.layer = this.svg;
    };
    this.moving.push({ mark, place });
  }
  // The step of a slider whose marker is nearest to a place of the picture.
  nearest(mark, event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const values = key => follows(mark[key]) ? mark[key].terms[0].values : null;
    const xs = values("x"), ys = values("y");
    let best = 0, least = Infinity;
    for (let i = 0; i < (xs ?? ys).length; i++) {
      const dx = xs && xs[i] !== null ? this.x(xs[i]) - at.x : 0;
      const dy = ys && ys[i] !== null ? this.y(ys[i]) - at.y : 0;
      if (dx * dx + dy * dy < least) { least = dx * dx + dy * dy; best = i; }
    }
    return best;
  }
}

class View {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.timer = 0;
    this.steps = {};
    this.drawn = "";
    root.classList.add("aucbook-lab");
    this.message = htmlElement("p", { class: "message", role: "alert", hidden: "" });
    this.lost = htmlElement("p", { class: "lost", role: "alert", hidden: "" }, "Python does not answer: the picture may no longer follow the controls. If the kernel has ended, run this cell again.");
    this.progress = htmlElement("progress", { max: 1, hidden: "", "aria-label": "progress" });
    this.heading = htmlElement("div", { class: "heading" });
    this.controls = htmlElement("form", { class: "controls", autocomplete: "off" });
    this.hint = htmlElement("p", { class: "hint", hidden: "" }, "Controls in grey need Python: open this page with aucbook lab, and run it.");
    this.sentence = htmlElement("p", { class: "sentence", "aria-live": "polite" });
    this.panels = htmlElement("div", { class: "panels" });
    this.tables = htmlElement("div", { class: "tables" });
    this.code = htmlElement("pre", { tabindex: 0 });
    this.copy = htmlElement("button", { type: "button" }, "Copy");
    this.details = htmlElement("details", { class: "code" }, htmlElement("summary", {}, "The same in Python"), this.copy, this.code);
    root.replaceChildren(this.heading, this.message, this.lost, this.controls, this.hint, this.progress, this.panels, this.sentence, this.tables, this.details);
    this.controls.addEventListener("submit", event => event.preventDefault());
    this.copy.addEventListener("click", () => this.copyCode());
    model.on("change:controls", () => this.showControls());
    model.on("change:values", () => this.showControls());
    model.on("change:picture", () => this.showPicture());
    model.on("change:message", () => this.showMessage());
    model.on("change:progress", () => this.showProgress());
    model.on("change:script", () => this.showCode());
    model.on("change:answered", () => this.hear());
    this.showControls();
    this.showPicture();
    this.showMessage();
    this.showProgress();
    this.showCode();
  }

  // Controls are made again only when they are others, so that the focus stays where it was.
  showControls() {
    const controls = this.model.get("controls");
    const drawn = JSON.stringify(controls);
    if (drawn !== this.drawn) {
      const focused = document.activeElement?.name;
      const hadFocus = this.controls.contains(document.activeElement);
      this.drawn = drawn;
      this.controls.replaceChildren(...controls.map(control => this.makeControl(control)));
      this.controls.hidden = controls.length === 0;
      this.hint.hidden = ![...this.controls.elements].some(input => input.disabled);
      if (hadFocus) this.controls.elements[focused]?.focus({ preventScroll: true });
    }
    const values = this.model.get("values");
    for (const control of controls) {
      const input = this.controls.elements[control.name];
      if (document.activeElement !== input || input.type !== "number") input.value = values[control.name];
      if (control.kind === "slider") {
        this.steps[control.name] = values[control.name];
        this.label(control);
      }
    }
    this.follow();
  }
  label(control) {
    const input = this.controls.elements[control.name];
    const text = control.shown[Number(input.value)] ?? "";
    input.setAttribute("aria-valuetext", text);
    input.parentNode.querySelector("output").textContent = text;
  }
  makeControl(control) {
    const input = control.kind === "choice"
      ? htmlElement("select", { name: control.name }, ...control.options.map((text, i) => new Option(text, i)))
      : control.kind === "slider"
        ? htmlElement("input", { type: "range", name: control.name, min: 0, max: control.shown.length - 1, step: 1 })
        : htmlElement("input", { type: "number", name: control.name, min: control.min, max: control.max, step: "any", inputmode: "decimal" });
    // JupyterLab handles some keys itself; this attribute of the focused element prevents that
    input.dataset.lmSuppressShortcuts = "true";
    input.disabled = !control.linked && this.model.get("static") === true && !this.model.can(control.name);
    if (control.help) input.title = control.help;
    const label = htmlElement("label", { class: control.kind }, htmlElement("span", {}, control.label), input);
    if (control.kind === "slider") {
      label.append(htmlElement("output"));
      input.addEventListener("input", () => this.slide(control, input));
      if (!control.linked) input.addEventListener("change", () => this.send(control.name, Number(input.value), 0));
    } else if (control.kind === "choice") {
      input.addEventListener("change", () => this.send(control.name, Number(input.value), 0));
    } else {
      input.addEventListener("change", () => this.send(control.name, input.value === "" ? null : Number(input.value), 0));
    }
    return label;
  }
  slide(control, input) {
    this.steps[control.name] = Number(input.value);
    this.label(control);
    this.follow();
    if (control.linked || control.live) this.send(control.name, Number(input.value), 80);
  }
  // The latest value is what Python hears of; what lies between is not worth a message.
  send(name, value, wait) {
    clearTimeout(this.timer);
    this.pending = { ...this.pending, [name]: value };
    const send = () => {
      const values = { ...this.model.get("values"), ...this.pending };
      this.pending = {};
      this.model.set("values", values);
      this.model.save_changes();
      if (this.model.get("static") !== true) this.expect(SILENCE);
    };
    if (wait) this.timer = setTimeout(send, wait);
    else send();
  }
  // A kernel that has ended says nothing; every choice that reaches a living one is answered.
  expect(seconds) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => { this.lost.hidden = false; }, 1000 * seconds);
  }
  hear() {
    clearTimeout(this.silence);
    this.lost.hidden = true;
    if (this.model.get("progress") >= 0) this.expect(LONG_SILENCE);
  }
  moveTo(control, step) {
    const input = this.controls.elements[control];
    if (!input) return;
    input.value = step;
    input.dispatchEvent(new Event("input"));
  }

  showPicture() {
    const picture = this.model.get("picture");
    this.heading.textContent = picture.title ?? "";
    this.pieces = (picture.panels ?? []).map(spec => new Panel(spec));
    this.panels.replaceChildren(...this.pieces.map(panel => this.figure(panel)));
    this.tables.replaceChildren(...(picture.tables ?? []).map(table => this.table(table)));
    this.follow();
  }
  figure(panel) {
    const { spec, svg, moving } = panel;
    const legend = htmlElement("div", { class: "legend" });
    for (const { name, series, style } of spec.legend) {
      const swatch = svgElement("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" });
      const filled = style === "filled";
      swatch.append(filled
        ? svgElement("rect", { class: `bars series${series % SERIES}`, width: 26, height: 10 })
        : svgElement("path", { class: `line series${series % SERIES} ${style}`, d: "M0 5H26" }));
      legend.append(htmlElement("span", {}, swatch, name));
    }
    // what one slider moves can be dragged; of several handles the nearest is taken
    const isHandle = mark => ["marker", "rule"].includes(mark.kind)
      && [mark.x, mark.y].filter(follows).every(value => value.terms.length === 1 && !value.over);
    const handles = moving.map(({ mark }) => mark).filter(isHandle);
    if (handles.length) {
      let handle = handles[0];
      const move = event => {
        const { control } = (follows(handle.x) ? handle.x : handle.y).terms[0];
        this.moveTo(control, panel.nearest(handle, event));
      };
      svg.classList.add("grab");
      svg.addEventListener("pointerdown", event => {
        svg.setPointerCapture(event.pointerId);
        const far = handles.map(mark => panel.distance(mark, event, this.steps));
        handle = handles[far.indexOf(Math.min(...far))];
        move(event);
      });
      svg.addEventListener("pointermove", event => { if (svg.hasPointerCapture(event.pointerId)) move(event); });
    }
    return htmlElement("figure", {}, htmlElement("figcaption", {}, spec.title), legend, svg);
  }
  table(spec) {
    const cells = [];
    const kind = cell => typeof current(cell, this.steps) === "string" ? "words" : null;
    const rows = spec.rows.map(row => htmlElement("tr", {}, ...row.map((cell, i) => {
      const made = i === 0 ? htmlElement("th", { scope: "row" }) : htmlElement("td", { class: kind(cell) });
      made.textContent = shown(cell, this.steps);
      if (follows(cell)) cells.push({ made, cell });
      return made;
    })));
    const head = htmlElement("tr", {}, ...spec.header.map((text, i) => htmlElement("th", { scope: "col", class: kind(spec.rows[0]?.[i] ?? null) }, text)));
    const table = htmlElement("table", {}, htmlElement("caption", {}, spec.title), htmlElement("thead", {}, head), htmlElement("tbody", {}, ...rows));
    table.cells = cells;
    return htmlElement("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": spec.title }, table);
  }
  // Everything that follows a slider.
  follow() {
    const { picture, steps } = { picture: this.model.get("picture"), steps: this.steps };
    for (const panel of this.pieces ?? []) for (const { place } of panel.moving) place(steps);
    for (const table of this.tables.querySelectorAll("table")) {
      for (const { made, cell } of table.cells) made.textContent = shown(cell, steps);
    }
    const text = (picture.sentence ?? []).map(part => shown(part, steps)).join("");
    if (this.sentence.textContent !== text) this.sentence.textContent = text;
  }

  showMessage() {
    const text = this.model.get("message");
    this.message.textContent = text;
    this.message.hidden = text === "";
  }
  showProgress() {
    const share = this.model.get("progress");
    this.hear();
    this.progress.hidden = share < 0;
    this.root.setAttribute("aria-busy", share >= 0);
    if (share > 0) this.progress.value = share;
    else this.progress.removeAttribute("value");
  }
  showCode() {
    this.code.textContent = this.model.get("script");
    this.details.hidden = this.model.get("script") === "";
  }
  async copyCode() {
    try {
      await navigator.clipboard.writeText(this.code.textContent);
      this.copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(this.code);
      this.copy.textContent = "Selected: press Ctrl+C";
    }
  }
}

// In a page without Python: the pictures that were stored, one for each setting.
class StoredPictures {
  constructor(stored) {
    this.stored = stored;
    this.heard = {};
    this.show(stored.values);
  }
  key(values) {
    return this.stored.asking.map(name => values[name]).join(" ");
  }
  can(name) {
    return this.stored.asking.includes(name);
  }
  show(values) {
    const frame = this.stored.frames[this.key(values)];
    this.state = { ...this.stored, ...frame, values: { ...frame.values, ...values }, static: true, progress: -1 };
    // a control that is new with this picture starts where Python would have put it
    for (const control of frame.controls) {
      const last = control.shown ? control.shown.length - 1 : Infinity;
      if (control.linked && (this.shownKey !== this.key(values) || this.state.values[control.name] > last)) {
        this.state.values[control.name] = frame.values[control.name];
      }
    }
    this.shownKey = this.key(values);
  }
  get(name) { return this.state[name]; }
  set(name, values) {
    const before = this.shownKey;
    this.show(values);
    if (this.shownKey !== before) for (const call of ["controls", "picture", "script", "message"]) this.heard[`change:${call}`]?.();
  }
  on(name, call) { this.heard[name] = call; }
  save_changes() {}
}

function render({ model, el }) {
  new View(model, el);
}

export default { render };
