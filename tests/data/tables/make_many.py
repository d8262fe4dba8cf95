"""Writes ``many.tex``, ``many.html`` and the PDFs that TeX and Chromium make of them; run by hand, not by the tests.

Twelve tables of made-up results in the styles papers use (booktabs, rules above and below, rules everywhere, boxed;
on the page also shaded rows without any rule), with one or two header levels, labels beside several rows, and all
kinds of cells. Source and print must be read to the same cells.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from scoreproof.documents import Table, read_tables

HERE = Path(__file__).parent
METHODS = ("U-Net", "SegNet", "Random forest", "SVM (linear)", "k-NN", "Ours", "CNN + attention", "XGBoost",
           "Logistic regression", "ViT-B/16")  # fmt: skip
SCORES = (
    "Acc.",
    r"Sens. (\%)",
    "Specificity",
    "F$_1$",
    "MCC",
    "AUC",
    "Precision",
    r"Recall $\uparrow$",
    "N",
    r"$\kappa$",
)


def value(dice: random.Random) -> str:
    kinds = (
        lambda: f"{dice.random():.{dice.choice((2, 3, 4))}f}",
        lambda: f"{dice.uniform(50, 100):.{dice.choice((1, 2))}f}",
        lambda: rf"${dice.uniform(50, 100):.1f} \pm {dice.uniform(0, 5):.1f}$",
        lambda: rf"{dice.uniform(50, 100):.1f}\%",
        lambda: dice.choice(("--", "n/a", "-", "")),
        lambda: rf"\textbf{{{dice.random():.3f}}}",
        lambda: f"{dice.random():.3f} ({dice.random() / 10:.3f})",
    )
    return dice.choices(kinds, (10, 4, 2, 1, 1, 1, 1))[0]()


def latex_table(number: int, dice: random.Random) -> str:
    style = ("booktabs", "hline", "boxed", "hlines")[number % 4]
    labels, width, height = dice.choice((1, 1, 2)), dice.randint(2, 6), dice.randint(3, 8)
    bar, ruled = "|" if style == "boxed" else "", style in ("boxed", "hlines")
    top, middle, bottom = (r"\toprule", r"\midrule", r"\bottomrule") if style == "booktabs" else (r"\hline",) * 3
    columns = bar + bar.join(["l"] * labels + [dice.choice("crl") for _ in range(width)]) + bar
    names, scores = ["Group", "Method"][-labels:], dice.sample(SCORES, width)
    lines = [rf"\begin{{tabular}}{{{columns}}}", top]
    if width >= 4 and dice.random() < 0.6:
        cut = dice.randint(2, width - 2)
        upper = [rf"\multicolumn{{{n}}}{{c{bar}}}{{{name}}}" for n, name in ((cut, "DRIVE"), (width - cut, "STARE"))]
        if style == "booktabs":
            lines.append(" & ".join([*(rf"\multirow{{2}}{{*}}{{{name}}}" for name in names), *upper]) + r"\\")
            first, second = labels + cut, labels + cut + 1
            lines.append(rf"\cmidrule(lr){{{labels + 1}-{first}}}\cmidrule(lr){{{second}-{labels + width}}}")
            lines.append(" & ".join([""] * labels + scores) + r"\\")
        else:
            lines.append(" & ".join([""] * labels + upper) + r"\\")
            lines.append(rf"\cline{{{labels + 1}-{labels + width}}}" if ruled else "")
            lines.append(" & ".join(names + scores) + r"\\")
    else:
        lines.append(" & ".join(names + scores) + r"\\")
    lines.append(middle)
    methods = dice.sample(METHODS, height)
    start = 0
    while start < height:
        size = min(height - start, dice.choice((2, 3)) if labels == 2 else 1)
        for row in range(size):
            cells = [methods[start + row], *(value(dice) for _ in range(width))]
            if labels == 2:
                group = rf"\multirow{{{size}}}{{*}}{{Group {start}}}" if size > 1 else f"Group {start}"
                cells.insert(0, group if row == 0 else "")
            last, end = row == size - 1, start + row == height - 1
            rule = "" if end else middle if last and (ruled or labels == 2) else ""
            if ruled and not last:
                rule = rf"\cline{{2-{labels + width}}}"
            lines.append(" & ".join(cells) + r"\\" + rule)
        start += size
    body = "\n".join([*lines, bottom, r"\end{tabular}"])
    size_name = dice.choice((r"\normalsize", r"\small", r"\footnotesize"))
    prose = f"Some text before table number {number}, with 3 values, 0.5 and 0.7 among them, to fill the line."
    return f"{prose}\n\\begin{{table}}[!h]\\centering{size_name}\\caption{{Results of experiment {number}.}}\n{body}\n\\end{{table}}"


def html_table(number: int, table: Table) -> str:
    rows = re.sub(r"<caption>.*?</caption>", "", table._repr_html_()).split("<tr>")[1:]
    head, body = rows[: table.header_rows], rows[table.header_rows :]
    return (
        f"<div><p>Some words before it, 0.5 and more.</p><p>Table {number + 1}. {table.caption}</p>"
        f"<table class='s{number % 4}'><thead>{''.join('<tr>' + row for row in head)}</thead>"
        f"<tbody>{''.join('<tr>' + row for row in body)}</div>"
    )


STYLE = """<!DOCTYPE html><meta charset="utf-8"><title>Many tables</title><style>
body{font-family:sans-serif;font-size:11pt}table{border-collapse:collapse;font-size:9pt}
td,th{padding:.2em .6em;text-align:center}div{break-inside:avoid}
.s0 thead{border-top:2px solid;border-bottom:1px solid}.s0 tbody{border-bottom:2px solid}
.s1 td,.s1 th{border:1px solid #666}
.s2 tr{border-bottom:1px solid #ddd}
.s3 tbody tr:nth-child(odd){background:#eee}.s3 thead{background:#cde}
</style>
"""


def main() -> None:
    dice = random.Random(7)
    head = r"\documentclass{article}\usepackage[margin=2cm]{geometry}\usepackage{booktabs,multirow}\begin{document}"
    parts = [head]
    for number in range(12):
        parts.append(latex_table(number, dice))
        if number % 3 == 2:
            parts.append(r"\clearpage")
    source = HERE / "many.tex"
    source.write_text("\n\n".join([*parts, r"\end{document}", ""]), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-output-directory", folder, str(source)],
            check=True, capture_output=True,
        )  # fmt: skip
        shutil.copy(Path(folder) / "many.pdf", HERE / "many_latex.pdf")
    page = HERE / "many.html"
    tables = read_tables(source)
    page.write_text(STYLE + "\n".join(html_table(n, t) for n, t in enumerate(tables)) + "\n", encoding="utf-8")
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
         f"--print-to-pdf={HERE / 'many_chromium.pdf'}", page.as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip


if __name__ == "__main__":
    main()
