// Opens addresses of a built site whose part behind # is anything, and searches there for a word.
// Input (stdin): {chromium, site, addresses, word}. Output: {address: {errors, at, depth, hits}}: what the console said, the address that
// the browser ended at, whether the switch of closed blocks is there, and how many places a search found.
const { chromium } = require("playwright-core");
const job = JSON.parse(require("fs").readFileSync(0));

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  const found = {};
  for (const address of job.addresses) {
    const page = await browser.newPage();
    const errors = [];
    page.on("console", message => errors.push(message.text()));
    page.on("pageerror", error => errors.push(error.message));
    await page.goto("file://" + job.site + "/" + address);
    await page.waitForLoadState();
    const depth = await page.locator(".depth-switch").count();
    await page.locator("#find").click();
    await page.locator("#search input").fill(job.word);
    await page.waitForTimeout(300);
    await page.locator("#search input").press("End");
    const says = await page.locator("#search-says").textContent();
    found[address] = { errors, at: page.url().slice(("file://" + job.site + "/").length), depth, says };
    await page.close();
  }
  await browser.close();
  console.log(JSON.stringify(found));
})();
