// Themes for every page; for an audit also cards on hover and focus, arrow keys in tables, saving certificates.
// Text is only ever set as text.
(() => {
  "use strict";
  const data = document.getElementById("cards");
  const { lines, cards } = data ? JSON.parse(data.textContent) : { lines: [], cards: [] };
  const box = document.getElementById("card");
  const symbols = { consistent: "✓", inconsistent: "✗", question: "≠", undecided: "?", "not tested": "–", error: "!" };
  const words = { error: "not checked" };
  const marked = ".paper [data-c], .paper [data-n]";
  let shown = null;

  const line = (text, kind) => {
    const p = document.createElement("p");
    p.textContent = text;
    if (kind) p.className = kind;
    return p;
  };

  const fill = (cell) => {
    if (cell.dataset.n) {
      box.replaceChildren(line(cell.dataset.n));
      return;
    }
    const [row, place] = cell.dataset.c.split(".").map(Number);
    const [outcome, name, sentences, cells, anchor] = cards[row];
    const head = line(`${symbols[outcome]} ${words[outcome] || outcome}`, `name ${outcome}`);
    head.append(` · ${name}`);
    box.replaceChildren(head, line(lines[cells[place]], "num"), ...sentences.map((number) => line(lines[number])));
    if (anchor) box.append(line("Click or Enter: the finding", "quiet"));
  };

  const show = (cell) => {
    if (shown === cell) return;
    hide();
    shown = cell;
    fill(cell);
    box.hidden = false;
    cell.setAttribute("aria-describedby", "card");
    const at = cell.getBoundingClientRect();
    const width = box.offsetWidth;
    const height = box.offsetHeight;
    const page = document.documentElement.clientWidth;
    const left = Math.max(8, Math.min(at.left + at.width / 2 - width / 2, page - width - 8));
    const below = at.bottom + 8;
    const fits = below + height <= window.innerHeight || at.top - height - 8 < 0;
    box.style.left = `${left + window.scrollX}px`;
    box.style.top = `${(fits ? below : at.top - height - 8) + window.scrollY}px`;
  };

  const hide = () => {
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
    if (box) box.hidden = true;
  };

  const anchorOf = (cell) => (cell.dataset.c ? cards[Number(cell.dataset.c.split(".")[0])][4] : "");

  const reveal = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let up = target; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    hide();
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "start" });
  };

  const follow = (cell) => {
    const id = anchorOf(cell);
    if (!id) return;
    history.pushState(null, "", `#${id}`);
    reveal(id);
  };

  // One stop per table for the tab key; the arrow keys go from cell to cell.
  for (const table of document.querySelectorAll("table.paper")) {
    const first = table.querySelector("[data-c], [data-n]");
    if (first) first.tabIndex = 0;
  }

  const step = (cell, down, across) => {
    let line = cell.parentElement;
    const here = [...line.children].indexOf(cell);
    if (across) {
      const cells = [...line.children];
      for (let k = here + across; k >= 0 && k < cells.length; k += across) if (cells[k].matches(marked)) return cells[k];
      return null;
    }
    const left = cell.offsetLeft;
    while ((line = down > 0 ? line.nextElementSibling : line.previousElementSibling)) {
      const same = [...line.children].filter((cell) => cell.matches(marked));
      if (same.length) return same.reduce((a, b) => (Math.abs(b.offsetLeft - left) < Math.abs(a.offsetLeft - left) ? b : a));
    }
    return null;
  };

  const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const cell = event.target.closest && event.target.closest(marked);
    if (!cell || event.target.closest("summary")) return;
    if (event.key === "Enter") follow(cell);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const next = step(cell, ...move);
    if (next) {
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  });
  document.addEventListener("mouseover", (event) => {
    const cell = event.target.closest && event.target.closest(marked);
    if (cell) show(cell);
    else if (shown && shown !== document.activeElement) hide();
  });
  document.addEventListener("focusin", (event) => {
    const cell = event.target.closest && event.target.closest(marked);
    if (cell && event.target === cell) show(cell);
    else hide();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.save, button.copy");
    if (button) (button.dataset.copy ? copy : save)(button);
    const cell = event.target.closest(marked);
    if (String(getSelection())) return; // someone marks text to copy it
    if (cell && !event.target.closest("details") && !matchMedia("(hover: none)").matches) follow(cell);
    else if (cell) show(cell);
  });
  document.addEventListener("scroll", (event) => event.target.classList && event.target.classList.contains("box") && hide(), true);
  window.addEventListener("hashchange", () => reveal(decodeURIComponent(location.hash.slice(1))));
  if (location.hash) reveal(decodeURIComponent(location.hash.slice(1)));

  // Rows of long tables are data; those that match a search become lines, as many as are read at once.
  const most = 200;
  const restData = document.getElementById("rest");
  const rest = restData ? JSON.parse(restData.textContent) : { lines: [], tables: [] };

  const restLine = ([outcome, name, printed, why, anchor]) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    const link = document.createElement(anchor ? "a" : "span");
    if (anchor) link.href = `#${anchor}`;
    link.textContent = name;
    head.append(link);
    const cells = [`${symbols[outcome]} ${words[outcome] || outcome}`, printed, rest.lines[why]].map((text) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      return cell;
    });
    cells[0].className = `outcome ${outcome}`;
    row.append(head, ...cells);
    return row;
  };

  for (const area of document.querySelectorAll(".search")) {
    const rows = rest.tables[Number(area.dataset.rest)];
    const input = area.querySelector("input");
    const status = area.querySelector("[role=status]");
    const table = area.querySelector(".box");
    let texts = null;
    const search = () => {
      texts ||= rows.map(([outcome, name, printed, why]) => `${outcome} ${name} ${printed} ${rest.lines[why]}`.toLowerCase());
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = [];
      let count = 0;
      texts.forEach((text, place) => {
        if (!wanted.every((word) => text.includes(word))) return;
        if (count++ < most) matches.push(rows[place]);
      });
      table.querySelector("tbody").replaceChildren(...matches.map(restLine));
      table.hidden = !count;
      status.textContent = `${count.toLocaleString("en")} match${count > most ? `, the first ${most} are shown` : ""}.`;
    };
    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, 150);
    });
    area.querySelector(".scripted").hidden = false;
    status.textContent = "Words of a row, its verdict or its scores.";
  }

  // Pages from disk may have no clipboard: then the text is shown, marked, to be copied by hand.
  const copy = async (button) => {
    const text = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      let area = button.parentElement.querySelector("textarea");
      if (!area) {
        area = document.createElement("textarea");
        area.readOnly = true;
        area.rows = 6;
        area.setAttribute("aria-label", "Text for the review");
        area.value = text;
        button.parentElement.append(area);
      }
      area.select();
    }
  };

  const save = ({ dataset: { file: name } }) => {
    const certificate = [...document.querySelectorAll("script.certificate")].find((script) => script.dataset.file === name);
    if (!certificate) return;
    const url = URL.createObjectURL(new Blob([certificate.textContent], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  };

  // A heading of a list of papers sorts it; numbers by value, texts by their letters, a second click turns it around.
  const order = (head) => {
    const table = head.closest("table");
    const column = [...head.parentElement.children].indexOf(head);
    const down = head.getAttribute("aria-sort") === "descending";
    for (const other of head.parentElement.children) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "ascending" : "descending");
    const text = (row) => row.children[column].textContent.trim();
    const compare = head.classList.contains("num") ? (a, b) => parseFloat(text(b)) - parseFloat(text(a)) : (a, b) => text(a).localeCompare(text(b));
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort((a, b) => (down ? -compare(a, b) : compare(a, b))));
  };
  const filter = document.getElementById("filter");
  if (filter) {
    const rows = [...document.querySelectorAll("table.sortable tbody tr")];
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        left += row.hidden ? 0 : 1;
      }
      document.getElementById("shown").textContent = words.length ? `${left} of ${rows.length}` : "";
    });
  }
  for (const head of document.querySelectorAll("table.sortable thead th")) {
    head.tabIndex = 0;
    head.addEventListener("click", () => order(head));
    head.addEventListener("keydown", (event) => event.key === "Enter" && order(head));
  }

  const theme = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  const store = (value) => {
    try {
      return value ? localStorage.setItem("scoreproof-theme", value) : localStorage.getItem("scoreproof-theme");
    } catch {
      return null; // a page from disk may have no storage
    }
  };
  const apply = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    theme.textContent = `Theme: ${name}`;
  };
  let chosen = themes.includes(store()) ? store() : "auto";
  apply(chosen);
  theme.hidden = false;
  theme.addEventListener("click", () => {
    chosen = themes[(themes.indexOf(chosen) + 1) % themes.length];
    apply(chosen);
    store(chosen);
  });
})();
