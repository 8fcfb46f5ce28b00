// Runs steps of live cells as the page's worker does, with the very text of live-runtime.js, outside a browser. Prints a list of {text, done}.
// Input (stdin): {runtime, steps}.
const fs = require("fs"), vm = require("vm");
const { runtime, steps } = JSON.parse(fs.readFileSync(0));

(async () => {
  const page = {};
  vm.runInNewContext(fs.readFileSync(runtime, "utf8"), { window: page });
  let hear;
  const worker = { WorkerGlobalScope: {}, location: { href: "blob:null/0" }, fetch, WebAssembly, TextDecoder, URL, performance, crypto, setTimeout, console: { log() {}, warn() {}, error() {} }, postMessage: message => hear(message) };
  worker.self = worker;
  vm.runInNewContext(page.liveRuntime.worker, worker);
  const tell = data => new Promise((done, failed) => {
    let text = "";
    hear = message => { text += message.text || ""; if (message.cut) text += "…"; if (message.ready || message.done) done({ text, ...message }); };
    worker.onmessage({ data }).catch(failed);
  });
  await tell({ wasm: page.liveRuntime.wasm, modules: page.liveRuntime.modules, helper: page.liveRuntime.helper });
  const told = [];
  for (const step of steps) told.push(await tell(step));
  console.log(JSON.stringify(told));
})().catch(error => { console.error(String(error.stack || error).slice(0, 2000)); process.exit(1); });
