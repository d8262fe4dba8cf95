// What the text of a paper proposes for the experiments of its tables: sentences, and one click to assume them.
// An assumed experiment accuses nobody: what is impossible under it alone is "question".
import { $, UNSAID, element, ownExperiment, state } from "/page/page.js";

const sized = (one) => (one.proposals || []).filter((proposal) => proposal.sentences.length);

export const sentencesOf = (one) => sized(one).flatMap(({ name, sentences }) => sentences.map((said) => ({ what: name, ...said })));

// the names under which a proposal is kept: its own, or with the paper's, for another paper may have one of that name
const namesOf = (proposal, paper) => [proposal.name, `${proposal.name} (${paper})`];
const keep = (proposal, paper) => {
  const [short, long] = namesOf(proposal, paper);
  const known = state.rest.experiments[short];
  const alike = JSON.stringify([known?.tree, state.rest.datasets[short]]) === JSON.stringify([proposal.experiment.tree, proposal.dataset ?? undefined]);
  const name = !known || alike ? short : long;
  state.rest.experiments[name] = structuredClone(proposal.experiment);
  if (proposal.dataset) {
    state.rest.datasets[name] = structuredClone(proposal.dataset);
    state.rest.experiments[name].dataset = name;
  }
  return name;
};

// what is assumed of an experiment, or of several of which one must be so; nothing if somebody stands for one of them
const assumedOf = (names) => {
  const said = names.map((name) => state.rest.experiments[name]?.assumed || "");
  return said.every(Boolean) ? said.join("; or ") : "";
};

// rows and groups of columns that are of different data have experiments of their own
const PARTS = ["groups", "rows"];
export const named = (one) => [one.part.experiment || [], ...PARTS.flatMap((key) => Object.values(one.part[key] || {}))].flat();

// one experiment for the whole table: what was assumed of its parts goes
export const withoutParts = (one) => {
  if (one.partsAssumed) for (const key of PARTS) delete one.part[key];
};
export const forAll = (one, experiment) => {
  withoutParts(one);
  one.part.experiment = experiment;
};

const assumeAll = (current) => {
  for (const one of state.tables) {
    if (one.paper !== current.paper || !sized(one).length) continue;
    const kept = new Map(one.proposals.map((proposal) => [proposal.name, keep(proposal, one.paper)]));
    one.partsAssumed = true;
    forAll(one, one.assumed.experiment.map((name) => kept.get(name)));
    for (const key of PARTS.filter((part) => one.assumed[part])) {
      one.part[key] = Object.fromEntries(Object.entries(one.assumed[key]).map(([label, names]) => [label, names.map((name) => kept.get(name))]));
    }
  }
};

export const showProposals = (one, changed) => {
  const found = sized(one);
  $("proposals").hidden = !found.length;
  $("proposal-list").replaceChildren(...found.map((proposal) => {
    const line = element("li");
    line.append(element("strong", proposal.experiment.assumed));
    for (const { sentence, place } of proposal.sentences) line.append(element("q", sentence, "quiet"), element("span", place ? ` (${place})` : "", "quiet"));
    const only = element("button", "Assume only this");
    only.type = "button";
    only.setAttribute("aria-label", `Assume only that ${proposal.experiment.assumed}`);
    only.onclick = () => {
      forAll(one, keep(proposal, one.paper));
      changed();
    };
    if (found.length > 1) line.append(" ", only);
    return line;
  }));
  $("assume").onclick = () => {
    assumeAll(one);
    changed();
  };
  const names = [...new Set(named(one))].filter((name) => state.rest.experiments[name]?.assumed !== UNSAID);
  const chosen = names.filter((name) => found.some((proposal) => namesOf(proposal, one.paper).includes(name)));
  const assumed = assumedOf(chosen.length ? chosen : names);
  $("assume").hidden = Boolean(assumed) && chosen.length === found.length;
  $("assumed").hidden = !assumed;
  $("assumed-words").textContent = assumed ? `Assumed, not known: ${assumed}. What is impossible only under this is a question.` : "";
  $("firm").hidden = chosen.length !== 1 || PARTS.some((key) => one.part[key]); // of several somebody must first say which one
  $("firm").onclick = () => {
    const own = ownExperiment(one, chosen[0]);
    delete state.rest.experiments[own].assumed;
    forAll(one, own);
    changed();
  };
};
