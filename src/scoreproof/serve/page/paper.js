// The paper at the left: its pages as pictures, or its text, with the sentences that say how many cases there were.
// A sentence is clicked, or dragged, onto a table; with the keyboard, Enter on it and Enter on the table.
import { $, button, element, paper, table } from "/page/common.js";
import { named } from "/page/experiments.js";

const MOST_PARAGRAPHS = 3000;
let picked = null;
export const takePicked = () => {
  const was = picked;
  pick(null);
  return was;
};
const WHICH = "Which table is this sentence about? Choose it; Esc leaves it.";
const pick = (sentence) => {
  picked = sentence;
  if (!sentence && $("status").textContent === WHICH) $("status").textContent = "";
  $("side").classList.toggle("waiting", Boolean(sentence));
  for (const made of document.querySelectorAll("#sheets .mark")) made.setAttribute("aria-pressed", String(Boolean(sentence) && made.sentence === sentence));
};
document.addEventListener("keydown", (event) => event.key === "Escape" && pick(null));

const mark = (sentence, words, put) => {
  const made = button(words, () => {
    const useful = paper().tables.filter((entry) => entry.useful);
    pick(picked === sentence ? null : sentence);
    if (!picked) return;
    if (useful.length === 1) return put(paper().tables.indexOf(useful[0]));
    $("status").textContent = WHICH;
    $("tables").querySelector("button").focus();
  }, `${sentence.sentence} Use it for a table`);
  made.className = "mark";
  made.sentence = sentence;
  made.draggable = true;
  made.ondragstart = () => pick(sentence);
  return made;
};

// a button around the lines of a sentence, of which these alone are clicked
const boxed = (sentence, put) => {
  const made = mark(sentence, "", put);
  const sides = sentence.boxes.map(([x, y, width, height]) => [x, y, x + width, y + height]);
  const [left, top, right, bottom] = [Math.min, Math.min, Math.max, Math.max].map((outer, k) => outer(...sides.map((side) => side[k])));
  const place = (box, [x0, y0, x1, y1], [x, y, wide, high]) => Object.assign(box.style, { left: `${(100 * (x0 - x)) / wide}%`, top: `${(100 * (y0 - y)) / high}%`, width: `${(100 * (x1 - x0)) / wide}%`, height: `${(100 * (y1 - y0)) / high}%` });
  place(made, [left, top, right, bottom], [0, 0, 1, 1]);
  for (const side of sides) {
    const line = element("span");
    place(line, side, [left, top, right - left, bottom - top]);
    made.append(line);
  }
  return made;
};

const pages = (put) => Array.from({ length: paper().pages }, (_, k) => {
  const made = element("figure", "", "page");
  const image = element("img");
  Object.assign(image, { loading: "lazy", alt: `page ${k + 1}`, src: `/papers/${paper().paper}/${k + 1}` });
  made.append(image, ...paper().sentences.filter((sentence) => sentence.page === k + 1 && sentence.boxes.length).map((sentence) => boxed(sentence, put)));
  return made;
});

const paragraphs = (put, shown) => paper().paragraphs.slice(0, MOST_PARAGRAPHS).map(([text]) => {
  const made = element("p");
  for (const sentence of paper().sentences.filter((sentence) => text.includes(sentence.sentence) && !shown.has(sentence))) {
    const [before, ...after] = text.split(sentence.sentence);
    made.append(before, mark(sentence, sentence.sentence, put));
    shown.add(sentence);
    text = after.join(sentence.sentence);
  }
  made.append(text);
  return made;
});

export const drawPaper = (put) => {
  const shown = new Set(paper().sentences.filter((sentence) => sentence.boxes.length));
  const whole = paper().pages ? pages(put) : paragraphs(put, shown);
  const others = paper().sentences.filter((sentence) => !shown.has(sentence)).map((sentence) => {
    const line = element("p", sentence.place ? `${sentence.place}: ` : "");
    line.append(mark(sentence, sentence.sentence, put));
    return line;
  });
  $("paper").hidden = !whole.length && !others.length;
  $("sheets").replaceChildren(...others, ...whole);
};

export const showUsed = () => {
  const names = named(table());
  for (const made of document.querySelectorAll("#sheets .mark")) made.classList.toggle("used", made.sentence.experiments.some((name) => names.some((own) => own === name || own.startsWith(`${name}, `))));
};

export const scrollToTable = () => {
  const page = Number(/page (\d+)/.exec(table().where)?.[1]);
  const at = page && $("sheets").querySelectorAll(".page")[page - 1];
  if (at) $("sheets").scrollTo({ top: at.offsetTop });
};
