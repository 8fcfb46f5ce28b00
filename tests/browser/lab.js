// Opens a notebook in JupyterLab and does what a reader does there. Prints what it saw as JSON.
// Input (stdin): {chromium, address, page, scenario, …}; address is that of the server, page a notebook without its ending,
// scenario a name of `scenarios` below, which says what else it wants.
const { chromium } = require("playwright-core");
const job = JSON.parse(require("fs").readFileSync(0));

// ---- what is asked of JupyterLab itself; each runs in the page
const isIdle = () => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === "idle";
const codeCells = () => window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === "code").map(cell => {
  const model = cell.model.toJSON();
  return {
    source: model.source, count: model.execution_count, outputs: model.outputs, trusted: cell.model.trusted,
    sourceHidden: cell.inputHidden, outputHidden: cell.outputHidden,
    folded: [...cell.node.querySelectorAll(".jp-PlaceholderText")].filter(text => text.offsetParent).map(text => text.textContent),
    errors: model.outputs.filter(o => o.output_type === "error").map(o => o.ename + ": " + o.evalue),
  };
});

async function open(page, name) {
  await page.goto(`${job.address}/lab/tree/${name}.ipynb?reset`);
  await page.waitForFunction(isIdle, null, { timeout: 60000 });
  await page.waitForFunction(() => window.jupyterapp.shell.currentWidget.content.widgets.every(cell => cell.inViewport !== undefined));
}

// runs all cells of the page, those of folded sections too, and unfolds them
async function runAll(page) {
  await run(page, "notebook:expand-all-headings");
  await run(page, "notebook:run-all-cells");
}

const run = (page, command) => page.evaluate(command => window.jupyterapp.commands.execute(command), command);

// what a line of Python gives in the page's kernel, as its repr
const ask = (page, expression) => page.evaluate(async expression => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const future = kernel.requestExecute({ code: "", silent: true, user_expressions: { answer: expression } });
  const { content } = await future.done;
  const answer = content.user_expressions.answer;
  return answer.status === "ok" ? answer.data["text/plain"] : `${answer.ename}: ${answer.evalue}`;
}, expression);

const runCell = (page, index) => page.evaluate(async index => {
  window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
  await window.jupyterapp.commands.execute("notebook:run-cell");
}, index);

const look = page => page.evaluate(() => {
  const { node, content, context } = window.jupyterapp.shell.currentWidget;
  const size = picture => { const box = picture.getBoundingClientRect(); return [box.width, box.height]; };
  const pictures = [...node.querySelectorAll(".jp-RenderedSVG, .jp-RenderedImage")].filter(one => one.offsetParent);
  return {
    unsaved: context.model.dirty,
    broken: [...node.querySelectorAll("img")].filter(img => img.complete && !img.naturalWidth).length + node.querySelectorAll(".jp-OutputArea .fa-chain-broken, .jp-OutputArea .fa-unlink").length,
    pictures: pictures.map(one => size(one.querySelector("img, svg") || one)),
    text: content.node.innerText,
    hiddenSections: content.widgets.filter(cell => cell.headingCollapsed).length,
  };
});

// ---- scenarios: what a reader does
const scenarios = {
  // opens the page, runs nothing
  async read(page) {
    await open(page, job.page);
    await page.waitForTimeout(1500);      // what the kernel says on arrival would mark the page as unsaved
    const seen = { cells: await page.evaluate(codeCells), ...await look(page) };
    await run(page, "notebook:expand-all-headings");
    await page.waitForTimeout(1500);
    return { ...seen, unfolded: await look(page) };
  },

  // runs all cells
  async run(page) {
    await open(page, job.page);
    const before = await page.evaluate(codeCells);
    await runAll(page);
    return { before, cells: await page.evaluate(codeCells), ...await look(page) };
  },

  // runs the page, moves the first slider of a widget of ipywidgets by keyboard; `value` is Python for what the kernel holds
  async slide(page) {
    await open(page, job.page);
    await runAll(page);
    const seen = { cells: await page.evaluate(codeCells), before: await ask(page, job.value) };
    const widget = page.locator(".widget-interact"), handle = widget.locator("[role=slider]").first();
    await handle.scrollIntoViewIfNeeded();
    await handle.focus();
    for (const key of job.keys) await page.keyboard.press(key);
    for (let tries = 0, last; tries < 50; tries++) {       // until what the kernel holds stays as it is
      [last, seen.after] = [seen.after, await ask(page, job.value)];
      if (seen.after !== seen.before && seen.after === last) break;
      await page.waitForTimeout(400);
    }
    seen.shown = await widget.locator(".widget-readout").first().textContent();
    return seen;
  },

  // starts cell `long`, interrupts it, runs the one below
  async interrupt(page) {
    await open(page, job.page);
    await runCell(page, job.long - 1);                       // imports
    const ended = runCell(page, job.long);
    await page.waitForFunction(() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "busy");
    await page.waitForTimeout(job.wait);
    await run(page, "notebook:interrupt-kernel");
    await ended;
    await runCell(page, job.long + 1);
    return { cells: await page.evaluate(codeCells), ...await look(page) };
  },

  // runs the page, stores it, opens it again in a kernel that knows nothing
  async reopen(page) {
    await open(page, job.page);
    await runAll(page);
    await run(page, "docmanager:save");
    await page.evaluate(() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown());
    await open(page, job.page);
    await page.waitForTimeout(1500);
    return { cells: await page.evaluate(codeCells), ...await look(page) };
  },

  // runs the page, then plays: an explorable, the questions (`guesses` to type, and a button, `choice`), a widget that refits
  async play(page) {
    await open(page, job.page);
    await runAll(page);
    const seen = { cells: await page.evaluate(codeCells), judged: [] };
    const failed = seen.cells.flatMap(cell => cell.errors);
    if (failed.length) throw new Error(`a cell failed, and the cells after it did not run: ${failed}`);

    // an explorable: its first slider, by keyboard, while the notebook keeps its place
    const played = page.locator(".ax-live:has(input[type=range])").first(), say = played.locator(".ax-say"), slider = played.locator("input[type=range]").first();
    const place = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.activeCellIndex);
    await slider.scrollIntoViewIfNeeded();
    await slider.focus();
    const before = [await say.textContent(), await place()];
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);      // it may begin at an end
    seen.explorable = { before: before[0], after: await say.textContent(), moved: (await place()) !== before[1] };

    // the questions: type and press Enter, or the button
    const questions = page.locator(".predict-live:has(input)");
    for (const [i, guess] of job.guesses.entries()) {
      await questions.nth(i).locator("input").scrollIntoViewIfNeeded();
      await questions.nth(i).locator("input").focus();
      await page.keyboard.type(guess);
      if (i % 2) await questions.nth(i).locator("button").click();
      else await page.keyboard.press("Enter");
      seen.judged.push(await questions.nth(i).locator(".predict-say").textContent());
    }
    const named = page.locator("button", { hasText: new RegExp(`^${job.choice}$`) }), asked = page.locator(".predict-live", { has: named });
    const choice = asked.locator(named);
    await choice.scrollIntoViewIfNeeded();
    await choice.focus();
    await page.keyboard.press("Enter");
    seen.judged.push(await asked.locator(".predict-say").textContent());

    // a widget with the kernel behind it: a choice refits, and another sentence comes
    const widget = page.locator(".aucbook-lab"), handle = widget.locator("select[name=answers]"), sentence = widget.locator(".sentence");
    await handle.scrollIntoViewIfNeeded();
    const old = await sentence.textContent();
    await handle.selectOption({ index: 1 });
    seen.refitted = await page.waitForFunction(old => { const now = document.querySelector(".aucbook-lab .sentence"); return now && now.textContent !== old; }, old).then(() => true, () => false);
    return seen;
  },
};

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } }), errors = [], elsewhere = [];
  page.setDefaultTimeout(30000);
  page.on("pageerror", error => errors.push(error.message));
  page.on("request", request => { if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(job.address)) elsewhere.push(request.url()); });
  const seen = await scenarios[job.scenario](page);
  await page.evaluate(() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown());      // each visit has a kernel of its own
  if (job.shot) await page.screenshot({ path: job.shot });
  console.log(JSON.stringify({ ...seen, errors, elsewhere }));
  await browser.close();
})().catch(error => { console.error(error); process.exit(1); });
