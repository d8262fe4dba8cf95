// The table as it was read: every cell can be changed, every heading says what its column holds.
import { $, button, element } from "/page/common.js";

const MOST_ROWS = 300; // rows that are drawn; all are tested
const SIGNS = { consistent: "✓", inconsistent: "✗", question: "≠", undecided: "?", "not tested": "–", error: "!" };

const field = (text, label, changed) => {
  const made = document.createElement("input");
  made.value = text;
  made.size = Math.min(Math.max(text.length, 6), 28);
  made.setAttribute("aria-label", label);
  made.spellcheck = false;
  made.addEventListener("input", () => changed(made.value));
  return made;
};

const meaning = (entry, column, meanings, changed) => {
  const made = document.createElement("select");
  const text = column.text || entry.part.grid[entry.part.header_rows - 1][column.index];
  made.setAttribute("aria-label", `what ${text || `column ${column.index + 1}`} holds`);
  const now = entry.part.columns?.[text] ?? column.means;
  for (const name of new Set([now, ...meanings])) made.append(new Option(name, name, false, name === now));
  made.onchange = () => {
    (entry.part.columns ??= {})[text] = made.value;
    if (entry.part.untested) {
      delete entry.part.untested;
      entry.part.experiment ??= ["one test set"];
    }
    changed();
  };
  return made;
};

export const drawTable = (entry, meanings, changed) => {
  const { grid, header_rows: heads } = entry.part;
  const unread = new Set((entry.unread || []).map((cell) => `${cell.row},${cell.column}`));
  const bold = new Set((entry.part.bold || []).map(([row, column]) => `${row - 1},${column - 1}`));
  const edit = (row, column, label) => field(grid[row][column], label, (value) => { grid[row][column] = value; changed(); });
  const head = element("thead");
  const body = element("tbody");
  grid.slice(0, heads + MOST_ROWS).forEach((cells, row) => {
    const line = element("tr");
    line.dataset.row = row;
    cells.forEach((text, column) => {
      const cell = element(row < heads ? "th" : "td");
      if (row < heads) cell.scope = "col";
      const name = grid[Math.max(heads - 1, 0)][column];
      cell.append(edit(row, column, row < heads ? `heading ${column + 1}` : `row ${row - heads + 1}, ${name || `column ${column + 1}`}`));
      if (row === heads - 1 && !entry.transposed) {
        const known = entry.columns.find((known) => known.index === column);
        if (known) cell.append(meaning(entry, known, meanings, changed));
      }
      if (unread.has(`${row},${column}`)) cell.classList.add("unread");
      if (bold.has(`${row},${column}`)) cell.classList.add("bold");
      line.append(cell);
    });
    if (row === heads - 1) line.append(...[["Verdict", "outcome"], ["Why", "why"]].map(([text, kind]) => Object.assign(element("th", text, kind), { scope: "col" })));
    else if (row < heads) line.append(element("th"), element("th"));
    else line.append(element("td", "", "outcome"), element("td", "", "why"));
    (row < heads ? head : body).append(line);
  });
  $("grid").replaceChildren(head, body);
  const left = grid.length - heads - MOST_ROWS;
  $("more").textContent = left > 0 ? `${left} more rows are tested and not shown here; the report has them.` : "";
};

// Cells at fault are red, not the whole row; those of a row that fits are green.
export const showVerdicts = (name, { rows, faults }) => {
  const lines = new Map([...$("grid").querySelectorAll("tbody tr")].map((line) => [Number(line.dataset.row), line]));
  for (const line of lines.values()) {
    for (const cell of line.querySelectorAll("td.used")) cell.classList.remove("used", "consistent", "inconsistent", "question");
    line.querySelector(".outcome").replaceChildren();
    line.querySelector(".why").replaceChildren();
  }
  const colour = ([at, column], verdict) => lines.get(at)?.cells[column]?.classList.add("used", verdict);
  for (const row of rows) {
    const line = lines.get(row.row);
    if (!line) continue;
    const words = `${SIGNS[row.outcome]} ${row.outcome}`;
    const card = [...document.querySelectorAll("#cards .found")].find((made) => made.places.some(([table, at]) => table === name && at === row.row));
    const sign = card ? button(words, () => card.scrollIntoView({ block: "center" }), `${row.name}: ${row.outcome}. Show the finding`) : element("span", words);
    sign.className = `sign-words ${row.outcome}`;
    line.querySelector(".outcome").append(sign);
    line.querySelector(".why").append(element("div", row.words));
    if (row.outcome === "consistent") for (const cell of row.cells) colour(cell, "consistent");
  }
  for (const [at, column, verdict] of faults) colour([at, column], verdict);
};
