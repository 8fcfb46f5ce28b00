// Opens every page of a built site from disk and prints what it finds as JSON: {"pages": {file: {...}}, "steps": {...}}.
// Input (stdin): {chromium, site, pages, start, term, table, queries, shots}. One browser; a wide light and a narrow dark context.
// Readers here want little motion: a page that glides to what is clicked keeps the machine busy for a second.
const { chromium } = require("playwright-core");
const axe = "file://" + require.resolve("axe-core/axe.min.js");
const job = JSON.parse(require("fs").readFileSync(0));
const url = page => "file://" + job.site + "/" + page;
const CASES = [{ name: "wide", only: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], met: new Set(), viewport: { width: 1280, height: 900 }, colorScheme: "light", reducedMotion: "reduce" }, 
  { name: "narrow", only: ["color-contrast", "scrollable-region-focusable"], met: new Set(), viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true, reducedMotion: "reduce" }];

// serious problems of the page as a reader meets it: folds open, so that what is in them is looked at too
// (highlighted code, formulas, drawings and the rows of long tables look the same everywhere and are most of a page's elements: one page
// is checked with them; elsewhere code, as far as it is shown, and formulas stand there as plain text, drawings keep their names, tables their first rows, the
// list of pages the page's own place)
const problems = async (page, whole, only, colours) => {
  await page.evaluate(whole => {
    document.querySelectorAll("main details").forEach(fold => (fold.open = true));
    if (whole) return;
    document.querySelectorAll("#nav li:nth-child(n+3):not(:has([aria-current]))").forEach(row => row.remove());
    document.querySelectorAll("pre .rest").forEach(unseen => unseen.remove());
    document.querySelectorAll("pre > code, math").forEach(code => code.replaceChildren(code.textContent));
    document.querySelectorAll("main tbody tr:nth-child(n+30)").forEach(row => row.remove());
    document.querySelectorAll("main svg:not(.ax *) > :not(title, desc)").forEach(drawn => drawn.remove());
  }, whole);
  await page.addScriptTag({ url: axe });
  const found = await page.evaluate(([exclude, runOnly, enabled]) => axe.run({ include: ["html"], exclude }, { resultTypes: ["violations"], preload: false, runOnly, rules: { "color-contrast": { enabled }, "link-in-text-block": { enabled } } }), [whole ? [] : [["pre > code"], ["math"]], only, colours]);
  return found.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => `${v.id}: ${v.nodes.length} times, e.g. ${v.nodes[0].html.slice(0, 160)} ${(v.nodes[0].any[0] || {}).message || ""}`);
};

// what a page's colours can depend on: kinds of elements, their classes and their own styles. Colours, and all else that is asked of a
// phone in the dark (boxes that scroll), are looked at again where a page brings something that no page before it had
const looks = page => page.evaluate(() => [...new Set([...document.body.querySelectorAll("*:not(path, math *)")].map(e => `${e.tagName} ${e.getAttribute("class")} ${e.style.color} ${e.style.background}`))]);

// every explorable answers: keys on its first control, and a drag or click on each kind of thing that can be pointed at
const explorables = async page => {
  const silent = [];
  for (const block of await page.locator(".ax:not(.still)").all()) { // a picture in the same style has nothing to answer
    if (!(await block.isVisible())) continue;
    const state = () => block.evaluate(e => e.innerText + [...e.querySelectorAll("svg")].map(s => s.innerHTML).join("") + [...e.querySelectorAll("input")].map(i => i.value + i.checked));
    const id = await block.getAttribute("id"), focusable = block.locator("input:visible, button:visible, select:visible, [tabindex='0']:visible");
    let before = await state(), answered = false;
    for (const control of await focusable.all()) {
      await control.focus();
      for (const key of ["ArrowRight", "ArrowLeft", "ArrowLeft", "Enter"]) { await page.keyboard.press(key); answered ||= (await state()) !== before; }
      if (answered) break;
    }
    if (!answered) silent.push(id + " does not answer to keys");
    before = await state(), answered = false;
    for (const thing of await block.locator("input:visible, button:visible, [tabindex='0']:visible, [style*=cursor]:visible").all()) {
      await thing.scrollIntoViewIfNeeded();
      const box = await thing.boundingBox();
      if (!box) continue;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 25, box.y + box.height / 2 + 15, { steps: 2 });
      await page.mouse.up();
      if ((answered = (await state()) !== before)) break;
      await thing.click({ force: true });
      if ((answered = (await state()) !== before)) break;
    }
    if (!answered) silent.push(id + " does not answer to the mouse");
  }
  for (const block of await page.locator(".predict").all()) {
    const button = block.locator("button").first();
    if (await button.count()) { await button.focus(); await page.keyboard.press("Enter"); }
    if (!(await block.locator("[role=status]").allTextContents()).join("")) silent.push((await block.getAttribute("id")) + " does not judge a guess");
  }
  return silent;
};

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const pages = {}, steps = {};
  const visit = async ({ name, only, met, ...options }, queue) => {
    const context = await browser.newContext(options), page = await context.newPage();
    page.setDefaultNavigationTimeout(120000);      // a machine that tests several things at a time is slow
    let log = [];
    page.on("console", message => log.push("console: " + message.text()));
    page.on("pageerror", error => log.push("error: " + error.message));
    page.on("requestfailed", request => log.push("failed: " + request.url()));
    page.on("request", request => /^(file|data|blob):/.test(request.url()) || log.push("request: " + request.url()));
    for (let file; (file = queue.shift()); ) {
      log = [];
      await page.goto(url(file));
      const across = () => page.evaluate(() => document.documentElement.scrollWidth), closed = await across();
      if (job.shots) await page.screenshot({ path: `${job.shots}/${file.replaceAll("/", "-")}-${name}.png` });
      await page.evaluate(() => document.querySelectorAll("details.depth").forEach(block => (block.open = true)));      // what is closed must hold, too
      const width = Math.max(closed, await across());
      const silent = name === "wide" ? await explorables(page) : [];
      const here = await looks(page), fresh = here.some(look => !met.has(look));
      here.forEach(look => met.add(look));
      const axe = name === "wide" || fresh ? await problems(page, file === job.term, only, fresh) : [];
      pages[file] = { ...pages[file], [name]: { log, wider: width > options.viewport.width ? width : 0, axe, silent } };      // no await in between: several contexts write here
    }
    await context.close();
  };
  const [wide, narrow] = CASES.map(() => [...job.pages]);
  await Promise.all([visit(CASES[0], wide), visit(CASES[0], wide), visit(CASES[1], narrow)]); // a wide page waits for its drawings to answer: two at a time

  if (job.term) await read(browser, steps);
  console.log(JSON.stringify({ pages, steps }));
  await browser.close();
})().catch(error => { console.error(error); process.exit(1); });

// what a reader does: search, look at a definition, tick a chapter, copy, change the theme
async function read(browser, steps) {
  const page = await (await browser.newContext({ viewport: CASES[0].viewport, reducedMotion: "reduce" })).newPage();
  await page.goto(url(job.start));
  const texts = selector => page.locator(selector).allTextContents();

  await page.keyboard.press("/");
  steps.focused = await page.evaluate(() => document.activeElement.type);
  const ask = async query => {
    await page.fill("#search input", "");
    await page.waitForFunction(() => !document.getElementById("search-says").textContent);
    await page.fill("#search input", query);
    await page.waitForFunction(() => document.getElementById("search-says").textContent);
  };
  for (const query of job.queries) {
    await ask(query);
    steps["search " + query] = await page.locator("#hits a").evaluateAll(all => all.map(a => a.getAttribute("href")));
    if (query === job.queries[0]) {
      await page.addScriptTag({ url: axe });
      steps["search axe"] = await page.evaluate(() => axe.run("#search").then(found => found.violations.map(v => v.id)));
    }
  }
  await page.keyboard.press("Escape");
  steps.closed = !(await page.locator("#search").isVisible());
  await page.keyboard.press("/");
  await ask(job.queries[0]);
  await page.keyboard.press("ArrowDown");
  steps.chosen = await page.locator("#hits [aria-selected=true]").getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL(address => address.href.endsWith(steps.chosen), { timeout: 5000 });
  steps.opened = page.url();

  await page.goto(url(job.term));      // a page in a folder loads the same index and finds its way back up
  await page.keyboard.press("/");
  await ask(job.queries[0]);
  steps["search from a folder"] = await page.locator("#hits a").evaluateAll(all => all.map(a => a.getAttribute("href")));
  await page.keyboard.press("Enter");
  await page.waitForURL(address => address.href.endsWith(steps["search from a folder"][0].replace("..", "")), { timeout: 5000 });
  steps["opened from a folder"] = page.url();

  await page.goto(url(job.term));
  const word = page.locator("a.term").first();
  steps.definition = await word.getAttribute("data-tip");
  await word.focus();
  steps["tip by focus"] = await page.locator("#tip:visible").textContent();
  await page.keyboard.press("Escape");
  steps["tip after escape"] = await page.locator("#tip").isVisible();
  await word.blur();
  await word.hover();
  steps["tip by mouse"] = await page.locator("#tip:visible").textContent();

  if (job.deep) {      // blocks of depth: closed, opened by the switch, kept, closed again, opened by a link; what a symbol means
    const open = () => page.$$eval("details.depth", blocks => [blocks.length, blocks.filter(block => block.open).length]);
    await page.goto(url(job.deep.page));
    steps.depth = [await open()];
    await page.locator(".depth-switch").click();
    steps.depth.push(await open());
    await page.reload();
    steps.depth.push(await open());
    await page.locator(".depth-switch").click();
    steps.depth.push(await open());
    await page.goto(url(job.deep.page) + "#" + job.deep.inside);
    await page.reload();
    steps.depth.push(await open());
    await page.locator("#main math [data-symbol]").first().hover();
    steps.symbol = [await page.locator("#tip:visible").textContent(), await page.locator(".lit").count()];
    await page.mouse.move(0, 0);
    const formula = page.locator("#main math[display=block][tabindex]").first();
    await formula.focus();
    steps.formula = await page.locator("#tip:visible").textContent();
    await formula.blur();
    steps.guesses = await page.$$eval("details.guess", all => [all.length, all.filter(one => one.open).length]);
    await page.goto(url(job.term));
  }
  await page.locator("#read").click();
  steps.read = [await page.locator("#read").isChecked(), ...(await texts("#nav .tick")), ...(await texts("#progress"))];
  await page.reload();
  steps["read after reload"] = await texts("#progress");
  await page.locator("#read").click();
  steps.unread = await page.locator("#progress").isVisible();

  await page.evaluate(() => document.querySelectorAll("details.depth").forEach(block => (block.open = true)));      // a spine's code is live
  const block = page.locator("div.sourceCode:visible").first(), copy = block.locator(".copy");
  await block.hover();
  await copy.click();
  await page.waitForFunction(button => button.textContent !== "Copy", await copy.elementHandle());
  steps.copied = await copy.textContent();
  await page.locator("#copy-page").click();
  await page.waitForFunction(() => document.querySelector("#copy-page").textContent !== "Copy as Markdown");
  steps["copied page"] = [await page.locator("#copy-page").textContent(), await page.evaluate(() => window.pageText.slice(0, 2))];
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  steps.theme = [await theme(), (await page.locator("#theme").click(), await theme()), (await page.reload(), await theme())];

  await page.goto(url(job.table.page));      // a long table: its buttons by keyboard, and a link to a row that is not shown
  const rows = () => page.locator("[data-filter] tbody tr:visible").count(), bar = page.locator(".filters", { has: page.locator(`button[value="${job.table.word}"]`) }).first();
  const button = bar.locator(`button[value="${job.table.word}"]`), all = await rows();
  await button.focus();
  await page.keyboard.press("Enter");
  steps.table = { all, kept: await rows(), pressed: await button.getAttribute("aria-pressed"), says: await button.textContent(), said: await bar.locator("[role=status]").textContent() };
  const hidden = await page.locator("[data-filter] tbody tr[hidden] [id]").first().getAttribute("id");
  await page.evaluate(id => { location.hash = id; }, hidden);
  await page.locator(`[id="${hidden}"]`).locator("xpath=ancestor::tr").waitFor();
  steps.table.shown = await rows();
  const { name, only, met, ...options } = CASES[1], phone = await (await browser.newContext(options)).newPage();
  await phone.goto(url(job.table.page));
  const height = () => phone.evaluate(() => document.documentElement.scrollHeight);
  steps.table.folded = [await phone.locator("[data-filter] tbody tr:visible").count(), await height()];
  await phone.locator(`.filters button[value="${job.table.word}"]`).first().tap();
  steps.table.opened = await phone.locator("[data-filter] tbody tr:visible").count();
  await phone.goto(url(job.table.page) + "#" + hidden);
  steps.table.found = await phone.locator(`[id="${hidden}"]`).locator("xpath=ancestor::tr").isVisible();

  const still = await (await browser.newContext({ viewport: CASES[1].viewport, javaScriptEnabled: false })).newPage();
  await still.goto(url(job.term));
  steps["without scripts"] = [await still.locator("#nav").isVisible(), await still.locator("#find").isVisible(), await still.locator("#read").isVisible()];
  await still.goto(url(job.table.page));
  steps.table.plain = [await still.locator("[data-filter] tbody tr:visible").count(), await still.locator(".filters").count()];
}
