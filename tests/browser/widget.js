// Operates the widgets of aucbook.lab, in JupyterLab or in a page without Python. Prints what it saw as JSON.
// Input (stdin): {chromium, url, page}; url is that of a notebook in JupyterLab, page that of an HTML file. The cells of the notebook are
// named by their first line, "# name".
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");
const job = JSON.parse(require("fs").readFileSync(0));
const seen = { errors: [] };

// How long a slider takes from a key to its new sentence, in milliseconds; and what the sentence says.
const answer = async (page, widget, name, key) => {
  await widget.locator(`input[name=${name}]`).focus();
  const sentence = await widget.locator(".sentence").elementHandle();
  await sentence.evaluate(element => {
    window.answered = new Promise(resolve => {
      let pressed = 0;
      document.addEventListener("keydown", () => { pressed = performance.now(); }, { capture: true, once: true });
      new MutationObserver((_, observer) => { observer.disconnect(); resolve(performance.now() - pressed); }).observe(element, { childList: true });
    });
  });
  await page.keyboard.press(key);
  return { ms: await page.evaluate(() => window.answered), text: await sentence.textContent() };
};
const problems = async (page, include) => {
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate(include => window.axe.run({ include }, { resultTypes: ["violations"] }), include);
  return found.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`);
};
const paper = widget => widget.evaluate(element => getComputedStyle(element).backgroundColor);

const inLab = async browser => {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(30000);
  page.on("pageerror", error => seen.errors.push(error.message));
  await page.goto(job.url);
  const status = wanted => page.waitForFunction(wanted => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === wanted, wanted, { timeout: 60000 });
  await status("idle");
  const command = (name, args = {}) => page.evaluate(([name, args]) => window.jupyterapp.commands.execute(name, args), [name, args]);
  const cells = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.toJSON()));
  const at = async name => (await cells()).findIndex(cell => cell.source.startsWith(`# ${name}\n`));
  // the notebook draws only cells that are near
  const widget = async name => {
    const i = await at(name);
    await page.evaluate(i => window.jupyterapp.shell.currentWidget.content.scrollToItem(i), i);
    const found = page.locator(`.jp-Cell[data-windowed-list-index="${i}"] .aucbook-lab`);
    await found.waitFor();
    return found;
  };
  const run = async name => {
    const i = await at(name);
    await page.evaluate(i => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i; }, i);
    await command("notebook:run-cell");
    const { outputs } = (await cells())[i];
    return outputs.map(o => o.text ?? o.evalue ?? "").join("");
  };
  await command("notebook:run-all-cells");
  seen.failed = (await cells()).flatMap(cell => cell.outputs ?? []).filter(o => o.output_type === "error").map(o => o.evalue);

  // the threshold by keyboard, read back from the kernel; the notebook keeps its place
  const roc = await widget("roc");
  await roc.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.activeCellIndex);
  seen.first = await run("value");
  await roc.locator("input[name=threshold]").focus();
  const before = await place();
  seen.steps = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "Home", "ArrowRight"]) seen.steps.push(await answer(page, roc, "threshold", key));
  seen.moved = (await place()) !== before;
  await page.waitForTimeout(400);   // the browser tells Python 80 ms after the last key
  seen.read = await run("value");

  // another score: a new picture from the kernel
  const heading = roc.locator(".heading"), old = await heading.textContent();
  await roc.locator("select[name=score]").focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(([element, old]) => element.textContent !== old, [await heading.elementHandle(), old]);
  seen.chosen = { heading: await heading.textContent(), read: await run("value") };
  seen.focus = await page.evaluate(() => document.activeElement?.name ?? "");

  seen.bad = await (await widget("bad")).locator(".message").textContent();

  // a picture that takes long, interrupted; then the same widget draws again
  const slow = await widget("slow"), depth = slow.locator("input[name=depth]");
  await depth.scrollIntoViewIfNeeded();
  await depth.focus();
  await page.keyboard.press("ArrowRight");
  await slow.locator("progress").waitFor();
  seen.busy = await slow.getAttribute("aria-busy");
  await status("busy");
  await command("notebook:interrupt-kernel");
  await slow.locator(".message").waitFor();
  seen.interrupted = { message: await slow.locator(".message").textContent(), heading: await slow.locator(".heading").textContent() };
  await depth.focus();
  await page.keyboard.press("End");
  await slow.locator(".message").waitFor({ state: "hidden" });
  seen.after = { heading: await slow.locator(".heading").textContent(), busy: await slow.getAttribute("aria-busy"), read: await run("alive") };

  await widget("roc");
  seen.papers = [await paper(roc)];
  await command("apputils:change-theme", { theme: "JupyterLab Dark" });
  await page.waitForFunction(() => document.body.dataset.jpThemeLight === "false");
  seen.papers.push(await paper(roc));
  seen.problems = await problems(page, [".aucbook-lab"]);
  if (job.shot) await page.screenshot({ path: job.shot });

  // a kernel that ends; JupyterLab's own errors about it are none of ours
  const errors = [...seen.errors], lost = roc.locator(".lost");
  seen.lost = [await lost.isVisible()];
  await page.evaluate(() => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code: "import os; os._exit(1)" }); });
  await page.waitForTimeout(3000);
  for (const button of await page.locator(".jp-Dialog .jp-mod-accept").all()) await button.click();
  await roc.locator("input[name=threshold]").focus();
  await page.keyboard.press("ArrowRight");
  await lost.waitFor({ timeout: 20000 });
  seen.lost.push(await lost.isVisible(), await roc.locator(".sentence").textContent());
  seen.errors = errors;
  await page.close();
};

const inPage = async browser => {
  const open = async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(10000);
    page.on("pageerror", error => seen.errors.push(error.message));
    page.on("request", request => { if (!request.url().startsWith("file:")) seen.errors.push(`asked for ${request.url()}`); });
    await page.goto(job.page);
    return page;
  };
  const page = await open(1280, "light"), widget = page.locator(".aucbook-lab").first(), other = page.locator(".aucbook-lab").last();
  seen.start = { heading: await widget.locator(".heading").textContent(), sentence: await widget.locator(".sentence").textContent(), other: await other.locator(".sentence").textContent() };
  seen.tabs = [];                   // what Tab reaches, in order
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("Tab");
    seen.tabs.push(await page.evaluate(() => document.activeElement.name ?? document.activeElement.tagName));
  }
  seen.steps = [];
  for (const key of ["Home", "ArrowRight", "ArrowRight", "End"]) seen.steps.push(await answer(page, widget, "threshold", key));
  seen.valuetext = await widget.locator("input[name=threshold]").getAttribute("aria-valuetext");
  // a drag on the ROC curve moves the same slider
  const curve = await widget.locator("figure svg.grab").nth(1).boundingBox();
  await page.mouse.click(curve.x + curve.width * 0.3, curve.y + curve.height * 0.3);
  seen.dragged = await widget.locator(".sentence").textContent();
  await widget.locator("select[name=score]").selectOption({ index: 1 });
  seen.swapped = await widget.locator(".heading").textContent();
  seen.script = await widget.locator("pre").textContent();
  seen.other = await other.locator(".sentence").textContent();
  seen.papers = [await paper(widget)];
  await page.locator("details").evaluateAll(folds => folds.forEach(fold => { fold.open = true; }));
  seen.problems = await problems(page, ["html"]);
  const narrow = await open(390, "dark");
  seen.overflow = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  seen.papers.push(await paper(narrow.locator(".aucbook-lab").first()));
  seen.problems.push(...await problems(narrow, ["html"]));
};

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  await (job.url ? inLab(browser) : inPage(browser));
  console.log(JSON.stringify(seen));
  await browser.close();
})().catch(error => { console.error(error); console.error(JSON.stringify(seen)); process.exit(1); });
