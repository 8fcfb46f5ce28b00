// The form beside a question. Python has written the question and the folded answer.
// ".5", "0,5", "1/2", "50 %", "−1", "ln(3)" and "1/sqrt(3)" are numbers; anything else is NaN.
function number(text) {
  const t = text.replace(/\s/g, "").replace(/,/g, ".").replace(/[−–]/g, "-").replace(/[×·]/g, "*").replace(/√/g, "sqrt").replace(/π/g, "pi").replace(/\*\*/g, "^").toLowerCase();
  const tokens = t.match(/(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|ln|log|exp|sqrt|pi|e|[-+*\/^()%]/g) || [];
  if (!t || tokens.join("") !== t) return NaN;
  const functions = {ln: Math.log, log: Math.log, exp: Math.exp, sqrt: Math.sqrt}, constants = {pi: Math.PI, e: Math.E};
  let at = 0;
  const next = (...signs) => signs.includes(tokens[at]) && tokens[at++];
  const sum = () => { let v = product(), sign; while ((sign = next("+", "-"))) { const w = product(); v = sign === "+" ? v + w : v - w; } return v; };
  const product = () => { let v = signed(), sign; while ((sign = next("*", "/"))) { const w = signed(); v = sign === "*" ? v * w : v / w; } return v; };
  const signed = () => next("-") ? -signed() : next("+") ? signed() : power();
  const power = () => { let v = atom(); while (next("%")) v /= 100; return next("^") ? v ** signed() : v; };
  const atom = () => {
    const word = tokens[at++];
    if (word === "(") { const v = sum(); return next(")") ? v : NaN; }
    if (word in functions) return functions[word](atom());
    return word in constants ? constants[word] : /\d/.test(word || "") ? Number(word) : NaN;
  };
  const value = sum();
  return at === tokens.length ? value : NaN;
}
function make(name, attributes, text = "") {
  const el = document.createElement(name);
  for (const key in attributes) el.setAttribute(key, attributes[key]);
  el.textContent = text;
  return el;
}
function setup(root, d) {
  const fold = root.querySelector("details"), say = make("p", {class: "predict-say", role: "status"}), quiet = {"data-lm-suppress-shortcuts": "true"};
  const form = make("form", {autocomplete: "off", "aria-label": "Your guess"});
  let wrong = 0;
  // Screen readers do not announce unchanged text: a second wrong guess gets another sentence.
  // why: the explanation of this wrong guess, if the question has one.
  function judge(right, hint, why) {
    wrong += !right;
    root.classList.toggle("predict-right", right);
    root.classList.toggle("predict-wrong", !right);
    say.textContent = right ? "Right." : `Not quite${hint}. ${why ? why.replace(/`/g, "") + " " : ""}${wrong > 1 ? `${wrong} guesses so far; the answer is folded below.` : "Try again."}`;
    if (right) fold.open = true;
  }
  if (d.choices) {
    const group = make("div", {role: "group", "aria-label": d.question});
    d.choices.forEach((words, i) => {
      const one = make("button", {type: "button", "aria-pressed": "false", ...quiet}, words);
      one.addEventListener("click", () => {
        for (const other of group.children) other.setAttribute("aria-pressed", other == one);
        judge(i == d.answer, "", d.why[i]);
      });
      group.append(one);
    });
    form.append(group);
  } else {
    const field = make("input", {type: "text", size: 8, "aria-label": d.question, placeholder: "a number", ...quiet});
    const button = make("button", {type: "button", ...quiet}, "Check");
    const check = () => {
      const guess = number(field.value), off = guess - d.answer;
      if (isNaN(off)) say.textContent = "Type a number first, such as .5, 1/3, 20 % or ln(3).";
      else {
        const away = ([value]) => Math.abs(guess - value), close = w => away(w) <= (d.tolerance || 1e-9);
        const [known] = d.wrong.filter(close).sort((a, b) => away(a) - away(b));
        judge(Math.abs(off) <= d.tolerance, off > 0 ? ": too high" : ": too low", known && known[1]);
      }
    };
    button.addEventListener("click", check);
    // In JupyterLab Enter does not submit a form by itself.
    field.addEventListener("keydown", e => { if (e.key == "Enter" && !e.shiftKey) { e.preventDefault(); check(); } });
    form.append(field, button);
  }
  form.addEventListener("submit", e => e.preventDefault());
  form.append(say);
  root.insertBefore(form, fold);
}
// Every copy of the block on the page is set up once.
function mount(id, data) {
  for (const root of document.querySelectorAll(`[id="${id}"]:not(.predict-live)`)) {
    root.classList.add("predict-live");
    setup(root, data);
  }
}
