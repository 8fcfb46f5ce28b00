// A student with only a browser: opens a lesson from disk, the network off, changes the cell of each exercise, runs it, reads the
// checker's answer, then pastes the solution. Prints what the student saw as JSON: {file: {log, requests, exercises: [...]}}.
// Input (stdin): {chromium, site, pages: {file: [{number, solution}, ...]}}.
const { chromium } = require("playwright-core");
const job = JSON.parse(require("fs").readFileSync(0));

(async () => {
  const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const seen = {};
  for (const [file, exercises] of Object.entries(job.pages)) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" }), page = await context.newPage();
    const told = seen[file] = { log: [], requests: [], exercises: [] };
    page.setDefaultTimeout(60000);
    await context.setOffline(true);
    await page.addInitScript(() => localStorage.setItem("depth", "open"));      // exercises stand in depth, too; it stays open after a reload
    page.on("console", message => told.log.push("console: " + message.text()));
    page.on("pageerror", error => told.log.push("error: " + error.message));
    page.on("request", request => /^(file|data|blob):/.test(request.url()) || told.requests.push(request.url()));
    await page.goto("file://" + job.site + "/" + file);
    for (const { number, solution } of exercises) {
      const cell = page.locator("#live-" + number), code = cell.locator(".cm-content"), verdict = cell.locator(".live-verdict");
      const run = async () => {
        await cell.locator(".live-output").evaluate(output => output.replaceChildren());      // what is there afterwards is new
        await page.keyboard.press("Control+Enter");
        await page.waitForFunction(id => document.querySelector(`#${id} .live-verdict`) && document.getElementById(id).getAttribute("aria-busy") === "false", "live-" + number);
        return { said: (await verdict.allTextContents()).join("\n"), passes: (await verdict.first().getAttribute("class")).endsWith(" passes") };
      };
      await code.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.press("Enter");
      await page.keyboard.insertText("# my first try");
      const first = await run();
      let second, kept = false;
      for (let i = 0; i < 5 && !kept; i++) {      // under load Chromium sometimes loses what a page has just stored, ours or any
        await code.focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.insertText(solution);
        second = await run();
        await page.reload();
        await code.scrollIntoViewIfNeeded();      // the editor writes out only the lines that can be seen
        kept = (await cell.locator(".cm-line").allTextContents()).join("\n").trimEnd() === solution.trimEnd();
      }
      told.exercises.push({ number, first, second, kept });
    }
    await context.close();
  }
  console.log(JSON.stringify(seen));
  await browser.close();
})().catch(error => { console.error(error); process.exit(1); });
