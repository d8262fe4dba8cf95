// Try to save the row: move a point on the plane of confusion matrices, and see which printed scores it gives.
// Used by reports and by any page with a figure[data-plane]; text is only ever set as text.
(() => {
  "use strict";
  const svgns = "http://www.w3.org/2000/svg";
  const sum = (terms, cells) => terms.reduce((total, [factor, ...powers]) => total + powers.reduce((value, power, k) => value * cells[k] ** power, factor), 0);
  const links = {
    ratio: (num, den) => num / den,
    root: (num, den) => Math.sign(num) * Math.sqrt(Math.abs(num) / den),
    threshold: (num, den) => Math.sqrt(num / den) / (Math.sqrt(num / den) + Math.sqrt(1 - num / den)),
    "over root": (num, den) => num / Math.sqrt(den),
  };

  const start = (figure) => {
    const { p, n, box: [a, b, c, d], frame: [left, top, right, bottom], best, scores } = JSON.parse(figure.dataset.plane);
    const svg = figure.querySelector("svg.plane");
    if (!svg || !scores.length) return;
    const x = (tp) => left + ((right - left) * (tp - a + 0.5)) / (b - a + 1);
    const y = (tn) => bottom - ((bottom - top) * (tn - c + 0.5)) / (d - c + 1);
    let [tp, tn] = best || [Math.round((a + b) / 2), Math.round((c + d) / 2)];

    const point = document.createElementNS(svgns, "circle");
    point.setAttribute("class", "point");
    point.setAttribute("r", "7");
    svg.append(point);
    const panel = document.createElement("div");
    panel.className = "gauges";
    const lead = document.createElement("p");
    lead.append("Try to save the row: drag the point, or choose its counts and press the arrow keys.");
    const pad = document.createElement("button");
    pad.type = "button";
    pad.className = "pad";
    const back = document.createElement("button");
    back.type = "button";
    back.textContent = "Nearest point";
    const list = document.createElement("ul");
    list.className = "legend";
    const gauges = scores.map((score) => {
      const item = document.createElement("li");
      const meter = document.createElement("span");
      item.append(meter);
      list.append(item);
      return { score, item, meter };
    });
    const words = document.createElement("p");
    words.className = "hidden";
    words.setAttribute("role", "status");
    lead.append(" ", pad, " ", ...(best ? [back] : []));
    panel.append(lead, list, words);
    (figure.querySelector("div") || figure).append(panel);

    const show = (speak) => {
      point.setAttribute("cx", x(tp));
      point.setAttribute("cy", y(tn));
      const cells = [tp, n - tn, p - tp, tn];
      let hits = 0;
      for (const { score, item, meter } of gauges) {
        const den = sum(score.den, cells);
        const value = den > 0 ? links[score.link](sum(score.num, cells), den) : NaN;
        const hit = value >= score.ends[0] - 1e-12 && value <= score.ends[1] + 1e-12;
        hits += hit;
        item.className = hit ? "consistent" : "inconsistent";
        const percent = score.text.includes("%");
        const shown = percent ? `${(100 * value).toFixed(Math.max(0, score.digits - 1))}%` : value.toFixed(score.digits + 1);
        meter.textContent = `${hit ? "✓" : "✗"} ${score.name} ${Number.isNaN(value) ? "0/0" : shown}, printed ${score.text}`;
      }
      pad.textContent = `tp ${tp.toLocaleString("en")}, tn ${tn.toLocaleString("en")}`;
      pad.setAttribute("aria-label", `${pad.textContent}; arrow keys move the point`);
      if (speak) words.textContent = `tp ${tp}, tn ${tn}: ${hits} of ${gauges.length} printed scores are hit.`;
    };
    const move = (nextTp, nextTn, speak) => {
      tp = Math.max(a, Math.min(b, nextTp));
      tn = Math.max(c, Math.min(d, nextTn));
      show(speak);
    };
    const to = (event) => {
      const at = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / at.width;
      const across = ((event.clientX - at.left) * scale - left) / (right - left);
      const up = (bottom - (event.clientY - at.top) * scale) / (bottom - top);
      move(Math.floor(a + across * (b - a + 1)), Math.floor(c + up * (d - c + 1)), false);
    };
    let held = false;
    svg.addEventListener("pointerdown", (event) => {
      held = true;
      svg.setPointerCapture(event.pointerId);
      to(event);
      event.preventDefault();
    });
    svg.addEventListener("pointermove", (event) => held && to(event));
    svg.addEventListener("pointerup", () => {
      held = false;
      show(true);
    });
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    pad.addEventListener("keydown", (event) => {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      const wide = event.shiftKey ? 10 : 1;
      move(tp + wide * step[0], tn + wide * step[1], true);
    });
    back.addEventListener("click", () => move(...best, true));
    show(false);
  };
  for (const figure of document.querySelectorAll("figure[data-plane]")) start(figure);
})();
