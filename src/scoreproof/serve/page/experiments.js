// How many cases the rows of a table are of: what was read of the text, what somebody stands for, what somebody types.
// What the text says is assumed and accuses nobody: what is impossible under it alone is a question.
import { $, button, element, paper } from "/page/common.js";

const OPEN = "one test set"; // of which nothing is known
const PARTS = ["groups", "rows"]; // of a table that may be of other cases
const FIELDS = ["p", "n", "total", "folds", "repeats", "stratified", "aggregation"];
const list = (value) => (value === undefined || value === null ? [] : [].concat(value));
const experiments = () => paper().rest.experiments;
const sized = (name) => !name.startsWith(OPEN);

export const named = (one) => [...new Set([list(one.part.experiment), ...PARTS.flatMap((key) => Object.values(one.part[key] || {}))].flat(2))];
export const datasetsOf = (name) => list(experiments()[name]?.dataset);

const each = (one, change) => {
  if (one.part.experiment) one.part.experiment = change(list(one.part.experiment));
  for (const key of PARTS.filter((part) => one.part[part])) {
    one.part[key] = Object.fromEntries(Object.entries(one.part[key]).map(([label, names]) => [label, change(list(names))]));
  }
};
const forAll = (one, names) => {
  for (const key of PARTS) delete one.part[key];
  delete one.part.untested;
  one.part.experiment = names;
};

// Sizes belong to a table: what is said at one changes no other.
const own = (one, wanted, experiment, dataset) => {
  let name = one.own || wanted;
  while (name !== one.own && (experiments()[name] || paper().rest.datasets[name])) name += "'";
  one.own = name;
  if (dataset) paper().rest.datasets[name] = dataset;
  experiments()[name] = dataset ? { ...experiment, dataset: name } : experiment;
  return name;
};

// a sentence may count cases and objects: what a table is of, it stays
export const assign = (one, names) => {
  const isTree = (name) => Boolean(experiments()[name].tree);
  const alike = names.filter((name) => isTree(name) === named(one).some(isTree));
  forAll(one, alike.length ? alike : [...names]);
};
const isRight = (one, name) => {
  const { assumed, ...experiment } = structuredClone(experiments()[name]);
  const mine = own(one, `${name}, ${one.part.name}`, experiment, structuredClone(paper().rest.datasets[datasetsOf(name)[0]]));
  each(one, (names) => (names.includes(name) ? [mine] : names));
};
const isAnother = (one, name) => each(one, (names) => {
  const left = names.filter((other) => other !== name);
  return left.length ? left : [OPEN];
});

// the buttons beside what was read of a sentence
export const answers = (one, name, changed) => {
  const { assumed } = experiments()[name] || {};
  const act = (words, change) => button(words, () => { change(one, name); changed(); }, `${words}: ${assumed || name}`);
  return [...(assumed ? [" ", act("This is right", isRight)] : []), " ", act("Another set", isAnother)];
};
export const assumedBy = (one, quotes) => named(one).filter((name) => experiments()[name]?.assumed && paper().sentences.some((said) => quotes.includes(said.sentence) && said.experiments.includes(name)));

const plain = (one) => {
  const names = named(one);
  const { tree, dataset } = experiments()[names[0]] || {};
  const data = list(dataset);
  const known = data.length === 1 ? paper().rest.datasets[data[0]] : null;
  return names.length === 1 && !tree && known && Object.keys(known).every((key) => ["p", "n", "total", "note"].includes(key)) ? { ...known, ...experiments()[names[0]] } : null;
};

export const typed = (one) => {
  const value = (id) => $(id).value.trim();
  one.read ??= structuredClone({ experiment: one.part.experiment, groups: one.part.groups, rows: one.part.rows });
  if (!["p", "n", "total", "folds"].some(value)) {
    forAll(one, one.read.experiment ?? [OPEN]);
    for (const key of PARTS) if (one.read[key]) one.part[key] = one.read[key];
    return;
  }
  const { p, n, total, assumed, dataset, folds, repeats, stratified, aggregation, runs, ...more } = plain(one) || {};
  const sizes = value("p") || value("n") || !value("total") ? { p: value("p") || "unknown", n: value("n") || "unknown" } : { total: value("total") };
  const experiment = value("folds") ? { ...more, folds: value("folds"), stratified: value("stratified"), aggregation: value("aggregation") } : { ...more, ...(runs ? { runs } : {}) };
  if (value("folds") && value("repeats")) experiment.repeats = value("repeats");
  forAll(one, [own(one, one.part.name, experiment, sizes)]);
};

export const showExperiment = (one, changed, typing) => {
  const values = plain(one) || {};
  if (!typing) {
    for (const id of FIELDS) {
      const value = values[id] === undefined || values[id] === "unknown" ? "" : String(values[id]);
      $(id).value = $(id).tagName === "SELECT" ? value || "unknown" : value;
    }
  }
  $("rounding").value = paper().rest.options?.rounding || "any";
  $("readings").replaceChildren(...named(one).filter(sized).filter((name) => experiments()[name]?.assumed || !plain(one)).map((name) => {
    const { assumed } = experiments()[name] || {};
    const line = element("li", "", assumed ? "question" : "");
    line.append(element("strong", assumed ? `Read from the paper: ${assumed}.` : `You said: ${name.replace(`, ${one.part.name}`, "")}.`));
    for (const said of paper().sentences.filter((sentence) => sentence.experiments.includes(name))) line.append(" ", element("q", said.sentence), element("span", said.place ? ` (${said.place})` : "", "quiet"));
    line.append(...answers(one, name, changed));
    return line;
  }));
};
export { FIELDS };
