// Claims of the paper: a form for each kind, and what was found.
import { $, button, element } from "/page/common.js";

const METHOD = "A method, as its row is labelled.";
const BY = { name: "by", doc: "The score, such as acc.", default: "" };
const ORDERS = {
  best: [{ name: "best", doc: METHOD, default: "" }, BY],
  better: [{ name: "better", doc: METHOD, default: "" }, { name: "than", doc: METHOD, default: "" }, BY],
};

let removing = () => {};
export const claimForm = (kinds, add, remove) => {
  const all = { ...ORDERS, ...kinds };
  $("claim-kind").replaceChildren(...Object.keys(all).map((name) => new Option(name.replaceAll("_", " "), name)));
  const draw = () => {
    $("claim-fields").replaceChildren(...all[$("claim-kind").value].map((setting) => {
      const label = element("label", `${setting.name.replaceAll("_", " ")} `);
      const field = document.createElement("input");
      Object.assign(field, { name: setting.name, size: 12, placeholder: setting.default, title: setting.doc });
      label.append(field);
      return label;
    }));
  };
  $("claim-kind").onchange = draw;
  draw();
  $("claim").onsubmit = (event) => {
    event.preventDefault();
    const kind = $("claim-kind").value;
    const claim = kind in ORDERS ? {} : { claim: kind };
    for (const field of $("claim-fields").querySelectorAll("input")) {
      const text = field.value.trim();
      if (text) claim[field.name] = text;
    }
    add(claim);
  };
  removing = remove;
};

// The first ``own`` claims were added here; the others were found in the table.
export const showClaims = (claims, own) => {
  $("claims").replaceChildren(...claims.map((claim, place) => {
    const line = element("li", "", claim.verdict);
    line.append(element("strong", `${claim.text}: ${claim.verdict}. `), claim.words);
    if (place >= own) return line;
    line.append(" ", button("Remove", () => removing(place), `Remove the claim ${claim.text}`));
    return line;
  }));
};
