// "Check this proof": the verifier that the page carries re-checks a certificate in a worker, so that the page stays alive.
(() => {
  "use strict";
  const source = document.getElementById("verifier");
  if (!source) return;
  // What the worker does: one certificate after the other; now and then it says how far it is.
  const loop = `
    self.onmessage = ({ data }) => {
      try {
        self.postMessage({ done: Scoreproof.verify(data, { progress: (at) => self.postMessage({ at }) }) });
      } catch (error) {
        self.postMessage({ done: { valid: false, words: "It could not be read: " + error.message + "." } });
      }
    };`;
  // The page carries the verifier compressed; it is unpacked when it is first needed.
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(source.textContent.trim()), (letter) => letter.charCodeAt(0));
    const script = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
    return URL.createObjectURL(new Blob([script, loop], { type: "text/javascript" }));
  };
  let address = null;

  // The verdict on the text of a certificate; `told` hears how far it is. `stop` of the result ends it.
  const verify = (text, told) => {
    let stop = () => {};
    const verdict = new Promise((resolve, reject) => {
      start(text, told, resolve, (made) => { stop = made; }).catch(reject);
    });
    return { verdict, stop: () => stop() };
  };
  const start = async (text, told, resolve, stoppable) => {
    address ??= unpack();
    const worker = new Worker(await address);
    const end = (result) => {
      worker.terminate();
      resolve(result);
    };
    stoppable(() => end(null));
    worker.onmessage = ({ data }) => (data.done ? end(data.done) : told(data.at));
    worker.onerror = (error) => end({ valid: false, words: `The verifier failed: ${error.message}.` });
    worker.postMessage(text);
  };

  const percent = (at) => (at.share === null || at.share === undefined ? `${at.seconds.toFixed(0)} s` : `${Math.floor(100 * at.share)} %`);
  const running = new Map();

  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest("button.check");
    if (!button) return;
    const known = running.get(button);
    if (known) {
      known();
      return;
    }
    const held = [...document.querySelectorAll("script.certificate")].find((script) => script.dataset.file === button.dataset.file);
    if (!held) return;
    let status = button.parentElement.querySelector(".checked");
    if (!status) {
      status = document.createElement("p");
      status.className = "checked";
      status.setAttribute("role", "status");
      button.parentElement.append(status);
    }
    const words = button.textContent;
    button.textContent = "Stop";
    status.className = "checked";
    status.textContent = "Checking …";
    const { verdict, stop } = verify(held.textContent, (at) => {
      status.textContent = `Checking … ${percent(at)}`;
    });
    running.set(button, stop);
    const result = await verdict;
    running.delete(button);
    button.textContent = words;
    status.textContent = result ? `${result.valid ? "✓" : "✗"} ${result.words}` : "Stopped.";
    status.classList.toggle("yes", Boolean(result && result.valid));
    status.classList.toggle("no", Boolean(result && !result.valid));
  });

  // The page that does nothing else: certificates are dropped, chosen or pasted.
  const list = document.getElementById("verdicts");
  if (!list) return;
  const check = async (name, text) => {
    const line = document.createElement("li");
    line.textContent = `${name}: checking …`;
    list.prepend(line);
    const { verdict } = verify(text, (at) => {
      line.textContent = `${name}: checking … ${percent(at)}`;
    });
    const result = await verdict;
    line.textContent = `${result.valid ? "✓" : "✗"} ${name}: ${result.words}`;
    line.className = result.valid ? "yes" : "no";
  };
  const checkFiles = (files) => Promise.all([...files].map(async (file) => check(file.name, await file.text())));
  const chosen = document.getElementById("certificates");
  chosen.addEventListener("change", () => checkFiles(chosen.files));
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
  document.addEventListener("drop", (event) => checkFiles(event.dataTransfer.files));
  const pasted = document.getElementById("pasted");
  document.getElementById("check-pasted").addEventListener("click", () => pasted.value.trim() && check("the pasted text", pasted.value));
})();
