// What every part of the page uses: elements, questions to the server, and what is being worked on.
export const $ = (id) => document.getElementById(id);
export const element = (tag, text = "", kind = "") => {
  const made = document.createElement(tag);
  made.textContent = text; // of papers only ever as text
  if (kind) made.className = kind;
  return made;
};
export const button = (words, act, label = "") => {
  const made = element("button", words);
  made.type = "button";
  made.onclick = act;
  if (label) made.setAttribute("aria-label", label);
  return made;
};
export const randomName = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const tab = randomName();

// An answer may be preceded by lines that say how far it is.
export const ask = async (address, body, { told = () => {}, ...more } = {}) => {
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { "x-scoreproof": "1", "x-tab": tab }, ...more });
    const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await pieces.read();
      const lines = (text + (value ?? "")).split("\n");
      text = lines.pop();
      for (const line of lines) told(JSON.parse(line).progress);
      if (done) break;
    }
    try {
      return JSON.parse(text);
    } catch {
      return { error: `The server refused this (${answer.status}).` };
    }
  } catch {
    return { error: more.signal?.aborted ? "Cancelled." : "The server does not answer; is 'scoreproof serve' still running?" };
  }
};
export const post = (address, value) => ask(address, JSON.stringify(value));

// A sheet holds papers; each is a specification in parts, with what its text says and what was found.
export const state = { papers: [], current: 0, words: { meanings: [], claims: {}, files: [] } };
export const paper = () => state.papers[state.current];
export const table = () => paper().tables[paper().table];
