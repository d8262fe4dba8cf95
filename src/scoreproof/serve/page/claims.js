// Claims of the paper: a form for each kind, and what was found.
import { $, element } from "/page/page.js";

const METHOD = "A method, as its row is labelled.";
const BY = { name: "by", doc: "The score, such as acc.", default: "" };
const ORDERS = {
  best: [{ name: "best", doc: METHOD, default: "" }, BY],
  better: [{ name: "better", doc: METHOD, default: "" }, { name: "than", doc: METHOD, default: "" }, BY],
};

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
  $("claims").onclick = (event) => {
    const button = event.target.closest("button");
    if (button) remove(Number(button.dataset.place));
  };
};

// The first ``own`` claims were added here; the others were found in the table.
export const showClaims = (claims, own) => {
  $("claims").replaceChildren(...claims.map((claim, place) => {
    const line = element("li", "", claim.verdict);
    line.append(element("strong", `${claim.text}: ${claim.standing}. `, "sign-words"), element("span", claim.words));
    for (const need of claim.needs) line.append(element("div", `It would need ${need}`, "quiet"));
    if (place >= own) return line;
    const button = element("button", "Remove");
    button.type = "button";
    button.dataset.place = place;
    button.setAttribute("aria-label", `Remove the claim ${claim.text}`);
    line.append(" ", button);
    return line;
  }));
};
