// The local page: reads what is dropped, shows what was found and the paper beside its tables, makes reports.
import { $, ask, button, element, paper, post, randomName, state, table } from "/page/common.js";
import { claimForm, showClaims } from "/page/claims.js";
import { FIELDS, answers, assign, assumedBy, datasetsOf, named, showExperiment, typed } from "/page/experiments.js";
import { drawPaper, scrollToTable, showUsed, takePicked } from "/page/paper.js";
import { drawTable, showVerdicts } from "/page/table.js";

const specification = (tables) => {
  const rest = paper().rest;
  const names = tables.map((entry) => entry.part.name);
  const claims = (rest.claims || []).filter((claim) => !claim.table || names.includes(claim.table));
  const made = { ...rest, claims, tables: tables.map((entry) => entry.part) };
  if (Object.keys(rest.hypotheses || {}).length) return made; // they name data sets and experiments, too
  const experiments = new Set(tables.flatMap(named));
  const datasets = new Set([...experiments].flatMap(datasetsOf));
  for (const [key, used] of [["experiments", experiments], ["datasets", datasets]]) {
    made[key] = Object.fromEntries(Object.entries(made[key] || {}).filter(([name]) => used.has(name)));
  }
  return made;
};
const wanted = () => {
  const useful = paper().tables.filter((entry) => entry.useful || entry.part.columns);
  return useful.length ? useful : [table()];
};

// ---- sheets: a drop, a pasted table, an example begins a new one, on which nothing of the last one stays ----

let sheet = "";
let saving = null;
const save = () => {
  clearTimeout(saving);
  const { papers, current } = state;
  if (papers.length) saving = setTimeout(ask, 300, `/sheets/${sheet}`, JSON.stringify({ papers, current }));
};
const begin = (name, { papers = [], current = 0 } = {}) => {
  clearTimeout(typing);
  clearTimeout(pasting);
  reading?.abort();
  reportOver("");
  Object.assign(state, { papers, current });
  sheet = name;
  $("claim").reset();
  $("claim-kind").dispatchEvent(new Event("change"));
  drawn = "";
  for (const id of ["verdict", "wanted", "cards", "other-sizes", "grid", "checks", "claims", "downloads"]) $(id).replaceChildren();
  show();
};
const newSheet = (words, pasted = false) => {
  begin(randomName());
  if (!pasted) $("paste").value = "";
  $("status").textContent = words;
  history.pushState(null, "", `#${sheet}`);
  return sheet;
};
const openSheet = async () => {
  const name = location.hash.slice(1);
  if (name === sheet || !/^[0-9a-f]{8,32}$/.test(name)) return;
  const answer = await fetch(`/sheets/${name}`);
  if (answer.ok) begin(name, await answer.json());
};
window.addEventListener("popstate", openSheet);

// ---- reading ----

const base64 = (buffer) => {
  let text = "";
  const bytes = new Uint8Array(buffer);
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
};

// a paper of an answer, and what is to be said of it
const take = (opened, name) => {
  if (opened.error) return opened.error;
  const useful = opened.tables.findIndex((entry) => entry.useful);
  state.papers.push({ ...opened, name: name || "the pasted table", table: Math.max(useful, 0) });
  show();
  const problems = opened.problems.length ? ` ${opened.problems.join("; ")}` : "";
  return `${opened.tables.length} table${opened.tables.length === 1 ? "" : "s"} read${name ? ` from ${name}` : ""}.${problems}`;
};

const kindOf = async (file) => {
  if (!/\.(json|ya?ml)$/i.test(file.name)) return "paper";
  const text = await file.text();
  if (/"(proof|certificate)"\s*:/.test(text) && /"statement"\s*:/.test(text)) return "certificate";
  return /(^|\n)\s*"?tables"?\s*:/.test(text) && !/model-index/.test(text) ? "specification" : "paper";
};

let reading = null; // what is being read can be cancelled
const read = async (address, body, name) => {
  const own = (reading = new AbortController());
  const told = ([done, all, what]) => {
    Object.assign($("pages"), { max: Math.max(all, 1), value: done });
    $("status").textContent = `${name}: ${done} of ${all} ${what === "pages read" ? what : "rows checked"}`;
  };
  $("reading").hidden = false;
  $("pages").removeAttribute("value");
  const answer = await ask(address, body, { told, signal: own.signal });
  if (reading === own) $("reading").hidden = true;
  return answer;
};
$("stop").onclick = () => reading?.abort();

const readFiles = async (files) => {
  const kinds = await Promise.all(files.map(kindOf));
  const chosen = files.filter((_, k) => kinds[k] === "specification");
  if (chosen.length) return openSpecification(chosen[0], files.filter((file) => file !== chosen[0]));
  const its = kinds.includes("paper") ? newSheet("") : sheet; // a certificate is re-checked beside what is open
  const words = [];
  for (const [k, file] of files.entries()) {
    $("status").textContent = [...words, `Reading ${file.name} …`].join("\n");
    const certificate = kinds[k] === "certificate";
    const answer = await read(`${certificate ? "/verify" : "/read"}?name=${encodeURIComponent(file.name)}`, file, file.name);
    if (its !== sheet) return;
    words.push(!certificate ? take(answer, file.name) : answer.error || `${answer.valid ? "✓" : "✗"} ${file.name}: ${answer.words}`);
  }
  $("status").textContent = words.join("\n");
  if (state.papers.length > 1) {
    state.current = worstFirst()[0];
    show();
  }
};

const openSpecification = async (file, others) => {
  const its = newSheet(`Opening ${file.name} …`);
  const beside = {};
  for (const other of others) beside[other.name] = base64(await other.arrayBuffer());
  const answer = await post("/open", { text: await file.text(), files: beside });
  if (its === sheet) $("status").textContent = take(answer, file.name);
};

// ---- showing ----

const GRAVE = ["inconsistent", "question", "undecided", "consistent"];
const verdictOf = (opened) => {
  const rows = opened.tables.flatMap((each) => (each.told?.rows || []).map((row) => row.outcome).concat((each.told?.cards || []).map((card) => card.verdict)));
  return GRAVE.find((verdict) => rows.includes(verdict)) || "not tested";
};
const cardsOf = (opened) => [...opened.tables.flatMap((each) => each.told?.cards || []), ...(opened.cards || []), ...(opened.claimed || [])].sort((a, b) => GRAVE.indexOf(a.verdict) - GRAVE.indexOf(b.verdict));

const worstFirst = () => {
  const ranks = state.papers.map((opened) => [...GRAVE, "not tested"].indexOf(verdictOf(opened)));
  return [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b] || a - b);
};
const showIndex = () => {
  $("index").hidden = state.papers.length < 2;
  redraw("papers", worstFirst().map((k) => {
    const opened = state.papers[k];
    const line = element("tr");
    const name = element("th");
    name.scope = "row";
    name.append(button(opened.name, () => { state.current = k; show(); }));
    name.firstChild.setAttribute("aria-pressed", String(k === state.current));
    const words = element("td");
    words.append(cardsOf(opened)[0]?.headline || opened.headline || "not looked at yet");
    line.append(name, element("td", verdictOf(opened), `sign-words ${verdictOf(opened)}`), words);
    return line;
  }));
};

// what the buttons of a card do, by their order
const acts = [
  async (card) => {
    await navigator.clipboard.writeText(card.review);
    return "Copied.";
  },
  async (card) => {
    const answer = await ask("/verify?name=the proof", card.certificate);
    return answer.error || `${answer.valid ? "✓" : "✗"} ${answer.words}`;
  },
];
let drawn = "";
const showFindings = () => {
  const cards = cardsOf(paper()).map((card) => {
    const entry = paper().tables.find((each) => each.told?.cards.includes(card));
    return [card, entry, entry ? assumedBy(entry, card.quotes) : []];
  });
  $("findings").hidden = !cards.length;
  const now = JSON.stringify(cards.map(([card, , names]) => [card.html, names]));
  if (now === drawn) return; // what somebody unfolded stays so
  drawn = now;
  $("cards").replaceChildren(...cards.map(([card, entry, names]) => {
    const made = element("div", "", "found");
    made.innerHTML = card.html; // made by the server, which escapes what it quotes; the page runs no script in it
    made.places = card.places;
    made.querySelectorAll(".actions button").forEach((act, k) => {
      act.onclick = async () => { made.querySelector(".actions [role=status]").textContent = await acts[k](card); };
    });
    if (names.length === 1) made.querySelector(".actions").prepend(...answers(entry, names[0], () => { paper().table = paper().tables.indexOf(entry); changed(); }), " ");
    return made;
  }));
  if (document.querySelector("#cards [data-plane]")) $("cards").append(Object.assign(element("script"), { src: "/page/plane.js" }));
};

// new buttons for old ones; whoever is at one with the keyboard stays there
const redraw = (id, made) => {
  const at = [...$(id).querySelectorAll("button")].indexOf(document.activeElement);
  $(id).replaceChildren(...made);
  $(id).querySelectorAll("button")[at]?.focus();
};
const showTables = () => {
  redraw("tables", paper().tables.map((entry, k) => {
    const made = button(`${entry.part.name}${entry.useful ? "" : " (no scores)"}`, () => put(k));
    made.title = `${entry.where}. ${entry.part.caption || ""}`;
    made.className = entry.told?.other_sizes.length ? "denied" : "";
    made.setAttribute("aria-pressed", String(k === paper().table));
    made.ondragover = (event) => event.preventDefault();
    made.ondrop = (event) => { event.preventDefault(); event.stopPropagation(); put(k); };
    return made;
  }));
};
// choose a table; a sentence that was clicked before says how many cases it is of
const put = (k) => {
  const sentence = takePicked();
  paper().table = k;
  if (sentence) assign(table(), sentence.experiments);
  showTable(Boolean(sentence));
  scrollToTable();
};

const showTold = () => {
  const entry = table();
  const told = entry.told || { rows: [], checks: [], other_sizes: [], faults: [] };
  $("verdict").className = `headline ${verdictOf(entry.headline ? { tables: [entry] } : paper())}`;
  $("verdict").textContent = entry.error || entry.headline || paper().headline || "";
  $("wanted").replaceChildren(...(entry.wanted || paper().wanted || []).map((words) => element("li", words)));
  $("caption").className = told.other_sizes.length ? "denied" : "";
  $("other-sizes").replaceChildren(...told.other_sizes.map((words) => element("p", words)));
  showFindings();
  showVerdicts(entry.part.name, told);
  $("checks").replaceChildren(...told.checks.map((check) => element("li", check[1], check[0])));
  showClaims(entry.claims || paper().claims || [], (paper().rest.claims || []).length);
  showTables();
  showIndex();
};

const showTable = (again = false) => {
  const entry = table();
  $("caption").textContent = entry.part.caption || "";
  const notes = [...(entry.notes || []), ...(entry.assumptions || []), ...(entry.unread || []).map((cell) => `not read: ${cell.raw} (${cell.why})`)];
  $("notes").hidden = !notes.length;
  $("note-list").replaceChildren(...notes.map((note) => element("li", note)));
  showExperiment(entry, changed);
  drawTable(entry, state.words.meanings, soon);
  showUsed();
  showTold();
  if (again || entry.stale || !entry.told) soon(0);
  save();
};
const changed = () => showTable(true);

const show = () => {
  $("work").hidden = !state.papers.length;
  $("title").textContent = paper()?.rest.title || "Could this experiment have produced these numbers?";
  $("start").open = !state.papers.length;
  if (!state.papers.length) {
    $("index").hidden = $("findings").hidden = true;
    return;
  }
  drawPaper(put);
  showTable();
};

// ---- verdicts while typing ----

let typing = null;
let looks = 0;
const soon = (wait = 150) => {
  clearTimeout(typing);
  table().stale = true;
  typing = setTimeout(look, typeof wait === "number" ? wait : 150);
};
// Asks about the table that is shown, then about others that were changed and left before their answer came.
const look = async () => {
  const its = paper();
  const entry = table().stale ? table() : its.tables.find((each) => each.stale);
  if (!entry) return;
  const own = ++looks;
  entry.stale = false;
  $("verdict").setAttribute("aria-busy", "true");
  const answer = await post("/look", specification([entry]));
  if (own === looks) $("verdict").removeAttribute("aria-busy");
  if (own !== looks || its !== paper()) {
    entry.stale = true; // asked again when it is shown, or when nothing else is asked
    return;
  }
  entry.error = answer.error;
  entry.told = answer.tables?.[0];
  entry.claims = answer.claims;
  its.claimed = answer.cards;
  entry.wanted = answer.wanted;
  entry.headline = its.tables.length > 1 && answer.headline ? `${entry.part.name}: ${answer.headline}` : answer.headline;
  showTold();
  save();
  look();
};

// ---- the report ----

const FILES = { "report.html": "HTML", "report.tex": "LaTeX", "report.txt": "text", "report.json": "JSON", "certificates.zip": "certificates", "paper.scoreproof.yaml": "specification" };
let reporting = null; // can be cancelled
const reportOver = (words) => {
  reporting?.abort();
  reporting = null;
  $("cancel").hidden = $("progress").hidden = $("downloads").hidden = true;
  $("report").disabled = false;
  $("report-status").textContent = words;
};

const makeReport = async () => {
  const own = (reporting = new AbortController());
  $("report").disabled = true;
  $("cancel").hidden = $("progress").hidden = false;
  $("downloads").hidden = true;
  $("progress").removeAttribute("value");
  const told = (step) => {
    if (!Array.isArray(step)) return void ($("report-status").textContent = step);
    const [done, all, label] = step;
    Object.assign($("progress"), { max: Math.max(all, 1), value: done });
    $("report-status").textContent = `${done} of ${all} rows${label ? `: ${label}` : ""}`;
  };
  const answer = await ask("/reports", JSON.stringify(specification(wanted())), { told, signal: own.signal });
  if (reporting !== own) return;
  reportOver(answer.error || answer.headline);
  if (answer.error) return;
  $("downloads").replaceChildren(...Object.entries(FILES).map(([file, words]) => {
    const line = element("li");
    if (file === "report.html") line.append(link(`/reports/${answer.report}/${file}`, "Open the report"), " ");
    line.append(link(`/reports/${answer.report}/${file}?save`, `Save ${words}`, file));
    return line;
  }));
  $("downloads").hidden = false;
};
const link = (address, words, file = "") => {
  const made = element("a", words);
  made.href = address;
  if (file) made.download = file;
  else made.target = "_blank";
  return made;
};

$("report").onclick = makeReport;
$("cancel").onclick = () => reporting?.abort();
$("save-specification").onclick = async () => {
  const answer = await fetch("/specification", { method: "POST", body: JSON.stringify(specification(wanted())), headers: { "x-scoreproof": "1" } });
  const made = link(URL.createObjectURL(await answer.blob()), "", "paper.scoreproof.yaml");
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 60000);
};

// ---- what people do ----

for (const id of FIELDS) {
  $(id).addEventListener("input", () => {
    typed(table());
    showExperiment(table(), changed, true);
    showUsed();
    soon();
  });
}
$("rounding").addEventListener("input", () => {
  paper().rest.options = { ...paper().rest.options, rounding: $("rounding").value };
  for (const each of paper().tables) each.stale = Boolean(each.told);
  soon();
});
$("file").onchange = () => { readFiles([...$("file").files]); $("file").value = ""; };
const over = (event) => { event.preventDefault(); $("drop").classList.toggle("over", event.type === "dragover"); };
for (const name of ["dragover", "dragleave"]) document.addEventListener(name, over);
document.addEventListener("drop", (event) => {
  over(event);
  if (event.dataTransfer.files.length) readFiles([...event.dataTransfer.files]);
});
let pasting = null;
const readPasted = async () => {
  const text = $("paste").value;
  if (!text.includes("\n")) return;
  const its = newSheet("", true);
  const answer = await read("/read", text, "the table");
  if (its === sheet) $("status").textContent = take(answer, "");
};
$("paste").addEventListener("input", () => { clearTimeout(pasting); pasting = setTimeout(readPasted, 300); });
$("example").onclick = async () => {
  const its = newSheet("");
  const text = await (await fetch("/page/example.md")).text();
  const answer = await read("/read?name=example.md", text, "the example");
  if (its === sheet) $("status").textContent = take(answer, "example.md");
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
claimForm(words.claims, (claim) => { (paper().rest.claims ??= []).push(claim); soon(0); }, (place) => { paper().rest.claims.splice(place, 1); soon(0); });
await openSheet();
