// Opens a notebook in JupyterLab, runs all cells, then operates what is in their outputs. Prints what it saw as JSON.
// Input (stdin): {chromium, url, guesses, choice}; url is that of the notebook, guesses what to type into each question with a field, choice a button.
const { chromium } = require("playwright-core");
const job = JSON.parse(require("fs").readFileSync(0));

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } }), seen = { errors: [] };
  page.setDefaultTimeout(30000);
  page.on("pageerror", error => seen.errors.push(error.message));
  await page.goto(job.url);
  await page.waitForFunction(() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === "idle", null, { timeout: 60000 });
  await page.evaluate(() => window.jupyterapp.commands.execute("notebook:run-all-cells"));
  const cells = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === "code").map(cell => {
    const model = cell.model.toJSON();
    return { source: model.source, count: model.execution_count, errors: model.outputs.filter(o => o.output_type === "error").map(o => o.evalue) };
  }));
  seen.cells = await cells();
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
  seen.judged = [];
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

  // a widget with the kernel behind it: the slider refits, and another picture comes
  const widget = page.locator(".widget-interact"), handle = widget.locator("[role=slider]").first(), picture = widget.locator("img");
  await handle.scrollIntoViewIfNeeded();
  await picture.waitFor();
  const old = await picture.getAttribute("src");
  await handle.focus();
  await page.keyboard.press("ArrowLeft");
  seen.refitted = await page.waitForFunction(([old]) => { const img = document.querySelector(".widget-interact img"); return img && img.src !== old; }, [old]).then(() => true, () => false);
  console.log(JSON.stringify(seen));
  await browser.close();
})().catch(error => { console.error(error); process.exit(1); });
