// Shared by all explorables. Python has drawn the picture; an explorable is one function setup(ui, data) that moves its marks.
const fixed = (v, digits = 2) => (Math.abs(v) < 1e-12 ? 0 : v).toFixed(digits);
const clamp = (v, lo, hi) => Math.min(hi, Math.max(lo, v));

class UI {
  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form");
    this.form.addEventListener("submit", e => e.preventDefault());
    // JupyterLab's notebook handles the arrow keys itself; this attribute of the focused element prevents that.
    for (const el of this.form.elements) el.dataset.lmSuppressShortcuts = "true";
    // The alternative text moves to aria-label, so that no tooltip follows the pointer.
    for (const svg of this.all(".ax-panels > svg")) {
      const title = svg.querySelector("title");
      svg.setAttribute("aria-label", title.textContent);
      title.remove();
    }
  }
  all(selector) { return [...this.root.querySelectorAll(selector)]; }
  one(selector) { return this.root.querySelector(selector); }
  control(name) { return this.form.elements[name]; }
  set(target, attributes) {
    const el = typeof target == "string" ? this.one(target) : target;
    for (const key in attributes) el.setAttribute(key, attributes[key]);
    return el;
  }
  text(selector, value) { this.one(selector).textContent = value; }
  place(el, x, y) { el.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`); }
  toggle(el, name, state) { el.classList.toggle(name, state); }
  // A range input's value in words, beside it and for screen readers.
  label(name, value) {
    const input = this.control(name);
    input.setAttribute("aria-valuetext", value);
    input.parentNode.querySelector("output").textContent = value;
  }
  // The sentence; HTML only from our own strings and numbers. Unchanged text is not announced again.
  say(html) {
    const p = this.one(".ax-say");
    if (p.dataset.said !== html) p.innerHTML = p.dataset.said = html;
  }
  on(name, update) {
    const control = this.control(name);
    for (const c of control.length ? [...control] : [control]) c.addEventListener(c.type == "button" ? "click" : "input", update);
  }
  // data <-> picture, from the frame Python drew
  frame({box: [left, top, width, height], x: [x0, x1], y: [y0, y1]}) {
    return {
      x: v => left + (v - x0) / (x1 - x0) * width,
      y: v => top + (y1 - v) / (y1 - y0) * height,
      ix: px => x0 + (px - left) / width * (x1 - x0),
      iy: py => y1 - (py - top) / height * (y1 - y0),
      path(points, close = "") { return points.map((p, i) => (i ? "L" : "M") + this.x(p[0]).toFixed(2) + " " + this.y(p[1]).toFixed(2)).join("") + close; },
    };
  }
  // Mouse, pen and touch: move(x, y) in the picture's units while `el` is held. Touch can still scroll the page vertically.
  drag(el, move, start = () => {}, touch = "pan-y") {
    const svg = el.ownerSVGElement || el;
    const at = e => {
      const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [p.x, p.y];
    };
    el.classList.add("grab");
    el.style.touchAction = touch;
    el.addEventListener("pointerdown", e => {
      e.preventDefault();
      el.setPointerCapture(e.pointerId);
      start(...at(e));
      move(...at(e));
    });
    el.addEventListener("pointermove", e => { if (el.hasPointerCapture(e.pointerId)) move(...at(e)); });
  }
  // A mark that can be dragged, and stepped with the arrow keys like a native slider.
  handle(el, {get, set, from, min, max, step, text}) {
    const show = () => this.set(el, {"aria-valuenow": get(), "aria-valuetext": text(get())});
    const change = v => { set(clamp(Math.round(v / step) * step, min, max)); show(); };
    this.set(el, {tabindex: 0, role: "slider", "aria-valuemin": min, "aria-valuemax": max, "data-lm-suppress-shortcuts": "true"});
    this.drag(el, (x, y) => change(from(x, y)), () => el.focus({preventScroll: true}), "none");
    el.addEventListener("keydown", e => {
      const jump = {ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10}[e.key];
      if (!jump && e.key != "Home" && e.key != "End") return;
      e.preventDefault();
      change(e.key == "Home" ? min : e.key == "End" ? max : get() + jump * step);
    });
    show();
    return show;
  }
}

// Every copy of the block on the page is set up once.
function mount(id, data) {
  for (const root of document.querySelectorAll(`[id="${id}"]:not(.ax-live)`)) {
    root.classList.add("ax-live");
    setup(new UI(root), data);
  }
}
