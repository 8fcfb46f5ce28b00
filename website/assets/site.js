// Theme, chapter menu, copy buttons, search, definitions, reading progress. The page reads well without any of them.
(() => {
  const root = document.documentElement, $ = id => document.getElementById(id);
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const json = (id, otherwise) => JSON.parse($(id)?.textContent || otherwise);
  // what a table has under a word that somebody typed; "constructor" is in every object, and in no table
  const entry = (table, word) => Object.hasOwn(table, word) ? table[word] : undefined;
  const store = {   // private windows may refuse storage
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch {} },
  };

  $("theme").onclick = () => store.set("theme", root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark");
  $("menu").onclick = () => $("menu").setAttribute("aria-expanded", $("nav").classList.toggle("open"));

  const here = $("nav").querySelector("[aria-current]");      // in a long list, the current page is in sight
  if (here) $("nav").scrollTop += here.getBoundingClientRect().top - $("nav").getBoundingClientRect().top - $("nav").clientHeight / 2;

  const copy = async (button, text, otherwise) => {
    const word = button.textContent;
    button.textContent = await navigator.clipboard.writeText(text).then(() => "Copied", otherwise);
    setTimeout(() => (button.textContent = word), 1200);
  };
  for (const block of document.querySelectorAll("div.sourceCode")) {
    const button = make("button", { className: "copy", type: "button", textContent: "Copy" }), code = block.querySelector("code");
    button.onclick = () => copy(button, code.textContent, () => (getSelection().selectAllChildren(code), "Selected"));      // no permission: select it for the reader
    block.append(button);
  }
  const whole = $("copy-page");      // the page's text is a script, loaded when asked for, so that it works from disk; compressed, as every page has one
  if (whole) {
    const src = root.dataset.root + root.dataset.page.replace(/html$/, "md.js"), refused = () => "Not allowed: take the file";
    const hand = () => copy(whole, window.pageText, refused);
    const unpack = async () => {
      const bytes = Uint8Array.from(atob(window.packedPage), letter => letter.charCodeAt(0));
      window.pageText = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
    };
    whole.hidden = false;
    whole.onclick = () => window.pageText ? hand() : document.head.append(make("script", { src, onload: () => unpack().then(hand, () => (whole.textContent = refused())) }));
  }
  const scrollable = () => {   // reachable by keyboard when it scrolls
    for (const box of document.querySelectorAll("pre, .rich, main table, .equation, math[display=block]")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  };
  scrollable();
  document.addEventListener("toggle", scrollable, true);
  addEventListener("beforeprint", () => document.querySelectorAll("main details").forEach(fold => (fold.open = true)));

  // ---- long tables: buttons that keep the rows whose column has a word, <div data-filter="status: reproduced, differs">; on a phone a fold
  const LONG = 12, plural = n => `${n} ${n === 1 ? "row" : "rows"}`;
  for (const box of document.querySelectorAll("[data-filter]")) {
    const table = box.querySelector("table"), [column, list] = box.dataset.filter.split(/:\s*/), rows = [...table?.tBodies[0]?.rows || []];
    const at = table ? [...table.tHead.rows[0].cells].findIndex(head => head.textContent.trim() === column) : -1;
    if (at < 0 || rows.length < LONG) continue;
    const said = row => row.cells[at].textContent.split(":")[0].trim();      // a word, and behind the colon why
    const having = word => rows.filter(row => list ? said(row).includes(word) : said(row) === word);
    const words = (list ? list.split(/,\s*/) : [...new Set(rows.map(said))]).filter(word => having(word).length);
    const bar = make("div", { className: "filters" }), count = make("span", { textContent: plural(rows.length) }), fold = make("details", { open: true });
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", `Rows to show, by “${column}”`);
    count.setAttribute("role", "status");
    const keep = word => {
      const kept = word ? having(word) : rows;
      for (const row of rows) row.hidden = !kept.includes(row);
      for (const button of bar.querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === word);
      count.textContent = word ? `${kept.length} of ${plural(rows.length)}` : plural(rows.length);
    };
    for (const word of words.length > 1 ? ["", ...words] : []) {
      const button = make("button", { type: "button", value: word, textContent: word ? `${word} ${having(word).length}` : "all" });
      button.setAttribute("aria-pressed", !word);
      button.onclick = () => { fold.open = true; keep(word); };
      bar.append(button);
    }
    bar.append(count);
    box.before(bar);
    if (matchMedia("(max-width: 30rem)").matches) {
      fold.open = false;
      fold.className = "fold";
      box.before(fold);
      fold.append(make("summary", { textContent: "The table" }), box);
    }
    table.onshow = () => keep("");
  }
  const anchor = () => {      // the name behind #; as it is where its % signs encode nothing
    const name = location.hash.slice(1);
    try { return decodeURIComponent(name); } catch { return name; }
  };
  const reveal = () => {      // a link may lead into a fold, or to a row that is not shown
    const name = anchor(), target = $(name), there = entry(json("moved", "{}"), name);
    if (!target && there) return location.replace(there);      // what stood here has moved
    if (!target?.closest("details, tr[hidden]")) return;
    if (target.closest("tr[hidden]")) target.closest("table").onshow?.();
    for (let fold = target.closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // ---- depth: closed blocks beside the spine; one switch opens all of them, on every page from then on
  const depths = [...document.querySelectorAll("details.depth")];
  if (depths.length) {
    const all = make("button", { type: "button", className: "depth-switch" });
    const set = open => {
      all.setAttribute("aria-pressed", open);
      all.textContent = open ? "Close all depth" : "Open all depth";
      for (const block of depths) block.open = open;
    };
    all.onclick = () => { const open = all.getAttribute("aria-pressed") !== "true"; store.set("depth", open ? "open" : ""); set(open); };
    set(store.get("depth") === "open");
    (document.querySelector("header.title .related") || document.querySelector("header.title")).append(" ", all);
    if (location.hash) reveal();
  }

  // ---- search: the index is a script, loaded on first use, so that it works from disk
  const dialog = $("search"), input = dialog.querySelector("input"), hits = $("hits");
  const SHOWN = 12;
  let sections, chosen = -1;
  const load = () => new Promise(done => {
    if (sections) return done();
    document.head.append(make("script", { src: root.dataset.root + "search.js", onload() {
      sections = ranking.sections(window.bookIndex);
      done();
    } }));
  });
  const snippet = (section, words) => {
    const p = make("p"), at = words.map(({ start }) => section.in[2].search(start)).filter(i => i >= 0);
    const from = Math.max(0, Math.min(...(at.length ? at : [0])) - 40), text = section.text.slice(from, from + 150), seen = ranking.plain(text);
    let done = 0;
    p.append(from ? "…" : "");
    if (seen.length === text.length) {      // (a letter that decomposes into two would shift the marks)
      for (const found of words.flatMap(({ start }) => [...seen.matchAll(start)]).sort((one, two) => one.index - two.index)) {
        if (found.index < done) continue;
        p.append(text.slice(done, found.index), make("mark", { textContent: text.slice(found.index, done = found.index + found[0].length) }));
      }
    }
    p.append(text.slice(done));
    return p;
  };
  const choose = i => {
    const options = hits.children;
    chosen = options.length ? (i + options.length) % options.length : -1;
    [...options].forEach((option, j) => option.setAttribute("aria-selected", j === chosen));
    if (chosen < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  };
  const search = async () => {
    await load();
    const words = ranking.parse(input.value, window.bookIndex.same), ranked = ranking.rank(sections, words, input.value);
    hits.replaceChildren(...ranked.slice(0, SHOWN).map((section, i) => {
      const option = make("a", { id: "hit-" + i, href: root.dataset.root + section.file + (section.anchor && "#" + section.anchor), tabIndex: -1 });
      option.setAttribute("role", "option");
      option.append(make("strong", { textContent: section.title || section.chapter }), make("small", { textContent: section.title ? section.chapter : "" }), snippet(section, words));
      return option;
    }));
    hits.hidden = !ranked.length;
    input.setAttribute("aria-expanded", !hits.hidden);
    $("search-says").textContent = !words.length ? "" : ranked.length ? "Best first" : "Nothing found. Fewer or shorter words?";
    choose(ranked.length ? 0 : -1);
  };
  const open = () => { dialog.showModal(); input.select(); load(); };
  $("find").onclick = open;
  input.oninput = search;
  input.onkeydown = event => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); choose(chosen + (event.key === "ArrowDown" ? 1 : -1)); }
    if (event.key === "Escape") { event.preventDefault(); dialog.close(); }      // a search field would only empty itself
    if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); hits.children[chosen].click(); }
  };
  hits.addEventListener("click", () => dialog.close());      // a place on this page: no new page closes the dialog
  dialog.addEventListener("click", event => event.target === dialog && dialog.close());      // (an onclick that returns false would cancel the links)
  addEventListener("keydown", event => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || dialog.open || event.target.closest("input:not(#search *), textarea, select, [contenteditable]")) return;
    event.preventDefault();
    open();
  });

  // ---- definitions and references: one box, moved to the word or citation that is pointed at or focused
  const tip = make("div", { id: "tip", hidden: true });
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);
  let timer, owner;
  const hide = () => { tip.hidden = true; owner?.removeAttribute("aria-describedby"); };
  const show = (word, place) => {
    clearTimeout(timer);
    hide();
    owner = word;
    tip.textContent = word.dataset.tip;
    tip.hidden = false;
    word.setAttribute("aria-describedby", "tip");
    const at = place || word.getClientRects()[0], box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(at.left, root.clientWidth - box.width - 8)) + "px";
    tip.style.top = scrollY + (at.bottom + box.height + 8 < innerHeight ? at.bottom + 4 : at.top - box.height - 4) + "px";
  };
  const later = () => (timer = setTimeout(hide, 200));
  for (const citation of document.querySelectorAll("a[role=doc-biblioref][title]")) {
    citation.dataset.tip = citation.title;      // the box takes the place of the browser's own
    citation.removeAttribute("title");
  }
  for (const word of document.querySelectorAll("a.term, a[role=doc-biblioref][data-tip]")) {
    word.onpointerenter = event => { if (event.pointerType === "mouse") show(word); };
    word.onfocus = () => show(word);
    word.onpointerleave = word.onblur = later;
  }
  tip.onpointerenter = () => clearTimeout(timer);
  tip.onpointerleave = later;
  addEventListener("keydown", event => event.key === "Escape" && hide());

  // ---- symbols: what a letter means, where it is pointed at or a formula is focused; the same letter lights up everywhere
  const light = symbol => { for (const one of document.querySelectorAll("[data-symbol]")) one.classList.toggle("lit", Boolean(symbol) && one.dataset.symbol === symbol); };
  const say = (owner, text, symbol, place) => { owner.dataset.tip = text; show(owner, place); light(symbol); };
  const quiet = () => { light(""); later(); };
  const main = $("main"), { meanings, code: inCode } = json("symbols", '{"meanings":{},"code":{}}');
  const symbolAt = event => { const one = event.target.closest?.("#main :is(math, code)[data-symbol], #main math [data-symbol]"); return one && entry(meanings, one.dataset.symbol) ? one : null; };
  const meant = one => say(one, entry(meanings, one.dataset.symbol), one.dataset.symbol);
  main.addEventListener("pointerover", event => { const one = symbolAt(event); if (one && event.pointerType === "mouse") meant(one); });
  main.addEventListener("pointerout", event => symbolAt(event) && quiet());
  main.addEventListener("click", event => { const one = symbolAt(event); if (one) meant(one); });
  for (const formula of document.querySelectorAll("#main math[display=block]")) {
    const all = new Map([...formula.querySelectorAll("[data-symbol]")].map(one => [(one.querySelector("mi") || one).textContent, entry(meanings, one.dataset.symbol)]));
    if (!all.size) continue;
    formula.tabIndex = 0;
    formula.addEventListener("focus", () => say(formula, [...all].map(([letter, meaning]) => `${letter}: ${meaning}`).join("; ")));
    formula.addEventListener("blur", quiet);
  }
  for (const item of document.querySelectorAll(".symbols li")) {
    item.tabIndex = 0;
    item.onpointerenter = item.onfocus = () => light(item.dataset.symbol);
    item.onpointerleave = item.onblur = () => light("");
  }
  main.addEventListener("word", event => {      // live cells say which word is pointed at (live/editor.js)
    const symbol = entry(inCode, event.detail.word);
    symbol ? say(event.target, entry(meanings, symbol), symbol, event.detail.at) : quiet();
  });

  // ---- reading progress: a list of addresses, kept in this browser only; counted in the section where the reader is
  const links = [...document.querySelectorAll("#nav a[data-chapter]")], box = $("read");
  const top = new URL(root.dataset.root || "./", location.href).href, chapter = link => link.href.slice(top.length).split("#")[0];
  const sectionOf = address => address.split("/").length > 1 ? address.split("/")[0] : "lessons";
  const counted = links.filter(link => sectionOf(chapter(link)) === sectionOf(box ? box.value : ""));
  const marked = () => new Set((store.get("read") || "").split(" ").filter(Boolean));
  const progress = () => {
    const read = marked(), done = counted.filter(link => read.has(chapter(link)));
    for (const link of links) {
      link.querySelector(".tick")?.remove();
      if (read.has(chapter(link))) {
        const tick = make("span", { className: "tick", textContent: "✓" });
        tick.setAttribute("role", "img");
        tick.setAttribute("aria-label", "read");
        link.append(" ", tick);
      }
    }
    $("progress").hidden = !done.length;
    $("progress").textContent = `${done.length} of ${counted.length} pages read`;
    if (box) box.checked = read.has(box.value);
  };
  if (box) {
    box.parentNode.hidden = false;
    box.onchange = () => {
      const read = marked();
      box.checked ? read.add(box.value) : read.delete(box.value);
      store.set("read", [...read].join(" "));
      progress();
    };
  }
  addEventListener("storage", progress);
  progress();
})();
