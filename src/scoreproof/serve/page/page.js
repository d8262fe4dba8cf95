// The local page: reads what is dropped, shows it, asks for verdicts while one types, makes reports.
// The page's state is a specification; text of papers is only ever set as text.
import { drawTable, showVerdicts } from "/page/table.js";
import { claimForm, showClaims } from "/page/claims.js";
import { forAll, named, sentencesOf, showProposals, withoutParts } from "/page/proposals.js";

export const $ = (id) => document.getElementById(id);
export const element = (tag, text = "", kind = "") => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
};
const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const ask = async (address, body, more = {}) => {
  const headers = { "x-scoreproof": "1", "x-tab": tab };
  try {
    const answer = await fetch(address, { method: "POST", body, headers, ...more });
    return await answer.json().catch(() => ({ error: `The server refused this (${answer.status}).` }));
  } catch {
    return { error: "The server does not answer; is 'scoreproof serve' still running?" };
  }
};
const post = (address, value) => ask(address, JSON.stringify(value));

// ---- the state ----

// Nobody has said anything of an experiment until something is typed: until then it is assumed.
export const UNSAID = "the scores are of one test set";
const fresh = () => ({ datasets: {}, experiments: {}, options: { rounding: "any" }, claims: [] });
export const state = { rest: fresh(), tables: [], current: 0, words: { meanings: [], claims: {}, files: [] } };
const table = () => state.tables[state.current];
const experimentsOf = (one) => [].concat(one.part.experiment);
const experimentName = () => experimentsOf(table())[0];
const isPlain = (name) => {
  const { dataset, tree } = state.rest.experiments[name] || {};
  const data = [].concat(dataset || []);
  const known = data.length === 1 ? state.rest.datasets[data[0]] : null;
  return !tree && known && Object.keys(known).every((key) => ["p", "n", "total", "note"].includes(key));
};

// Sizes belong to a table: each begins with an experiment of its own, and what is said at one table changes no other.
const datasetsOf = (name) => [].concat(state.rest.experiments[name]?.dataset || []);
const unused = (name) => {
  const forgotten = () => state.rest.experiments[name]?.assumed === UNSAID && !state.tables.flatMap(named).includes(name);
  while ((state.rest.experiments[name] || state.rest.datasets[name]) && !forgotten()) name += "'";
  return name;
};
const unsaid = (wanted) => {
  const name = unused(wanted);
  state.rest.datasets[name] = { p: "unknown", n: "unknown" };
  state.rest.experiments[name] = { dataset: name, assumed: UNSAID };
  return name;
};
export const ownExperiment = (one, name, typed = false) => {
  const data = datasetsOf(name);
  const others = state.tables.filter((other) => other !== one).flatMap(named);
  const shared = others.some((other) => other === name || datasetsOf(other).some((each) => data.includes(each)));
  const proposed = (state.rest.experiments[name].assumed ?? UNSAID) !== UNSAID; // its name says what the text does
  if (!shared && !(typed && proposed)) return name;
  const own = unused(typed ? one.part.name : `${name}, ${one.part.name}`);
  state.rest.experiments[own] = structuredClone(state.rest.experiments[name]);
  if (data.length === 1) {
    state.rest.datasets[own] = structuredClone(state.rest.datasets[data[0]]);
    state.rest.experiments[own].dataset = own;
  }
  return own;
};

const specification = (tables) => {
  const names = tables.map((one) => one.part.name);
  const claims = (state.rest.claims || []).filter((claim) => !claim.table || names.includes(claim.table));
  const made = { ...state.rest, claims, tables: tables.map((one) => one.part) };
  const sentences = new Map(tables.flatMap(sentencesOf).map((said) => [JSON.stringify(said), said]));
  if (sentences.size) made.extracted = [...sentences.values()]; // what the text says is told beside sizes that somebody types
  if (Object.keys(state.rest.hypotheses || {}).length) return made; // they name data sets and experiments, too
  const experiments = new Set(tables.flatMap(named));
  const datasets = new Set([...experiments].flatMap(datasetsOf));
  for (const [key, used] of [["experiments", experiments], ["datasets", datasets]]) {
    made[key] = Object.fromEntries(Object.entries(made[key]).filter(([name]) => used.has(name)));
  }
  return made;
};
const wanted = () => state.tables.filter((one) => one.useful || one.part.columns);

// ---- reading ----

const base64 = (buffer) => {
  let text = "";
  const bytes = new Uint8Array(buffer);
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
};

// A file, a pasted table, an example: each begins a new sheet, on which nothing of the last one stays, also after an
// error. What is answered for an earlier sheet comes too late.
let sheet = 0;
const newSheet = (words, pasted = false) => {
  clearTimeout(typing);
  clearTimeout(pasting);
  if (events) ask(`/jobs/${job}`, undefined, { method: "DELETE" });
  reportOver("");
  Object.assign(state, { rest: fresh(), tables: [], current: 0 });
  if (!pasted) $("paste").value = "";
  $("row").close();
  $("claim").reset();
  $("claim-kind").dispatchEvent(new Event("change"));
  for (const id of ["verdict", "other-sizes", "grid", "checks", "claims", "downloads"]) $(id).replaceChildren();
  $("status").textContent = words;
  show();
  return ++sheet;
};

// the tables of an answer, and what is to be said of it
const take = (said, name) => {
  if (said.error) return said.error;
  const before = state.tables.length;
  for (const one of said.tables) {
    one.part.name = `${one.part.name}${name && before ? ` (${name})` : ""}`;
    while (state.tables.some((other) => other.part.name === one.part.name)) one.part.name += "'";
    one.paper = name;
    one.part.experiment ??= unsaid(one.part.name);
    state.tables.push(one);
  }
  const useful = state.tables.findIndex((one, k) => k >= before && one.useful);
  state.current = useful < 0 ? before : useful;
  state.rest.title ||= name.replace(/\.[^.]*$/, "");
  const problems = said.problems.length ? ` ${said.problems.join("; ")}` : "";
  show();
  return `${said.tables.length} table${said.tables.length === 1 ? "" : "s"} read${name ? ` from ${name}` : ""}.${problems}`;
};

const kindOf = async (file) => {
  if (!/\.(json|ya?ml)$/i.test(file.name)) return "paper";
  const text = await file.text();
  if (/"(proof|certificate)"\s*:/.test(text) && /"statement"\s*:/.test(text)) return "certificate";
  return /(^|\n)\s*"?tables"?\s*:/.test(text) && !/model-index/.test(text) ? "specification" : "paper";
};

const readFiles = async (files) => {
  const kinds = await Promise.all(files.map(kindOf));
  const chosen = files.filter((_, k) => kinds[k] === "specification");
  if (chosen.length) return openSpecification(chosen[0], files.filter((file) => file !== chosen[0]));
  const its = kinds.includes("paper") ? newSheet("") : sheet; // a certificate is re-checked beside what is open
  const words = [];
  for (const [k, file] of files.entries()) {
    $("status").textContent = [...words, `Reading ${file.name} …`].join(" ");
    const certificate = kinds[k] === "certificate";
    const said = await ask(`${certificate ? "/verify" : "/read"}?name=${encodeURIComponent(file.name)}`, file);
    if (its !== sheet) return;
    words.push(!certificate ? take(said, file.name) : said.error || `${said.valid ? "✓" : "✗"} ${file.name}: ${said.words}`);
  }
  $("status").textContent = words.join(" ");
};

const openSpecification = async (file, others) => {
  const its = newSheet(`Opening ${file.name} …`);
  const beside = {};
  for (const other of others) beside[other.name] = base64(await other.arrayBuffer());
  const said = await post("/open", { text: await file.text(), files: beside });
  if (its !== sheet) return;
  state.rest = { ...fresh(), ...said.rest };
  $("status").textContent = take(said, file.name);
};

// ---- the experiment ----

const FIELDS = ["p", "n", "total", "folds", "repeats", "stratified", "aggregation"];

const showWhich = () => {
  const name = experimentName();
  const names = Object.keys(state.rest.experiments);
  const several = experimentsOf(table()).length > 1;
  const options = [...names.map((one) => [one, one]), ["", "another experiment …"]];
  $("which").replaceChildren(...options.map(([value, text]) => new Option(text, value, false, value === name && !several)));
  if (several) $("which").prepend(new Option("one of those the text proposes", experimentsOf(table()).join("\n"), false, true));
  $("which-line").hidden = state.tables.length < 2 && names.length < 2;
};

const showExperiment = () => {
  showWhich();
  const name = experimentName();
  const several = experimentsOf(table()).length > 1;
  const plain = isPlain(name) && !several;
  const experiment = state.rest.experiments[name] || {};
  const data = plain ? state.rest.datasets[[].concat(experiment.dataset)[0]] : {};
  const values = { ...data, folds: experiment.folds, repeats: experiment.repeats, stratified: experiment.stratified ?? "unknown", aggregation: experiment.aggregation ?? "unknown" };
  for (const id of FIELDS) {
    const value = values[id] === undefined || values[id] === "unknown" ? "" : String(values[id]);
    $(id).value = $(id).tagName === "SELECT" ? value || "unknown" : value;
    $(id).disabled = !plain;
  }
  $("rounding").value = state.rest.options?.rounding || "any";
  const runs = plain && experiment.runs ? `Scores may be means over runs, as the text says: ${[].concat(experiment.runs).join(" or ")}.` : "";
  $("given").hidden = several || (plain && !runs);
  $("given").textContent = several ? "" : plain ? runs : `As in the specification: ${JSON.stringify(experiment)}`;
};

const readExperiment = () => {
  if (isPlain(experimentName()) && experimentsOf(table()).length === 1) {
    table().part.experiment = ownExperiment(table(), experimentName(), true);
    showWhich();
    const experiment = state.rest.experiments[experimentName()];
    const value = (id) => $(id).value.trim();
    const counts = value("p") || value("n") || !value("total") ? { p: value("p") || "unknown", n: value("n") || "unknown" } : { total: value("total") };
    state.rest.datasets[[].concat(experiment.dataset)[0]] = counts;
    for (const key of ["folds", "repeats", "stratified", "aggregation", "assumed"]) delete experiment[key];
    if (!["p", "n", "total", "folds"].some(value)) experiment.assumed = UNSAID;
    if (value("folds")) {
      delete experiment.runs; // those of a cross-validation are its repeats
      Object.assign(experiment, { folds: value("folds"), stratified: value("stratified"), aggregation: value("aggregation") });
      if (value("repeats")) experiment.repeats = value("repeats");
    }
  }
  soon();
};

// ---- showing ----

const show = () => {
  $("work").hidden = !state.tables.length;
  if (!state.tables.length) return;
  $("tables").replaceChildren(...state.tables.map((one, k) => {
    const button = element("button", `${one.part.name}${one.useful ? "" : " (no scores)"}`);
    button.type = "button";
    button.title = `${one.where}. ${one.part.caption || ""}`;
    button.setAttribute("aria-pressed", String(k === state.current));
    button.onclick = () => { state.current = k; show(); };
    return button;
  }));
  const one = table();
  $("caption").textContent = one.part.caption || "";
  const notes = [...(one.notes || []), ...(one.assumptions || []), ...(one.unread || []).map((cell) => `not read: ${cell.raw} (${cell.why})`)];
  $("notes").hidden = !notes.length;
  $("note-list").replaceChildren(...notes.map((note) => element("li", note)));
  showExperiment();
  showProposals(one, show);
  drawTable(one, state.words.meanings, soon, openRow);
  soon(0);
};

// ---- verdicts while typing ----

let typing = null;
let looks = 0;
const soon = (wait = 150) => {
  clearTimeout(typing);
  typing = setTimeout(look, typeof wait === "number" ? wait : 150);
};
const look = async () => {
  const look = ++looks;
  const one = table();
  $("verdict").setAttribute("aria-busy", "true");
  const said = await post("/look", specification([one]));
  if (look !== looks || one !== table()) return;
  $("verdict").removeAttribute("aria-busy");
  const question = said.verdict === "undecided" && said.tables[0].rows.some((row) => row.outcome === "question");
  $("verdict").className = `headline ${question ? "question" : said.verdict || ""}`;
  $("verdict").textContent = said.error || said.headline;
  $("other-sizes").replaceChildren(...(said.error ? [] : said.tables[0].other_sizes).map((words) => element("p", words, "question")));
  showVerdicts(said.error ? [] : said.tables[0].rows, openRow);
  $("checks").replaceChildren(...(said.error ? [] : said.tables[0].checks).map((check) => element("li", check.words, check.verdict)));
  showClaims(said.error ? [] : said.claims, (state.rest.claims || []).length);
};

// ---- one row ----

const openRow = async (place, name) => {
  $("row-title").textContent = name;
  $("row-status").textContent = "Looking for explanations …";
  $("row-page").hidden = true;
  $("row").showModal();
  const said = await post("/rows", { specification: { ...specification([table()]), claims: [] }, place });
  $("row-status").textContent = said.error || "";
  if (said.error) return;
  $("row-page").src = `${said.page}#${said.anchor}`;
  $("row-page").hidden = false;
};
$("row-close").onclick = () => $("row").close();

// ---- the report ----

const FILES = { "report.html": "HTML", "report.tex": "LaTeX", "report.txt": "text", "report.json": "JSON", "certificates.zip": "certificates", "paper.scoreproof.yaml": "specification" };
let job = null;
let events = null; // of a report that is being made
const reportOver = (words) => {
  events?.close();
  events = null;
  $("cancel").hidden = $("progress").hidden = true;
  $("report").disabled = false;
  $("report-status").textContent = words;
};

const makeReport = async () => {
  const tables = wanted().length ? wanted() : [table()];
  const its = sheet;
  $("report").disabled = true;
  const started = await post("/jobs", specification(tables));
  if (its !== sheet) return void (started.job && ask(`/jobs/${started.job}`, undefined, { method: "DELETE" }));
  if (started.error) return reportOver(started.error);
  job = started.job;
  $("cancel").hidden = $("progress").hidden = false;
  $("downloads").hidden = true;
  $("progress").removeAttribute("value");
  $("report-status").textContent = "Started.";
  events = new EventSource(`/jobs/${job}/events`);
  events.addEventListener("waiting", (event) => { $("report-status").textContent = JSON.parse(event.data); });
  events.addEventListener("progress", (event) => {
    const [done, all, label] = JSON.parse(event.data);
    Object.assign($("progress"), { max: Math.max(all, 1), value: done });
    $("report-status").textContent = `${done} of ${all} rows${label ? `: ${label}` : ""}`;
  });
  events.addEventListener("done", (event) => {
    reportOver(JSON.parse(event.data).headline);
    $("downloads").replaceChildren(...Object.entries(FILES).flatMap(([file, words]) => {
      const line = element("li");
      if (file === "report.html") line.append(link(`/jobs/${job}/${file}`, "Open the report"), " ");
      line.append(link(`/jobs/${job}/${file}?save`, `Save ${words}`, file));
      return [line];
    }));
    $("downloads").hidden = false;
  });
  events.addEventListener("failed", (event) => reportOver(JSON.parse(event.data)));
  events.onerror = () => events?.readyState === EventSource.CLOSED && reportOver("The server does not answer any more.");
};
const link = (address, words, file = "") => {
  const made = element("a", words);
  made.href = address;
  if (file) made.download = file;
  else made.target = "_blank";
  return made;
};

$("report").onclick = makeReport;
$("cancel").onclick = () => job && ask(`/jobs/${job}`, undefined, { method: "DELETE" });
$("save-specification").onclick = async () => {
  const answer = await fetch("/specification", { method: "POST", body: JSON.stringify(specification(wanted().length ? wanted() : [table()])), headers: { "x-scoreproof": "1" } });
  const made = link(URL.createObjectURL(await answer.blob()), "", "paper.scoreproof.yaml");
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 60000);
};

// ---- what people do ----

for (const id of FIELDS) {
  $(id).addEventListener("input", () => {
    withoutParts(table());
    readExperiment();
  });
}
$("rounding").addEventListener("input", () => {
  state.rest.options = { ...state.rest.options, rounding: $("rounding").value };
  soon();
});
$("which").onchange = () => {
  const chosen = $("which").value || unsaid(`another for ${table().part.name}`);
  forAll(table(), chosen.includes("\n") ? chosen.split("\n") : chosen);
  show();
};
$("file").onchange = () => { readFiles([...$("file").files]); $("file").value = ""; };
const drop = $("drop");
const over = (event) => { event.preventDefault(); drop.classList.toggle("over", event.type === "dragover"); };
for (const name of ["dragover", "dragleave"]) document.addEventListener(name, over);
document.addEventListener("drop", (event) => { over(event); readFiles([...event.dataTransfer.files]); });
let pasting = null;
const readPasted = async () => {
  const text = $("paste").value;
  if (!text.includes("\n")) return;
  const its = newSheet("", true);
  const said = await ask("/read", text);
  if (its === sheet) $("status").textContent = take(said, "");
};
$("paste").addEventListener("input", () => { clearTimeout(pasting); pasting = setTimeout(readPasted, 300); });
$("example").onclick = async () => {
  const its = newSheet("");
  const text = await (await fetch("/page/example.md")).text();
  const said = await ask("/read?name=example.md", text);
  if (its !== sheet) return;
  $("status").textContent = take(said, "example.md");
  if (said.error) return;
  for (const [id, value] of [["p", "38"], ["n", "262"]]) $(id).value = value;
  readExperiment();
};

const themes = ["auto", "light", "dark"];
const setTheme = (name) => {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  $("theme").textContent = `Theme: ${name}`;
  localStorage.setItem("scoreproof-theme", name);
};
setTheme(themes.includes(localStorage.getItem("scoreproof-theme")) ? localStorage.getItem("scoreproof-theme") : "auto");
$("theme").onclick = () => setTheme(themes[(themes.indexOf(localStorage.getItem("scoreproof-theme")) + 1) % themes.length]);

const words = await (await fetch("/words")).json();
state.words = words;
$("file").accept = words.files.join(",");
claimForm(words.claims, (claim) => { (state.rest.claims ??= []).push(claim); soon(0); }, (place) => { state.rest.claims.splice(place, 1); soon(0); });
