// Live cells: an editor, Run and Reset in place of the code, output and errors below it. The page shows code and stored output without this.
import { editor } from "./editor.js";
import { picture } from "./picture.js";
import * as python from "./python.js";

const make = (tag, properties = {}, ...inside) => { const made = Object.assign(document.createElement(tag), properties); made.append(...inside); return made; };
const store = {      // private windows may refuse storage
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch {} },
};
const digest = text => { let hash = 5381; for (const c of text) hash = (33 * hash + c.codePointAt(0)) >>> 0; return hash.toString(36); };
const list = names => names.map(name => "`" + name + "`").join(names.length > 2 ? ", " : " and ");

// stored outputs, on our pages and on Quarto's
const STORED = ":scope > pre.output, :scope > .rich, :scope > .guess, :scope > .cell-output";

const KIND = [      // [what MicroPython says, what helps]
  [/^RuntimeError: maximum recursion/, "A function called itself too often, without end perhaps: the page allows about 150 calls inside one another."],
  [/^MemoryError/, "The memory is used up: the page allows 512 MB, and gives memory back only when a run ends. Does something grow without end?"],
  [/^SyntaxError: invalid syntax/, "SyntaxError: Python cannot read this line. Is a colon, a bracket or a quotation mark missing, here or just before?"],
  [/^(IndentationError|SyntaxError: unindent)/, "IndentationError: this line is indented otherwise than its neighbours ask for."],
  [/^(ImportError): no module named '([\w.]+)/, "This page's small Python has no `$2` to import. The rest of the book, in JupyterLab, has them all."],
];

class Cell {
  constructor(block, number, all) {
    const { check } = JSON.parse(block.querySelector("script[type='application/json']").textContent);
    const code = block.querySelector("div.sourceCode code").textContent.replace(/\n+$/, "");
    Object.assign(this, { block, number, original: code, check, name: "cell " + number, running: false, waiting: false });
    this.key = `live:${document.documentElement.dataset.page ?? location.pathname}:${digest(code)}`;      // a new edition of a cell begins with its own text
    const kept = store.get(this.key), hint = `live-hint-${number}`;
    block.setAttribute("role", "group");
    block.setAttribute("aria-label", `Code to change and run, ${number} of ${all}`);
    const place = make("div", { className: "live-editor" });
    this.button = make("button", { type: "button", className: "live-run", textContent: "Run", onclick: () => this.running ? python.stop() : run(this) });
    this.back = make("button", { type: "button", className: "live-reset", textContent: "Reset", onclick: () => this.reset() });
    this.button.setAttribute("aria-describedby", hint);
    this.said = make("span", { className: "live-said" });
    this.said.setAttribute("role", "status");
    const keys = make("span", { id: hint, className: "live-keys" });
    keys.innerHTML = "<kbd>Ctrl</kbd> <kbd>Enter</kbd> runs, <kbd>Esc</kbd> leaves the code";
    this.output = make("div", { className: "live-output" }, ...block.querySelectorAll(STORED));
    this.output.setAttribute("aria-live", "polite");
    for (const pre of this.output.querySelectorAll(":scope > pre.output, :scope > .cell-output > pre")) {      // a stored curve is drawn, as it would be after Run
      let value;
      try { value = JSON.parse(pre.textContent.replace(/\(/g, "[").replace(/\)/g, "]")); } catch {}
      const drawn = picture(value);
      if (drawn) pre.replaceWith(drawn);
    }
    this.stored = [...this.output.childNodes];
    (block.querySelector(".code-copy-outer-scaffold") ?? block.querySelector("div.sourceCode")).replaceWith(place);      // Quarto's, with its button
    place.after(make("div", { className: "live-bar" }, this.button, this.back, keys, this.said), this.output);
    this.editor = editor(place, {
      text: kept ?? code, label: `Python code, cell ${number} of ${all}`, hint,
      run: () => run(this), leave: () => this.button.focus(), changed: () => this.keep(),
    });
    this.changed();
  }
  get text() { return this.editor.text(); }
  keep() {
    store.set(this.key, this.text === this.original ? null : this.text);
    this.changed();
  }
  changed() { this.block.classList.toggle("changed", this.text !== this.original); }
  reset() {
    if (this.text !== this.original) this.editor.replace(this.original);      // one step for undo: yours is not lost
    this.editor.mark(null);
    this.output.replaceChildren(...this.stored);
    this.say("As in the book.");
  }
  say(text) { this.said.textContent = text; }
  busy(on) {
    this.running = on;
    this.button.textContent = on ? "Stop" : "Run";
    this.block.setAttribute("aria-busy", on);
  }
  note(className, text) {      // `names` in code
    const p = make("p", { className });
    text.split("`").forEach((part, i) => p.append(i % 2 ? make("code", { textContent: part }) : part));
    this.output.append(p);
  }
  hear({ text, cut }) {
    if (text) {
      if (!this.pre?.isConnected) this.output.append(this.pre = make("pre", { className: "output" }, make("code")));
      this.pre.firstChild.append(text);
      if (this.pre.scrollHeight > this.pre.clientHeight) this.pre.tabIndex = 0;      // reachable by keyboard when it scrolls
    }
    if (cut) this.note("live-note", `Cut here: the page shows the first ${cut.toLocaleString("en")} characters of what a cell prints.`);
  }
  // where the error is in this cell, and what it says
  explain({ trace = "", type }) {
    const frames = [...trace.matchAll(/File "([^"]*)", line (\d+)/g)].filter(([, file]) => file.startsWith("cell "));
    const here = frames.filter(([, file]) => file === this.name).at(-1), last = frames.at(-1);
    let said = trace.trim().split("\n").filter(line => line && !/^\s|^Traceback/.test(line)).at(-1) || (type === "broken" ? "Python itself stopped." : type);
    for (const [what, kind] of KIND) { const found = said.match(what); if (found) said = kind.replace("$2", found[2]); }
    if (here) this.editor.mark(Number(here[2]));
    const where = here ? `Line ${here[2]}: ` : "", within = last && last[1] !== this.name ? ` (in line ${last[2]} of ${last[1]})` : "";
    return where + said + within;
  }
  verdict(check) {
    const { missing = [], changed = [], said = "", error } = check;
    if (missing.length) return this.note("live-verdict fails", `Not checked: the checker looks for ${list(missing)}, and your cell no longer defines ${missing.length > 1 ? "them" : "it"}. Reset brings back the cell of the book.`);
    if (changed.length) return this.note("live-verdict fails", `Not checked: your cell changes ${list(changed)}, which the checker needs as ${changed.length > 1 ? "they were" : "it was"}. Please take another name, or a copy.`);
    const passes = !error && /^all right/i.test(said.trim().split("\n").at(-1));
    const box = make("pre", { className: "live-verdict " + (passes ? "passes" : "fails") }, make("code", { textContent: (passes ? "✓ " : "") + said.trim() }));
    if (said.trim()) this.output.append(box);
    if (error) this.note("live-verdict fails", `While it was checked: ${this.explain(error).replace(/\.?$/, ".")} The checker uses ${list(this.check.needs)}.`);
    else if (!said.trim()) this.note("live-verdict fails", "The checker said nothing.");
  }
}

const cells = [], failing = new Map();      // cells whose text of the moment stopped, and that text
let done = [];                              // what the worker has run since it began, cell by cell; null where it stopped
let queue = Promise.resolve();

const run = cell => {      // one after the other
  if (cell.waiting || cell.running) return;
  cell.waiting = true;
  queue = queue.then(() => steps(cell)).catch(error => { cell.note("live-error", String(error.message || error)); cell.say(""); }).finally(() => { cell.waiting = false; cell.busy(false); });
};

// the earlier cells of the page first, silently, unless the worker has just run them as they are now
async function before(cell) {
  const earlier = cells.slice(0, cell.number - 1), notes = new Set();
  for (let again = true; again;) {
    again = false;
    const texts = earlier.map(one => failing.get(one) === one.text ? one.original : one.text);
    earlier.forEach((one, i) => { if (texts[i] !== one.text) notes.add(one); });
    if (!python.alive()) {
      cell.say("Python starts …");
      await python.start();
      done = [null];
    }
    if (done.length > texts.length || done.some((text, i) => text !== texts[i])) done = [];
    for (let i = done.length; i < texts.length && !again; i++) {
      cell.say(`Cell ${i + 1} runs first …`);
      const told = await python.step({ source: texts[i], name: earlier[i].name, fresh: i === 0, quiet: true }, () => {});
      if (told.stopped === "reader") return { told };
      if ((told.error || told.stopped) && texts[i] !== earlier[i].original) {      // the reader's version stops: the book's instead
        failing.set(earlier[i], texts[i]);
        again = true;
      } else if (told.stopped || !python.alive()) return { told };
      else done.push(texts[i]);
    }
  }
  for (const one of notes) cell.note("live-note", `Cell ${one.number} above stops as you have changed it, so the book's version of it was used.`);
  return {};
}

async function steps(cell) {
  const text = cell.text;
  cell.busy(true);
  cell.editor.mark(null);
  cell.output.replaceChildren();
  cell.pre = null;
  let { told } = await before(cell);
  if (!told) {
    cell.say("Running …");
    told = await python.step({ source: text, name: cell.name, fresh: cell.number === 1, quiet: false, check: cell.check }, data => cell.hear(data));
    if (told.error || told.stopped) failing.set(cell, text); else failing.delete(cell);
    done.push(told.error ? null : text);
  }
  if (told.stopped) {
    const why = { late: `Stopped after ${python.seconds()} seconds: a loop without end, perhaps, or more work than this small Python can do.`, reader: "Stopped.", broken: "Python itself stopped." }[told.stopped];
    cell.note("live-error", why + " Your code is kept, and the page works on.");
  }
  if (told.error) cell.note("live-error", cell.explain(told.error));
  if (told.check) cell.verdict(told.check);
  let value;
  try { value = JSON.parse(told.value); } catch {}
  const drawn = !told.error && picture(value);
  if (drawn) cell.pre.after(drawn);
  if (!cell.output.hasChildNodes()) cell.note("live-note", "Done. (Nothing was printed.)");
  cell.say("");
  cell.block.dispatchEvent(new CustomEvent("live", { bubbles: true, detail: { ok: !told.error && !told.stopped, value, text: cell.pre?.textContent || "" } }));
}

const blocks = [...document.querySelectorAll(".live")];
blocks.forEach((block, i) => cells.push(new Cell(block, i + 1, blocks.length)));
