"""The words of column headers, as data: what may stand beside a score's name, and what is no score at all.

A header is a score only if every word of it is accounted for, so these lists decide what is read. A name that is
missing here costs a column that is then shown as not tested; a name too many accuses somebody.
"""

from __future__ import annotations

from collections.abc import Set

QUALIFIERS = {
    "macro": "macro", "macroaveraged": "macro", "macroaverage": "macro", "mac": "macro", "macroavg": "macro",
    "unweighted": "macro",
    "micro": "micro", "microaveraged": "micro", "microaverage": "micro", "mic": "micro", "microavg": "micro",
    "weighted": "weighted", "weightedaveraged": "weighted", "weightedaverage": "weighted", "weightedavg": "weighted",
    "samples": "samples",
}  # fmt: skip
STATISTICS = {
    "mean": "mean", "average": "mean", "averaged": "mean", "avg": "mean", "median": "median", "min": "min",
    "minimum": "min", "max": "max", "maximum": "max", "std": "std", "sd": "std", "stdev": "std", "stddev": "std",
    "standarddeviation": "std", "sem": "sem", "standarderror": "sem", "meansd": "mean", "meanstd": "mean",
    "meansem": "mean", "meanstandarddeviation": "mean",
}  # fmt: skip
#: What a median is printed with.
QUANTILES = frozenset({"iqr", "q1", "q3", "q1q3", "interquartilerange", "25th75thpercentile", "quartiles"})
INTERVALS = frozenset({"95ci", "ci", "ci95", "95confidenceinterval", "confidenceinterval", "90ci", "99ci"})

#: Words that change nothing about the score they stand beside.
FILLERS = frozenset({
    "score", "scores", "value", "values", "rate", "measure", "metric", "index", "coefficient", "coef", "statistic",
    "percentage", "the", "in", "higherisbetter", "lowerisbetter", "thehigherthebetter", "thelowerthebetter",
})  # fmt: skip
#: Levels above others that say nothing of what the columns below are.
GENERIC = frozenset({"counts", "rates", "metrics", "metric", "evaluationmetrics", "performancemetrics", "scores"})
#: Words that change nothing about one score only.
OWN_FILLERS = {
    "acc": frozenset({"classification", "prediction", "recognition", "overall", "top1"}),
    "err": frozenset({"classification", "top1"}),
}
#: The part of the data a score is of: the test set needs no mention, the others make a group of columns.
TESTS = frozenset({"test", "testing", "testset", "testdata", "holdout", "heldout", "holdoutset", "testingset"})
TRAINS = frozenset({"train", "training", "trainset", "trainingset", "trainingdata", "traindata"})
VALIDATIONS = frozenset({"val", "valid", "validation", "valset", "validationset", "dev", "devset", "eval"})
#: Words that belong to one of the above and mean nothing alone.
SET_WORDS = frozenset({"set", "data", "split"})

COUNTS = {
    "tp": "tp", "truepositive": "tp", "truepositives": "tp", "fp": "fp", "falsepositive": "fp", "falsepositives": "fp",
    "fn": "fn", "falsenegative": "fn", "falsenegatives": "fn", "tn": "tn", "truenegative": "tn", "truenegatives": "tn",
    "pos": "p", "positive": "p", "positives": "p", "positivesamples": "p", "positivecases": "p", "npos": "p",
    "positiveimages": "p", "noofpositives": "p", "numberofpositives": "p", "nopositives": "p", "numpos": "p",
    "neg": "n", "negative": "n", "negatives": "n", "negativesamples": "n", "negativecases": "n", "nneg": "n",
    "negativeimages": "n", "noofnegatives": "n", "numberofnegatives": "n", "nonegatives": "n", "numneg": "n",
    "n": "total", "cases": "total", "patients": "total", "subjects": "total", "testsamples": "total",
    "testsize": "total", "testcases": "total", "testimages": "total", "ntest": "total", "testn": "total",
    "noofcases": "total",
    "numberofcases": "total", "noofpatients": "total", "numberofpatients": "total", "numberofsubjects": "total",
    "noofsubjects": "total", "totalcases": "total", "totalpatients": "total", "npatients": "total", "ncases": "total",
    "nsubjects": "total", "testsetsize": "total", "numberoftestsamples": "total", "numberoftestimages": "total",
    "support": "support",
    "confusionmatrix": "matrix", "matrix": "matrix", "cm": "matrix", "confusion": "matrix", "tntpfpfn": "matrix",
}  # fmt: skip
#: Sizes that may be those of the training data: counts only beside positives, negatives or cells that belong to them.
SIZES = frozenset({
    "samples", "nsamples", "total", "instances", "images", "noofsamples", "numberofsamples", "numsamples",
    "noofimages", "numberofimages", "nimages", "records", "totalsamples", "totalimages", "samplesize", "size",
    "numberofinstances", "noofinstances", "ninstances", "totalinstances", "totaln",
})  # fmt: skip

#: Quantities a table often has and no check uses yet; named so that the report can say what was left out. Those that
#: are refused wherever they are named are in ``quantities.untested``.
OTHERS = {
    "averageprecision": "average precision of a curve, or a mean of precisions",
    "averagerecall": "average recall of detections, or a mean", "ar": "average recall",
    "aucratio": "a ratio of areas",
    "time": "time", "runtime": "time", "latency": "time", "params": "size", "parameters": "size", "flops": "cost",
    "gflops": "cost", "macs": "cost", "fps": "speed", "loss": "loss",
    "r": "one letter: recall or a correlation",
    "pvalue": "p-value", "top1": "top-1: accuracy or error", "top5": "top-5 accuracy",
    "macc": "mean over classes",
    "aa": "average accuracy over classes", "year": "year",
    "p": "one letter: precision, positives or a p-value",
    "error": "an error of which kind?", "err": "an error of which kind?", "testerror": "an error of which kind?",
    "far": "false acceptance rate, or false alarm ratio or rate", "frr": "false rejection rate, of which class?",
    "falsealarmrate": "false positives per negative or per alarm", "fpps": "speed",
    "oddsratio": "an odds ratio of an association, or diagnostic",
    "hazardratio": "hazard ratio", "relativerisk": "relative risk",
    "pt": "threshold or prevalence threshold?", "fm": "F-measure or Fowlkes-Mallows?",
    "wa": "weighted accuracy of which kind?", "ua": "unweighted accuracy of which kind?",
    "weightedaccuracy": "weighted accuracy of which kind?", "ci": "a confidence interval",
    "95ci": "a confidence interval",
    **dict.fromkeys(("lower", "upper", "lowerbound", "upperbound", "lowerlimit", "upperlimit", "cilower", "ciupper",
                     "lowerci", "upperci", "95cilower", "95ciupper", "lower95ci", "upper95ci", "lcl", "ucl"),
                    "an end of an interval"),
}  # fmt: skip
#: Those of them that are averages over classes: the scores beside them are of several classes, too.
CLASS_MEANS = frozenset({"aa", "macc"})
#: Abbreviations of other fields for scores over classes.
ALIASES = {
    "uar": ("sens", "macro"), "unweightedaveragerecall": ("sens", "macro"), "war": ("acc", ""),
    **dict.fromkeys(("miou", "meaniou", "averageiou", "avgiou", "meanintersectionoverunion", "mjaccard", "meanjaccard"),
                    ("ji", "macro")),
    **dict.fromkeys(("mdice", "meandice", "averagedice", "avgdice", "mdsc", "meandsc", "averagedsc", "avgdsc"),
                    ("f1", "macro")),
    **dict.fromkeys(("mf1", "maf1", "f1macro", "macrof1", "mf1score", "mfscore"), ("f1", "macro")),
    **dict.fromkeys(("mif1", "f1micro", "microf1"), ("f1", "micro")),
    **dict.fromkeys(("wf1", "f1w", "f1weighted", "weightedf1", "wf1score"), ("f1", "weighted")),
    **{f"{word}{letter}": (name, word) for word in ("macro", "micro", "weighted")
       for letter, name in (("p", "ppv"), ("r", "sens"))},
    "mprecision": ("ppv", "macro"), "mrecall": ("sens", "macro"),
    "wprecision": ("ppv", "weighted"), "wrecall": ("sens", "weighted"),
    "top1error": ("err", ""), "top1err": ("err", ""), "top1errorrate": ("err", ""),
    "testerrorrate": ("err", ""), "classificationerrorrate": ("err", ""), "misclassificationerror": ("err", ""),
    **dict.fromkeys(("balacc", "balancedacc", "balaccuracy"), ("bacc", "")),
    "tprate": ("sens", ""), "tnrate": ("spec", ""), "fprate": ("fpr", ""), "fnrate": ("fnr", ""),
}  # fmt: skip

#: Errors of predicted numbers; alone MAE is a way to train, R2 a round, MSE a loss.
_ERRORS = frozenset({"mae", "mse", "rmse", "r2", "maxe", "medae", "bias", "ev", "r", "adjusted_r2"})
#: Short names that mean something else too, and the scores of which one must be in the same table for them to count.
SHY: dict[str, tuple[str, Set[str]]] = {
    "se": ("sens", {"spec"}), "sn": ("sens", {"spec"}), "sp": ("spec", {"sens"}),
    "pre": ("ppv", {"sens", "f1", "spec"}), "rec": ("sens", {"ppv", "f1", "spec"}),
    "for": ("for", {"fdr", "npv"}), "ba": ("bacc", {"sens", "spec", "mcc"}), "oa": ("acc", {"kappa", "f1", "sens"}),
    "gm": ("gm", {"sens", "spec", "f1"}), "mk": ("mk", {"bm", "mcc"}), "bm": ("bm", {"mk", "mcc", "sens"}),
    "ts": ("ji", {"fpr", "tss", "bm"}), "csi": ("ji", {"bm", "sens"}), "pod": ("sens", {"ji", "bm", "fpr"}),
    "phi": ("mcc", {"sens", "spec", "kappa"}), "f": ("f1", {"ppv", "sens"}), "maxf": ("f1", {"ppv", "sens"}),
    "hitrate": ("sens", {"spec", "fpr", "ppv"}), "detectionrate": ("sens", {"spec", "fpr", "ppv"}),
    **{name: (name, _ERRORS - {name}) for name in ("mae", "mse", "bias", "variance", "ev", "r2")},
    "map": ("map", {"mrr", "ndcg", "p", "hits", "ap", "ap50", "ap75", "ppv", "sens", "f1"}),
    "maxerror": ("maxe", _ERRORS), "explainedvariance": ("ev", _ERRORS - {"ev"}),
    "mr": ("mr", {"mrr", "hits@1", "hits@3", "hits@10"}),
    "selectivity": ("spec", {"sens"}), "p4": ("upm", {"sens", "mcc", "f1"}), "fmi": ("fm", {"sens", "mcc", "ppv"}),
}  # fmt: skip

#: Units of predicted numbers, as they stand in brackets; anything else there may be a data set.
UNITS = frozenset({
    "nm", "µm", "μm", "um", "mm", "cm", "m", "km", "Å", "ms", "s", "sec", "min", "h", "hours", "days", "weeks",
    "months", "years", "year", "K", "°C", "℃", "eV", "meV", "kcal/mol", "kJ/mol", "Pa", "kPa", "MPa", "GPa", "mmHg",
    "bpm", "g", "kg", "mg/dl", "mg/dL", "mmol/L", "ppm", "ppb", "µg/m3", "μg/m3", "µg/m³", "μg/m³", "N", "kN", "W",
    "kW", "MW", "kWh", "MWh", "V", "mV", "mA", "dB", "deg", "degrees", "°", "px", "pixel", "pixels", "voxels", "m/s",
    "km/h", "m3/s", "m³/s", "USD", "$", "€", "cycles", "mAh", "Ah", "HU", "dpt", "log units",
})  # fmt: skip

#: Words of headers whose rows are classes: a number of cases below such a header may be that of the row's class alone.
HEADS_OF_CLASSES = frozenset({
    word + ending
    for word in (
        "finding", "disease", "class", "label", "condition", "lesion", "type", "tag", "emotion", "disorder", "intent",
        "phenotype", "event", "outcome", "target", "attribute", "code", "defect", "fault", "attack", "crop", "symptom",
        "complication", "arrhythmia", "rhythm", "tumor", "tumour", "organ", "structure", "sign", "gesture", "object",
        "stage", "grade", "subtype", "relation", "topic", "name",
    )
    for ending in ("", "s")
} | {
    "classes", "diagnosis", "diagnoses", "pathology", "pathologies", "category", "categories", "abnormality",
    "abnormalities", "species", "entity", "entities", "activity", "activities", "of",
})  # fmt: skip

#: Words that make a number a comparison or a choice and no score, on whatever level they stand.
_COMPARED = (
    "delta", "deltas", "diff", "diffs", "difference", "differences", "gain", "gains", "improvement", "improvements",
    "impr", "improv", "improved", "increase", "decrease", "drop", "change", "changes", "gap", "vs", "versus",
    "relative", "relativeimprovement", "uplift", "lift", "reduction", "margin",
)  # fmt: skip
LOSS = "a loss, not a score"
NEVER = {
    **dict.fromkeys(_COMPARED, "a comparison, not a score"),
    **dict.fromkeys(("rank", "ranking", "ranks"), "a rank, not a score"),
    **dict.fromkeys(("pvalue", "pvalues", "significance"), "a significance, not a score"),
    **dict.fromkeys(("loss", "losses"), LOSS),
    "var": "a variance, not a score",
    **dict.fromkeys(
        ("best", "worst", "optimal", "oracle", "threshold", "cutoff", "upperbound"),
        "chosen score by score, so not of one matrix",
    ),
}
ARROWS = {"↑": "up", "↓": "down", "▲": "up", "▼": "down", "⬆": "up", "⬇": "down"}
