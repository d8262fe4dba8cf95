// Claims of the paper: a form for each kind, and what was found.
import { $, element } from "/page/page.js";

const ORDERS = { best: ["best", "by"], better: ["better", "than", "by"] };
const LISTS = ["values", "intervals", "df"]; // several values, with commas between them
const HINTS = {
  value: "0.912 (0.880-0.938)", n: "400", a: "0.93", b: "0.92", p: "< 0.05", k: "5", values: "1.50, 2.00, 2.50",
  best: "method", better: "method", than: "other method", by: "acc", datasets: "10", statistic: "15",
};

export const claimForm = (kinds, add, remove) => {
  const all = { ...ORDERS, ...kinds };
  $("claim-kind").replaceChildren(...Object.keys(all).map((name) => new Option(name.replaceAll("_", " "), name)));
  const draw = () => {
    $("claim-fields").replaceChildren(...all[$("claim-kind").value].map((key) => {
      const label = element("label", `${key.replaceAll("_", " ")} `);
      const field = document.createElement("input");
      Object.assign(field, { name: key, size: 12, placeholder: HINTS[key] || "" });
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
      if (text) claim[field.name] = LISTS.includes(field.name) ? text.split(",").map((one) => one.trim()) : text;
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
