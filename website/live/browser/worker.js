// Runs cells in MicroPython. In the text of a worker this follows MicroPython's loader.
// In: first {wasm, modules, helper}, then {source, name, fresh, quiet, check}. Out: {ready}, {text}, {cut}, {done}.
const MOST = 20000;      // characters of output that are shown
let answer, listening, buffer = [], printed = 0, sent = 0, last = 0, decoder;
console.error = () => {};      // the loader says there what comes back as an exception

const flush = () => {
  if (buffer.length) postMessage({ text: decoder.decode(new Uint8Array(buffer), { stream: true }) });
  buffer = [];
  sent++;
  last = Date.now();
};
const hear = ([byte]) => {
  if (!listening || printed > MOST) return;
  if (++printed > MOST) { flush(); return postMessage({ cut: MOST }); }
  buffer.push(byte);
  if (byte === 10 && (sent < 50 || Date.now() - last > 50)) flush();      // a few lines at once, so that a loop without end shows what was before it
};
self.onmessage = async ({ data }) => {
  if (data.wasm) {
    const python = await loadMicroPython({ url: data.wasm, pystack: 8192, heapsize: 4 << 20, linebuffer: false, stdout: hear, stderr() {} });
    python.runPython(data.modules);      // before the helper, which hands names on to the page
    python.runPython(data.helper);
    python.globals.set("listen", on => { listening = on; });
    answer = python.globals.get("answer");
    return postMessage({ ready: true });
  }
  printed = sent = 0;
  listening = !data.quiet;
  decoder = new TextDecoder();
  let done;
  try {
    done = JSON.parse(answer(JSON.stringify(data)));
  } catch (error) {      // out of memory while telling of it, or MicroPython itself stopped
    done = { error: { type: error.type || "broken", trace: error.message } };
  }
  flush();
  postMessage({ done });
};
