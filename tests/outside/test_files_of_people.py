"""Files as people have them: each gets the right test with the right sentence, or a question; none a wrong winner."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_statistics_cli import as_json

from scoreproof.errors import ScoreproofError

Rows = list[list[object]]


def text(head: str, rows: Rows) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def numbers(seed: int, *shape: int) -> np.ndarray:
    return np.round(np.random.default_rng(seed).normal(size=shape), 3)


def scores(rows: int, models: int = 2, ahead: float = 0.02, seed: int = 0) -> np.ndarray:
    """Values around 0.8, each model ahead of the next."""
    g = np.random.default_rng(seed)
    table = 0.8 + 0.03 * g.normal(size=(rows, 1)) + 0.01 * g.normal(size=(rows, models))
    return np.round(table - ahead * np.arange(models), 4)


def wide(head: str, rows: int, names: Callable[[int], object] | None = None, **options: object) -> str:
    table = scores(rows, head.count(",") + (names is None), **options)  # type: ignore[arg-type]
    return text(head, [[*([names(i)] if names else []), *row] for i, row in enumerate(table)])


def slices(head: str, patients: int = 20, each: int = 10, seed: int = 3) -> str:
    g = np.random.default_rng(seed)
    own = g.normal(size=(patients, 2)) * 0.05
    rows = [
        [f"p{p}", s, *np.round(0.8 + own[p] + 0.01 * g.normal(size=2), 4)] for p in range(patients) for s in range(each)
    ]
    return text(head, rows)


def predictions(head: str, cases: int = 120, seed: int = 2, *, labels: bool = False, clusters: int = 0) -> str:
    g = np.random.default_rng(seed)
    truth = g.integers(0, 2, cases)
    values = np.round(1 / (1 + np.exp(-(2 * truth[:, None] - 1 + g.normal(size=(cases, 2)) * [1, 2]))), 4)
    cells = (values > 0.5).astype(int) if labels else values
    first = [[i // max(1, cases // clusters)] if clusters else [] for i in range(cases)]
    return text(head, [[*first[i], truth[i], *cells[i]] for i in range(cases)])


def regression(head: str, cases: int = 60) -> str:
    g = np.random.default_rng(8)
    y = g.normal(size=cases) * 3
    return text(
        head,
        [
            [f"{v:.4f}", f"{v + 0.3 * a:.4f}", f"{v + b:.4f}"]
            for v, a, b in zip(y, *g.normal(size=(2, cases)), strict=True)
        ],
    )


def searched(splits: int, metric: str = "score") -> str:
    table = scores(splits, 2, 0.05)
    names = [f"split{i}_test_{metric}" for i in range(splits)]
    head = ",".join(
        [
            "mean_fit_time",
            "std_fit_time",
            "param_C",
            "params",
            *names,
            f"mean_test_{metric}",
            f"std_test_{metric}",
            f"rank_test_{metric}",
        ]
    )
    rows = [
        [0.1 * (c + 1), 0.01, c + 1, f"{{'C': {c + 1}}}", *table[:, c], table[:, c].mean(), table[:, c].std(), c + 1]
        for c in range(2)
    ]
    return text(head, rows)


def tracker(head: str, states: str = "finished") -> str:
    table = scores(5, 2, 0.03, 7)
    rows: Rows = []
    for m, model in enumerate(("resnet", "vit")):
        for s in range(5):
            state = "crashed" if states == "mixed" and s == 4 else "finished"
            rows.append([f"{model}-{s}", state, 3600 + 60 * m, model, s, round(1 - table[s, m], 4), table[s, m]])
    return text(head, rows)


def long(head: str, keys: list[object], seed: int = 1, ahead: float = 0.02) -> str:
    table = scores(len(keys), 2, ahead, seed)
    return text(head, [[m, k, table[i, j]] for j, m in enumerate(("A", "B")) for i, k in enumerate(keys)])


def stations(head: str) -> str:
    """A row for each station and forecaster, tab after tab, with a unit in the header and a second number beside it."""
    table = 3 - scores(14, 3, 0.3, 4)
    rows = [
        [f"st{i:02d}", m, round(float(v), 3), -0.1] for i, r in enumerate(table) for m, v in zip("XYZ", r, strict=True)
    ]
    return text(head, rows).replace(",", "\t")


def neptune(state: str) -> str:
    table = scores(6, 2, 0.1, 9)
    rows = [
        [f"EXP-{m}{s}", state, 3600, model, s, table[s, m], round(1 - table[s, m], 4), f"{model}.pt"]
        for m, model in enumerate(("swin", "resnet"))
        for s in range(6)
    ]
    head = "sys/id,sys/state,sys/running_time,parameters/backbone,parameters/seed,metrics/val_f1,metrics/val_loss,file"
    return text(head, rows)


def beside(head: str, *values: float) -> str:
    """Two models on twelve data sets, and what else was measured there."""
    rows = [
        [s, *r, *(round(v + i / 1000, 4) for v in values)]
        for i, (s, r) in enumerate(zip(SETS, scores(12), strict=True))
    ]
    return text(f"dataset,A,B,{head}", rows)


def turned(head: str, columns: list[str], summary: str = "") -> str:
    """A row for each of two models."""
    table, more = scores(len(columns)), [0.8] * len(summary.split(",")) if summary else []
    return text(
        ",".join([head, *columns, *summary.split(",")]).rstrip(","),
        [[m, *table[:, i], *more] for i, m in enumerate(("LR", "XGB"))],
    )


def appended(content: str, head: str, cells: Callable[[int], list[object]]) -> str:
    """More columns behind those of a file."""
    first, *rows = content.splitlines()
    return text(f"{first},{head}", [[row, *cells(i)] for i, row in enumerate(rows)])


SETS = ["iris", "wine", "zoo", "glass", "yeast", "car", "ecoli", "heart", "sonar", "vowel", "letter", "seeds"]
RUNS = "Name,State,Runtime,model,seed,val_loss,val_acc"

#: name: (file, options, test, what the text must say)
TESTED: dict[str, tuple[str, list[str], str, str]] = {
    "data sets with names": (wide("dataset,A,B", 12, lambda i: SETS[i]), [], "Wilcoxon signed-rank test", "12 data sets"),
    "long file of accuracies": (long("model,dataset,accuracy", SETS), [], "Wilcoxon signed-rank test", "A is better than B"),
    "long file of errors": (long("model,dataset,rmse", SETS), [], "Wilcoxon signed-rank test", "B is better than A"),
    "long file of losses": (long("method,data,val_loss", SETS), [], "Wilcoxon signed-rank test", "B is better than A"),
    "long file of distances": (long("model,image,hd95", [f"{i}.png" for i in range(12)]), [], "Paired permutation test", "B is better than A"),
    "five rows without a name": (wide("A,B", 5), [], "Corrected resampled t-test", "one run of 5 folds"),
    "ten rows without a name": (wide("A,B", 10), [], "Corrected resampled t-test", "one run of 10 folds"),
    "25 rows without a name": (wide("A,B", 25), [], "Corrected resampled t-test", "5 runs of 5 folds"),
    "100 rows without a name": (wide("A,B", 100), [], "Corrected resampled t-test", "20 runs of 5 folds"),
    "25 rows behind pandas' index": (wide(",A,B", 25, lambda i: i), [], "Corrected resampled t-test", "5 runs of 5 folds"),
    "folds named in words": (wide("name,A,B", 10, lambda i: f"fold_{i}"), [], "Corrected resampled t-test", "10 folds"),
    "a column of folds": (wide("fold,A,B", 25, lambda i: i % 5), [], "Corrected resampled t-test", "25 folds"),
    "twelve rows without a name": (wide("A,B", 12), [], "Wilcoxon signed-rank test", "taken as independent data sets"),
    "seeds": (wide("seed,A,B", 5, lambda i: 40 + i, ahead=0.06), [], "Welch t-test", "not paired"),
    "seeds named in words": (wide("run,A,B", 5, lambda i: f"seed{i}", ahead=0.06), [], "Welch t-test", "not paired"),
    "Dice per image": (wide("image,A,B", 40, lambda i: f"img_{i}.nii.gz"), ["--metric", "dice"], "Paired permutation test", "A is better than B"),
    "Dice of slices of patients": (slices("patient,slice,A,B"), ["--metric", "dice"], "Permutation test by cluster", "20 clusters"),
    "subjects and sessions": (slices("Subject ID,session,A,B", 12), ["--metric", "dice"], "Permutation test by cluster", "12 clusters"),
    "slices said to be independent": (slices("patient,slice,A,B"), ["--cluster", "none"], "Paired permutation test", "200 cases"),
    "AUC of patients with several lesions": (predictions("patient,truth,A,B", clusters=30), [], "DeLong test", "30 clusters"),
    "labels of speakers": (predictions("speaker,y_true,A,B", clusters=24, labels=True), [], "Permutation test by cluster", "24 clusters"),
    "scores of two models": (predictions("truth,A,B"), [], "DeLong test", "by AUC"),
    "labels of two models": (predictions("label,A,B", labels=True), [], "McNemar test", "by accuracy"),
    "error rates of labels": (predictions("label,A,B", labels=True), ["--metric", "err"], "McNemar test", "error rate"),
    "numbers of two models": (regression("y_true,A,B"), ["--metric", "rmse"], "Permutation test of predictions", "A is better than B"),
    "numbers beside y": (regression("y,A,B"), [], "Permutation test of predictions", "A is better than B"),
    "numbers beside target": (regression("target,A,B"), [], "Permutation test of predictions", "by mae"),
    "cv_results_ of a search": (searched(5), [], "Corrected resampled t-test", "C=1 is better than C=2"),
    "cv_results_ of errors": (searched(5, "neg_root_mean_squared_error"), [], "Corrected resampled t-test", "C=1 is better than C=2"),
    "runs of a tracker": (tracker(RUNS), ["--metric", "val_acc"], "Welch t-test", "resnet is better than vit"),
    "losses of a tracker": (tracker(RUNS), ["--metric", "val_loss"], "Welch t-test", "resnet is better than vit"),
    "runs that crashed": (tracker(RUNS, "mixed"), ["--metric", "val_acc"], "Welch t-test", "2 of 10 runs did not finish"),
    "runs of MLflow": (tracker("Run ID,Status,Duration,params.model,params.seed,metrics.loss,metrics.acc"), ["--metric", "metrics.acc"], "Welch t-test", "resnet is better than vit"),
    "forecasts of stations": (stations("station,forecaster,RMSE (°C),bias"), [], "Friedman test", "X is better than Y"),
    "runs of Neptune": (neptune("Inactive"), ["--metric", "val_f1"], "Welch t-test", "swin is better than resnet"),
    "cv_results_ with a setting they share": (searched(10, "neg_root_mean_squared_error").replace("param_C", "param_tol,param_C").replace(",0.01,", ",0.01,0.1,", 2), [], "Corrected resampled t-test", "C=1 is better than C=2"),
    "slices of patients, some with more": (slices("patient_id,slice_idx,nnU-Net,TransUNet", 15, 12, 6), [], "Permutation test by cluster", "15 clusters"),
    "a running time beside two models": (text("dataset,A,B,runtime", [[s, *r, i] for i, (s, r) in enumerate(zip(SETS, scores(12), strict=True))]), [], "Wilcoxon signed-rank test", "not compared as models: dataset, runtime"),
    "runs of Aim": (text("run.hash,hparams.model,hparams.seed,metric.val_error", [[f"h{i}", "AB"[i % 2], i // 2, 0.2 + 0.1 * (i % 2) + 0.001 * i] for i in range(10)]), ["--metric", "metric.val_error"], "Welch t-test", "A is better than B"),
    "opinions of listeners": (text("listener,utterance,A,B", [[f"l{i // 10}", f"u{i % 10}", *r] for i, r in enumerate(scores(120))]), ["--metric", "acc"], "Permutation test by cluster", "12 clusters"),
    "results of the AutoML benchmark": (text("dataset_id,seed,fold,framework,result,duration", [[d, s, 0, m, 0.8 + 0.01 * d - 0.05 * (m == "B") + 0.001 * s, 99] for d in range(10) for s in (1, 2) for m in "AB"]), ["--metric", "auc"], "Wilcoxon signed-rank test", "A is better than B"),
    "experimenter of Weka": (text("Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Percent_correct", [[d, r, f, m, 80 + 5 * (m == "B") + 0.1 * r + 0.01 * f] for d in SETS for r in (1, 2) for f in (1, 2) for m in "AB"]), ["--metric", "accuracy"], "Wilcoxon signed-rank test", "B is better than A"),
    "probabilities of both classes": (text("id,label,A_prob_0,A_prob_1,B_prob_0,B_prob_1", [[i, i % 2, *(round(v, 3) for p, q in [(0.3 + 0.4 * (i % 2) + 0.003 * (i % 7), 0.4 + 0.05 * (i % 5) + 0.1 * (i % 2))] for v in (1 - p, p, 1 - q, q))] for i in range(60)]), [], "DeLong test", "not compared as models: id, A_prob_0, B_prob_0"),
    "resamples of caret": (wide("Resample,RF~ROC,GBM~ROC", 30, lambda i: f"Fold{i % 10 + 1:02d}.Rep{i // 10 + 1}"), [], "Corrected resampled t-test", "test to train 0.1111"),
    "a mean below the data sets": (wide("dataset,A,B", 13, lambda i: "Average" if i == 12 else SETS[i]), [], "Wilcoxon signed-rank test", "12 data sets"),
    "standard errors beside two models": (text("task,A,B,A_stderr,B_stderr", [[s, *r, 0.01, 0.02] for s, r in zip(SETS, scores(12), strict=True)]), [], "Wilcoxon signed-rank test", "not compared as models: task, A_stderr, B_stderr"),
    "sizes beside two models": (text("dataset,A,B,params (M),CO2 (kg)", [[s, *r, 12, 0.1] for s, r in zip(SETS, scores(12), strict=True)]), [], "Wilcoxon signed-rank test", "not compared as models: dataset, params (M), CO2 (kg)"),
    "slices named after their volume": (wide("file,A,B", 60, lambda i: f"vol{i // 6:02d}_slice{i % 6:03d}.png"), ["--metric", "dice"], "Permutation test by cluster", "10 clusters"),
    "tokens of documents": (text("doc_id,token,gold,A,B", [[f"d{i // 5}", f"w{i}", "PER" if i % 2 else "O", "PER" if i % 2 else "O", "PER" if i % 3 else "O"] for i in range(60)]), ["--metric", "f1", "--positive", "PER"], "Permutation test of predictions, by cluster", "not compared as models: doc_id, token"),
    "trials of Ray": (text("trial_id,status,config/model,config/seed,mean_loss", [[f"t{i}", "TERMINATED", "AB"[i % 2], i // 2, 0.5 + 0.1 * (i % 2) + 0.001 * i] for i in range(12)]), ["--metric", "mean_loss"], "Welch t-test", "A is better than B"),
    "labels and scores of two models": (
        text("truth,A_pred,A_prob,B_pred,B_prob", [[t, int(a > 0.5), a, int(b > 0.5), b] for t, a, b in [[int(x), float(y), float(z)] for x, y, z in (line.split(",") for line in predictions("h,A,B").split("\n")[1:-1])]]),
        [],
        "DeLong test",
        "A_prob",
    ),
    "limits of intervals beside two models": (beside("A_lower,A_upper,B_lower,B_upper", 0.79, 0.83, 0.77, 0.81), [], "Wilcoxon signed-rank test", "not compared as models: dataset, A_lower, A_upper, B_lower, B_upper"),
    "sizes of the data sets": (beside("n_instances,n_features,imbalance ratio", 1234, 17, 3.5), [], "Wilcoxon signed-rank test", "not compared as models: dataset, n_instances, n_features, imbalance ratio"),
    "a time for each model": (beside("A_time,B_time", 1.5, 20), [], "Wilcoxon signed-rank test", "not compared as models: dataset, A_time, B_time"),
    "p-values and differences beside two models": (beside("p_value,diff,best", 0.04, 0.01, 0.82), [], "Wilcoxon signed-rank test", "not compared as models: dataset, p_value, diff, best"),
    "ranks of two models": (beside("rank_A,rank_B,year", 1, 2, 2019), [], "Wilcoxon signed-rank test", "not compared as models: dataset, rank_A, rank_B, year"),
    "thresholds and prevalences": (beside("threshold,prevalence", 0.45, 0.3), [], "Wilcoxon signed-rank test", "not compared as models: dataset, threshold, prevalence"),
    "logistic regression": (wide("dataset,LR,XGB", 12, lambda i: SETS[i]), ["--metric", "auc"], "Wilcoxon signed-rank test", "LR is better than XGB"),
    "a row per model, a column per fold": (turned("model", [f"fold{i}" for i in range(1, 11)], "mean,std"), ["--metric", "auc"], "Corrected resampled t-test", "10 folds"),
    "a row per model, a column per seed": (turned("method", [f"seed_{i}" for i in range(1, 11)]), ["--metric", "auc"], "Welch t-test", "not paired"),
    "a row per model, columns that are numbered": (turned("model", [*"12345"]), ["--metric", "auc"], "Corrected resampled t-test", "one run of 5 folds"),
    "a row per model, a column per data set": (turned("model", SETS[:-1]), ["--metric", "auc"], "Wilcoxon signed-rank test", "11 data sets"),
    "frames of subjects": (slices("subj,frame,A,B", 15), ["--metric", "dice"], "Permutation test by cluster", "15 clusters"),
    "slices of records": (slices("MRN,z,A,B", 15), ["--metric", "dice"], "Permutation test by cluster", "15 clusters"),
    "frames of numbered subjects": (slices("who,frame,A,B", 15).replace("\np", "\nsubject_"), ["--metric", "dice"], "Permutation test by cluster", "15 clusters"),
    "patients numbered anew in each hospital": (slices("hospital,patient,A,B", 15), ["--metric", "dice"], "Permutation test by cluster", "15 clusters"),
    "patients of several hospitals": (text("hospital,patient,slice,A,B", [[p % 4, f"p{p}", s, *r] for (p, s), r in zip([(p, s) for p in range(15) for s in range(10)], scores(150), strict=True)]), ["--metric", "dice"], "Permutation test by cluster", "15 clusters"),
    "images of numbered volumes": (wide("filename,A,B", 120, lambda i: f"BraTS20_{i // 10:03d}_{i % 10:03d}.nii.gz"), ["--metric", "dice"], "Permutation test by cluster", "12 clusters"),
    "images in a folder for each patient": (wide("path,A,B", 120, lambda i: f"/data/patient{i // 10:03d}/img{i % 10}.png"), ["--metric", "dice"], "Permutation test by cluster", "12 clusters"),
    "images with one number": (wide("image,A,B", 120, lambda i: f"ISIC_{i:07d}.jpg"), ["--metric", "dice"], "Paired permutation test", "120 cases"),
    "age and sex beside scores": (appended(predictions("patient,truth,A,B", clusters=30), "age,sex", lambda i: [40 + i % 30, i % 2]), [], "DeLong test", "not compared as models: patient, age, sex"),
    "truth in two letters": (predictions("gt,A_prob,B_prob"), [], "DeLong test", "A_prob is better than B_prob"),
    "residuals beside predictions": (appended(regression("y_true,A,B"), "residual_A,residual_B", lambda i: [0.01 * i, -0.01 * i]), ["--metric", "rmse"], "Permutation test of predictions", "not compared as models: residual_A, residual_B"),
    "organs of cases": (text("case,structure,A,B", [[f"c{i // 5}", ("liver", "spleen", "kidney", "aorta", "gland")[i % 5], *r] for i, r in enumerate(scores(100))]), ["--metric", "dice"], "Permutation test by cluster", "20 clusters"),
    "patients in folds": (text("patient,fold,A,B", [[f"P{i}", i % 5, *r] for i, r in enumerate(scores(60))]), ["--metric", "dice"], "Paired permutation test", "60 cases"),
    "more seeds of one model": (text("model,seed,accuracy", [[m, s, round(v, 4)] for m, n in (("A", 8), ("B", 5)) for s, v in enumerate(scores(n, 1)[:, 0] - 0.2 * (m == "B"))]), [], "Welch t-test", "A is better than B"),
    "right and wrong answers": (text("id,correct_A,correct_B", [[i, int(i % 10 > 0), int(i % 3 > 0)] for i in range(120)]), ["--metric", "accuracy"], "Paired permutation test", "120 cases"),
    "tasks that were done or not": (text("task,A,B", [[f"t{i}", int(i % 10 > 0), int(i % 3 > 0)] for i in range(60)]), ["--metric", "accuracy"], "Paired permutation test", "60 cases"),
    "y_pred and y_prob of two models": (text("y_true,y_pred_A,y_prob_A,y_pred_B,y_prob_B", [[t, int(a > 0.5), a, int(b > 0.5), b] for t, a, b in [[int(x), float(y), float(z)] for x, y, z in (line.split(",") for line in predictions("h,A,B").split("\n")[1:-1])]]), [], "DeLong test", "not compared as models: y_pred_A, y_pred_B"),
    "means and spreads of two models": (text("y_true,A_mean,A_std,B_mean,B_std", [[y, a, 0.5, b, 0.7] for y, a, b in (line.split(",") for line in regression("y,A,B").split("\n")[1:-1])]), [], "Permutation test of predictions", "not compared as models: A_std, B_std"),
    "quantiles of two models": (text("y_true,A_q10,A_q50,B_q10,B_q50", [[y, -9, a, -9, b] for y, a, b in (line.split(",") for line in regression("y,A,B").split("\n")[1:-1])]), [], "Permutation test of predictions", "A_q50 is better than B_q50"),
    "true and false": (predictions("label,A,B", labels=True).replace("1", "True").replace("0", "False"), [], "McNemar test", "by accuracy"),
    "wins and p-values below the data sets": (wide("dataset,A,B", 12, lambda i: SETS[i]) + "Wins,9,1\np-value,0.01,\n", [], "Wilcoxon signed-rank test", "12 data sets"),
    "forecasts by month": (appended(regression("actual,A,B"), "month", lambda i: [i // 6]), ["--cluster", "month", "--metric", "rmse"], "Permutation test of predictions, by cluster", "10 clusters"),
    "settings that are said to be data sets": (text("noise_level,A,B", [[i / 10, *r] for i, r in enumerate(scores(12))]), ["--values", "data sets"], "Wilcoxon signed-rank test", "not compared as models: noise_level"),
    "folds beside predictions": (appended(predictions("truth,A,B"), "fold", lambda i: [i % 5]), [], "DeLong test", "scores of several folds"),
    "accession numbers beside predictions": (appended(predictions("truth,A,B"), "accession", lambda i: [20250000 + i]), [], "DeLong test", "not compared as models: accession"),
    "counts of words beside predictions": (appended(predictions("truth,A,B"), "count,length", lambda i: [i % 9 + 1, i % 50]), [], "DeLong test", "not compared as models: count, length"),
    "epochs of each data set": (text("dataset,epochs,A,B", [[s, 10 * i, *r] for i, (s, r) in enumerate(zip(SETS, scores(12), strict=True))]), [], "Wilcoxon signed-rank test", "12 data sets"),
}  # fmt: skip

#: name: (file, options, what is asked)
ASKED: dict[str, tuple[str, list[str], str]] = {
    "confusion matrices": (text("model,TP,FP,FN,TN", [["A", 90, 10, 10, 90], ["B", 60, 40, 40, 60]]), [], "--values published or matrices"),
    "anomalies beside scores": (text("is_anomaly,forest,svm", [[int(i % 3 == 0), *r] for i, r in enumerate(scores(40))]), [], "the truth, or a model"),
    "survival": (text("time,event,A,B", [[i + 1, i % 2, *r] for i, r in enumerate(scores(30))]), [], "concordance"),
    "overall survival": (text("id,OS_months,OS_status,cox,forest", [[i, i + 2, i % 2, *r] for i, r in enumerate(scores(30))]), [], "censored"),
    "risks of survival": (text("pid,os_months,os_event,risk_deepsurv,risk_cox", [[i, i / 3, i % 2, *r] for i, r in enumerate(numbers(2, 40, 2))]), [], "concordance"),
    "trials of a search": (text("number,value,datetime_start,duration,params_lr,state", [[i, 0.8, "2024-01-01", "0 days", 0.001, "COMPLETE"] for i in range(30)]), [], "which model each run is of"),
    "trained and tested": (text("dataset,acc_train,acc_test", [[s, *r] for s, r in zip(SETS, scores(12), strict=True)]), [], "metrics, not models"),
    "labels and scores of one model": (predictions("y_true,y_pred,y_prob"), [], "one model"),
    "a log of training": (text("epoch,loss,acc,val_loss,val_acc", [[i, *scores(1, 4)[0]] for i in range(20)]), [], "epochs of training"),
    "a curve of a tracker": (text("Step,runA - val_acc,runB - val_acc", [[10 * i, *scores(2)[0]] for i in range(30)]), [], "steps of training"),
    "a curve of TensorBoard": (text("Wall time,Step,Value", [[1e9 + i, i, 0.5] for i in range(20)]), [], "steps of training"),
    "runs without models": (text("Name,State,Runtime,val_loss,val_acc", [[f"x-{i}", "finished", 100 + i, *scores(2)[0]] for i in range(6)]), [], "which model each run is of"),
    "a table of metrics": (text("dataset,accuracy,f1", [[s, *r] for s, r in zip(SETS, scores(12), strict=True)]), [], "metrics, not models"),
    "one model and two metrics": (text("dataset,A,val_acc,val_loss", [[s, *r] for s, r in zip(SETS, scores(12, 3), strict=True)]), [], "a metric, not a model"),
    "what cross_validate returns": (text(",fit_time,score_time,test_score,train_score", [[i, 0.1, 0.01, *scores(1, 2, seed=i)[0]] for i in range(5)]), [], "holds 0 model"),
    "probabilities of three classes": (text("label,A_0,A_1,A_2,B_0,B_1,B_2", [[i % 3, *scores(1, 6, seed=i)[0]] for i in range(40)]), [], "one model's scores of 3 classes"),
    "numbers of one model": (regression("y,y_pred,y_std").replace(",y_std", ",n"), [], "one model"),
    "prices that two models predict": (regression("price,pred_A,pred_B"), [], "no column is called truth"),
    "training rows among the predictions": (appended(predictions("truth,A,B"), "split", lambda i: ["train" if i % 3 else "test"]), [], "rows of several splits"),
    "samples of a bootstrap": (wide("bootstrap,A,B", 50, lambda i: i), [], "samples of one test set"),
    "a thousand rows without a name": (wide("A,B", 1000), [], "samples of a bootstrap"),
    "a share beside a thousand": (text("dataset,A,B", [[s, r[0], round(1000 * r[1], 1)] for s, r in zip(SETS, scores(12), strict=True)]), [], "one scale"),
    "a share beside a percentage": (text("dataset,A,B", [[s, r[0], round(100 * r[1], 1)] for s, r in zip(SETS, scores(12), strict=True)]), [], "one scale"),
    "shares and percentages in one column": (text("dataset,A,B", [[s, *(r if i % 3 else 100 * r)] for i, (s, r) in enumerate(zip(SETS, scores(12), strict=True))]), [], "one scale"),
    "two metrics of a search": (searched(5).replace("split1_test_score", "split1_test_auc"), [], "several metrics"),
    "metrics of a tracker": (tracker(RUNS), [], "say --metric"),
    "one value of each model": (text("model,accuracy", [["A", 0.9], ["B", 0.8]]), [], "no test can be made of one value"),
    "y that nothing predicts": (text("y,A,B", [[round(float(v), 3), *r] for v, r in zip(numbers(1, 30), scores(30), strict=True)]), [], "the truth, or a model"),
    "forecasts of a series": (appended(regression("actual,A,B"), "date", lambda i: [f"2025-{i // 28 + 1:02d}-{i % 28 + 1:02d}"]), [], "orders the rows"),
    "levels of noise": (text("noise_level,A,B", [[i / 10, *r] for i, r in enumerate(scores(12))]), [], "orders the rows"),
    "sizes of training sets": (text("n_train,A,B", [[100 * 2**i, *r] for i, r in enumerate(scores(8))]), [], "orders the rows"),
    "numbers of neighbours": (text("k,A,B", [[k, *r] for k, r in zip((1, 3, 5, 10, 20, 50), scores(6), strict=True)]), [], "orders the rows"),
    "checkpoints": (text("checkpoint,A,B", [[1000 * i, *r] for i, r in enumerate(scores(12))]), [], "checkpoints of training"),
    "rows that are metrics": (text(",ResNet,ViT", [[m, *r] for m, r in zip(("Accuracy", "RMSE", "F1", "Loss", "AUC", "Kappa"), scores(6), strict=True)]), [], "several metrics"),
    "a confusion matrix": (text(",cat,dog,fox", [["cat", 50, 3, 2], ["dog", 4, 45, 6], ["fox", 1, 2, 60]]), [], "confusion matrix"),
    "a confusion matrix in rows": (text("true,pred,count", [[a, b, 5 * i + 1] for i, (a, b) in enumerate((a, b) for a in "xyz" for b in "xyz")]), [], "how many cases each row stands for"),
    "one data set many times": (text("dataset,A,B", [["iris", *r] for r in scores(12)]), [], "rows of one data set"),
    "data sets of several metrics": (text("model,RTE (acc),WikiText (ppl),CoLA (mcc)", [["A", 70, 20, 60], ["B", 69, 25, 58]]), [], "better the same way"),
    "labels under another name": (text("malignant,A,B", [["yes" if i % 3 else "no", *r] for i, r in enumerate(scores(40))]), [], "the truth, or a model"),
    "two truths": (text("y1,y2,A1,A2", [[*r] for r in numbers(5, 30, 4)]), [], "the truth, or a model"),
    "T and E of survival": (text("T,E,cox,forest", [[i + 1, i % 2, *r] for i, r in enumerate(numbers(4, 30, 2))]), [], "censored"),
    "days of survival": (text("survival_days,deceased,A,B", [[i + 1, i % 2, *r] for i, r in enumerate(numbers(4, 30, 2))]), [], "censored"),
    "trials with their model": (text("number,value,params_model,state,datetime_start", [[i, 0.8, "rf", "COMPLETE", "2026-01-01"] for i in range(30)]), [], "which model each run is of"),
    "not worse than what?": (wide("dataset,A,B", 12, lambda i: SETS[i]), ["--question", "not worse", "--margin", "0.01"], "--control"),
    "equivalent within what?": (wide("dataset,A,B", 12, lambda i: SETS[i]), ["--question", "equivalent"], "--margin"),
}  # fmt: skip


@pytest.mark.parametrize("name", TESTED)
def test_the_right_test_and_the_right_sentence(tmp_path: Path, name: str) -> None:
    content, options, test, said = TESTED[name]
    path = tmp_path / "file.csv"
    path.write_text(content)
    found = as_json("compare", path, *options)
    assert found["test"].startswith(test)
    assert said in found["text"]
    assert "alpha = 0.05" in found["text"]
    assert "scoreproof" in found["text"]
    for pair in found["pairs"]:
        effect = pair["result"]["effects"][0]["value"] if pair["result"]["effects"] else 0
        if (
            pair["better"] is not None
            and found["higher_is_better"] is not None
            and "difference" in pair["result"]["effects"][0]["name"]
        ):
            ahead = pair["first"] if (effect > 0) == found["higher_is_better"] else pair["second"]
            assert pair["better"] == ahead


@pytest.mark.parametrize("name", ASKED)
def test_or_a_question(tmp_path: Path, name: str) -> None:
    content, options, asked = ASKED[name]
    path = tmp_path / "file.csv"
    path.write_text(content)
    with pytest.raises(ScoreproofError, match=asked):
        as_json("compare", path, *options)


def test_equivalence_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text(wide("dataset,A,B", 12, lambda i: SETS[i], ahead=0.001))
    found = as_json("compare", path, "--question", "equivalent", "--margin", "0.02")
    assert "A and B are equivalent within 0.02" in found["text"]
    found = as_json("compare", path, "--question", "not worse", "--margin", "0.02", "--control", "A", "--metric", "acc")
    assert "B is not worse than A by more than 0.02" in found["text"]
    path.write_text(predictions("truth,A,B"))
    found = as_json("compare", path, "--question", "equivalent", "--margin", "0.01")
    assert "A and B are not shown to be equivalent within 0.01" in found["text"]
    path.write_text(predictions("truth,A,B", labels=True))
    found = as_json("compare", path, "--question", "not worse", "--margin", "0.2", "--control", "B")
    assert "A is not worse than B by more than 0.2" in found["text"]


def test_thresholds_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text(predictions("truth,A,B"))
    found = as_json("compare", path, "--thresholds", "0.3,0.5,0.7")
    assert found["thresholds"] == [0.3, 0.5, 0.7]
    assert found["models"] == ["A", "B"]


def test_the_sign_of_a_statistic_goes_with_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text(wide("fold,B,A", 10, lambda i: i, ahead=-0.05))
    said = as_json("compare", path, "--metric", "acc")["text"]
    assert "A is better than B" in said
    assert "t(9) = -" not in said
    assert "A − B = 0.05" in said
