// Python in a worker: loaded at the first use, ended when a step takes too long, begun anew when it is next needed.
const root = document.documentElement;
const STARTING = 60;      // seconds; a telephone may need some of them

const beside = new URL(".", document.currentScript.src);      // where live.js is, live-runtime.js is, too

let worker, waiting;

const load = () => window.liveRuntime ? Promise.resolve() : new Promise((done, failed) => {
  const script = Object.assign(document.createElement("script"), { src: new URL("live-runtime.js", beside), onload: done });
  script.onerror = () => { script.remove(); failed(new Error("The file live-runtime.js, which brings Python, was not found beside this page.")); };
  document.head.append(script);
});

// what the worker says until it is done; a step that takes too long is ended
const listen = (seconds, hear) => new Promise(done => {
  const timer = setTimeout(() => end({ stopped: "late" }), 1000 * seconds);
  const end = waiting = told => {
    clearTimeout(timer);
    waiting = null;
    if (told.stopped) forget();
    done(told);
  };
  worker.onmessage = ({ data }) => data.done || data.ready ? end(data.done || data) : hear(data);
  worker.onerror = event => end({ stopped: "broken", message: event.message });
});

const forget = () => { worker?.terminate(); worker = null; };

export const seconds = () => Number(root.dataset.liveSeconds) || 10;

export const alive = () => Boolean(worker);

// begins Python; an error says why it cannot
export async function start() {
  await load();
  const address = URL.createObjectURL(new Blob([window.liveRuntime.worker], { type: "text/javascript" }));
  worker = new Worker(address);
  worker.postMessage({ wasm: window.liveRuntime.wasm, modules: window.liveRuntime.modules, helper: window.liveRuntime.helper });
  const told = await listen(STARTING, () => {});
  URL.revokeObjectURL(address);
  if (told.stopped) throw new Error(told.stopped === "reader" ? "Stopped." : "Python did not start in this browser. " + (told.message || ""));
}

// one step: {source, name, fresh, quiet, check} to {error, value, check} or {stopped}
export async function step(asked, hear) {
  worker.postMessage(asked);
  const told = await listen(seconds(), hear);
  if (["MemoryError", "broken"].includes(told.error?.type)) forget();      // its memory is given back with it
  return told;
}

export const stop = () => waiting?.({ stopped: "reader" });
