// How many cases the rows of a table are of: what was read of the text, what somebody stands for, what somebody types.
// What the text says is assumed and accuses nobody: what is impossible under it alone is a question.
import { $, button, element, paper } from "/page/common.js";

const OPEN = "one test set"; // of which nothing is known
const PARTS = ["groups", "rows"]; // of a table that may be of other cases
const FIELDS = ["p", "n", "total", "folds", "repeats", "stratified", "aggregation"];
const list = (value) => (value === undefined || value === null ? [] : [].concat(value));
const experiments = () => paper().rest.experiments;
const sized = (name) => !name.startsWith(OPEN);

export const named = (entry) => [...new Set([list(entry.part.experiment), ...PARTS.flatMap((key) => Object.values(entry.part[key] || {}))].flat(2))];
export const datasetsOf = (name) => list(experiments()[name]?.dataset);

const each = (entry, change) => {
  if (entry.part.experiment) entry.part.experiment = change(list(entry.part.experiment));
  for (const key of PARTS.filter((part) => entry.part[part])) {
    entry.part[key] = Object.fromEntries(Object.entries(entry.part[key]).map(([label, names]) => [label, change(list(names))]));
  }
};
const forAll = (entry, names) => {
  for (const key of PARTS) delete entry.part[key];
  delete entry.part.untested;
  entry.part.experiment = names;
};

// Sizes belong to a table: what is said at one changes no other.
const own = (entry, wanted, experiment, dataset) => {
  let name = entry.own || wanted;
  while (name !== entry.own && (experiments()[name] || paper().rest.datasets[name])) name += "'";
  entry.own = name;
  if (dataset) paper().rest.datasets[name] = dataset;
  experiments()[name] = dataset ? { ...experiment, dataset: name } : experiment;
  return name;
};

// a sentence may count cases and objects: what a table is of, it stays
export const assign = (entry, names) => {
  const isTree = (name) => Boolean(experiments()[name].tree);
  const alike = names.filter((name) => isTree(name) === named(entry).some(isTree));
  forAll(entry, alike.length ? alike : [...names]);
};
const isRight = (entry, name) => {
  const { assumed, ...experiment } = structuredClone(experiments()[name]);
  const copied = own(entry, `${name}, ${entry.part.name}`, experiment, structuredClone(paper().rest.datasets[datasetsOf(name)[0]]));
  each(entry, (names) => (names.includes(name) ? [copied] : names));
};
const isAnother = (entry, name) => each(entry, (names) => {
  const left = names.filter((other) => other !== name);
  return left.length ? left : [OPEN];
});

// the buttons beside what was read of a sentence
export const answers = (entry, name, changed) => {
  const { assumed } = experiments()[name] || {};
  const act = (words, change) => button(words, () => { change(entry, name); changed(); }, `${words}: ${assumed || name}`);
  return [...(assumed ? [" ", act("This is right", isRight)] : []), " ", act("Another set", isAnother)];
};
export const assumedBy = (entry, quotes) => named(entry).filter((name) => experiments()[name]?.assumed && paper().sentences.some((sentence) => quotes.includes(sentence.sentence) && sentence.experiments.includes(name)));

const plain = (entry) => {
  const names = named(entry);
  const { tree, dataset } = experiments()[names[0]] || {};
  const data = list(dataset);
  const known = data.length === 1 ? paper().rest.datasets[data[0]] : null;
  return names.length === 1 && !tree && known && Object.keys(known).every((key) => ["p", "n", "total", "note"].includes(key)) ? { ...known, ...experiments()[names[0]] } : null;
};

export const typed = (entry) => {
  const value = (id) => $(id).value.trim();
  entry.read ??= structuredClone({ experiment: entry.part.experiment, groups: entry.part.groups, rows: entry.part.rows });
  if (!["p", "n", "total", "folds"].some(value)) {
    forAll(entry, entry.read.experiment ?? [OPEN]);
    for (const key of PARTS) if (entry.read[key]) entry.part[key] = entry.read[key];
    return;
  }
  const { p, n, total, assumed, dataset, folds, repeats, stratified, aggregation, runs, ...more } = plain(entry) || {};
  const sizes = value("p") || value("n") || !value("total") ? { p: value("p") || "unknown", n: value("n") || "unknown" } : { total: value("total") };
  const experiment = value("folds") ? { ...more, folds: value("folds"), stratified: value("stratified"), aggregation: value("aggregation") } : { ...more, ...(runs ? { runs } : {}) };
  if (value("folds") && value("repeats")) experiment.repeats = value("repeats");
  forAll(entry, [own(entry, entry.part.name, experiment, sizes)]);
};

export const showExperiment = (entry, changed, typing) => {
  const values = plain(entry) || {};
  if (!typing) {
    for (const id of FIELDS) {
      const value = values[id] === undefined || values[id] === "unknown" ? "" : String(values[id]);
      $(id).value = $(id).tagName === "SELECT" ? value || "unknown" : value;
    }
  }
  $("rounding").value = paper().rest.options?.rounding || "any";
  $("readings").replaceChildren(...named(entry).filter(sized).filter((name) => experiments()[name]?.assumed || !plain(entry)).map((name) => {
    const { assumed } = experiments()[name] || {};
    const line = element("li", "", assumed ? "question" : "");
    line.append(element("strong", assumed ? `Read from the paper: ${assumed}.` : `You said: ${name.replace(`, ${entry.part.name}`, "")}.`));
    for (const sentence of paper().sentences.filter((sentence) => sentence.experiments.includes(name))) line.append(" ", element("q", sentence.sentence), element("span", sentence.place ? ` (${sentence.place})` : "", "quiet"));
    line.append(...answers(entry, name, changed));
    return line;
  }));
};
export { FIELDS };
