// Explorables in a browser, for the tests that operate them: one browser for a whole run, the page loaded anew for each job.
// Input: first a line with chromium's path, then jobs, a line each: {url, width, scripts, steps}. Output: a line for each job,
// {errors, requests, values}, where values are what the steps read; or {failed}, what stopped them.
const { chromium } = require("playwright-core");
const lines = require("readline").createInterface({ input: process.stdin });

const steps = async (page, job) => {
  const values = [];
  for (const [what, selector, value] of job.steps) {
    const one = page.locator(selector).first();
    if (what === "press") { await one.focus(); await page.keyboard.press(value); }
    if (what === "click") await one.click();
    if (what === "fill") await one.fill(value);
    if (what === "paste") await one.evaluate((box, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      box.select();
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, value);
    if (what === "drag") {
      const box = await one.boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + value[0], y + value[1], { steps: 4 });
      await page.mouse.up();
    }
    if (what === "text") values.push(await one.textContent());
    if (what === "texts") values.push(await page.locator(selector).allTextContents());
    if (what === "attributes") values.push(await page.locator(selector).evaluateAll((all, name) => all.map(e => e.getAttribute(name)), value));
    if (what === "shown") values.push(await one.isVisible());
    if (what === "width") values.push(await page.evaluate(() => document.documentElement.scrollWidth));
  }
  return values;
};

// One page with scripts and one without, for all jobs: a new tab costs a whole browser's window more than most jobs do.
const pages = {};
const opened = async (browser, scripts) => {
  if (!pages[scripts]) {
    const page = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
    pages[scripts] = { page, seen: {} };
    page.on("console", m => pages[scripts].seen.errors.push(m.text()));
    page.on("pageerror", e => pages[scripts].seen.errors.push(e.message));
    page.on("request", r => pages[scripts].seen.requests.push(r.url()));
  }
  return pages[scripts];
};

const answer = async (browser, job) => {
  const tab = await opened(browser, job.scripts), seen = (tab.seen = { errors: [], requests: [] });
  try {
    await tab.page.setViewportSize({ width: job.width, height: 900 });
    await tab.page.goto(job.url);
    return { values: await steps(tab.page, job), ...seen };
  } catch (error) {
    return { failed: String(error.stack || error) };
  }
};

(async () => {
  let browser;
  for await (const line of lines) {
    if (browser) console.log(JSON.stringify(await answer(browser, JSON.parse(line))));
    else browser = await chromium.launch({ executablePath: line, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  }
  if (browser) await browser.close();
})().catch(error => { console.error(error); process.exit(1); });
