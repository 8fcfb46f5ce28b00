// Points at the first citation of a page, and focuses it, on a narrow screen.
// Input (stdin): {chromium, site, page, theme}. Output: what the box says by focus and by mouse, whether it is there after Escape, its ARIA,
// the width of the page, what axe says of the page with the box, the console, and the title that the browser shows without scripts.
const { chromium } = require("playwright-core");
const axe = "file://" + require.resolve("axe-core/axe.min.js");
const job = JSON.parse(require("fs").readFileSync(0));

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  const options = { viewport: { width: 390, height: 844 }, colorScheme: job.theme, bypassCSP: true };
  const address = "file://" + job.site + "/" + job.page, first = "a[role=doc-biblioref]";
  const page = await (await browser.newContext(options)).newPage();
  const facts = { log: [] };
  page.on("console", message => facts.log.push(message.text()));
  page.on("pageerror", error => facts.log.push(error.message));
  await page.goto(address);
  const citation = page.locator(first).first();
  await citation.focus();
  facts.focused = await page.locator("#tip:visible").textContent();
  facts.described = await citation.getAttribute("aria-describedby");
  facts.title = await citation.getAttribute("title");
  facts.wider = await page.evaluate(() => document.documentElement.scrollWidth);
  await page.addScriptTag({ url: axe });
  facts.axe = await page.evaluate(() => axe.run("#main, #tip", { preload: false }).then(found => found.violations.map(v => v.id)));
  await page.keyboard.press("Escape");
  facts.escaped = await page.locator("#tip").isVisible();
  await citation.blur();
  await citation.hover();
  facts.pointed = await page.locator("#tip:visible").textContent();
  const plain = await (await browser.newContext({ ...options, javaScriptEnabled: false })).newPage();
  await plain.goto(address);
  facts.plain = await plain.locator(first).first().getAttribute("title");
  await browser.close();
  console.log(JSON.stringify(facts));
})();
