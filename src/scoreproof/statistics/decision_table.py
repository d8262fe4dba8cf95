"""The decision table: which test for which comparison, as data.

It follows the prose and the flowchart (Figure 3) of Rainio, Teuho & Klén (2024,
doi:10.1038/s41598-024-56706-x): what decides is how the values of the metric came about and how many models
there are. Where the paper leaves a gap (one model, paired variances, only the matrices published) the rule
says whose advice fills it. The first rule that fits applies.
"""

from __future__ import annotations

from scoreproof.statistics.rules import PAPER, Rule

DEMSAR = "Demšar 2006, jmlr.org/papers/v7/demsar06a"

_PAIRED_T = (
    "paired t-test",
    "a single outlier sways it, and on resampled test sets it underestimates the variance",
)
_SIGN = ("sign test", "ignores how large the differences are, so its power is weak")
_MANY_WILCOXON = ("uncorrected pairwise tests", "the risk of a false alarm grows with every pair")
_BONFERRONI = (
    "Bonferroni correction",
    "needlessly strict: Holm's is never worse and needs no more assumptions",
)
_CHI2 = ("Friedman's χ²", "too conservative, and unreliable for few data sets: use Iman-Davenport's F")
_PER_CASE = "one test set gives a value for each case (squared errors, not their mean; Dice of each image)"
_SAME = "all models were evaluated on the same cases, folds or data sets"


def _set(*words: str) -> frozenset[str]:
    return frozenset(words)


_RATES = _set("acc", "sens", "spec", "ppv", "npv")

RULES: tuple[Rule, ...] = (
    Rule(
        test="paired Levene test",
        function="paired_levene",
        question="variance",
        models=_set("two", "many"),
        values=_set("data sets", "per case", "runs", "folds", "5x2 folds"),
        why="values on the same cases are paired, and distances from the median stand skewed scores and outliers",
        assumptions=(_SAME, "folds of one data set do not show how a model would vary over others"),
        avoid=(
            ("Pitman-Morgan test", "pairs the values, but needs them normal, which bounded scores are not"),
            ("F-test", "assumes independent and normal values"),
            ("Bartlett's test", "assumes independent values and is as sensitive to non-normality as the F-test"),
        ),
        instead=(("Levene's test around the median", "when the models were evaluated on different cases"),),
        then="with more than two models: all pairs, Holm-corrected",
        effect="difference of the mean distances from the median",
        source=f"Grambsch 1994, doi:10.1093/biomet/81.2.359; the tests for independent values: {PAPER}",
    ),
    Rule(
        test="Hanley-McNeil interval",
        function="hanley_mcneil",
        models=_set("one"),
        metrics=_set("auc"),
        values=_set("published"),
        why="the AUC and the class sizes are all that is known",
        assumptions=("the scores are roughly exponential in each class; close for AUCs from 0.6 to 0.95",),
        effect="AUC with interval",
        source="Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747",
    ),
    Rule(
        test="DeLong interval",
        function="auc_interval",
        models=_set("one"),
        metrics=_set("auc"),
        why="one model has nothing to be compared with: report how sure its AUC is",
        assumptions=("independent cases", "at least two of each class"),
        effect="AUC with interval",
        source="DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595",
    ),
    Rule(
        test="Wilson interval",
        function="proportion_interval",
        models=_set("one"),
        metrics=_RATES,
        values=_set("one test set", "matrices", "published"),
        tasks=_set("binary", "multiclass"),
        why="one model has nothing to be compared with: report how sure its proportion is",
        assumptions=("independent cases",),
        avoid=(("Wald interval", "leaves [0, 1] and has no width at 0 and 1"),),
        effect="proportion with interval",
        source="Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286",
    ),
    Rule(
        test="bootstrap interval",
        function="bootstrap_interval",
        models=_set("one"),
        why="one model has nothing to be compared with: report how sure its value is",
        assumptions=("independent cases", "enough of them: a few dozen"),
        effect="the metric with interval",
        source="Efron & Tibshirani 1993, doi:10.1201/9780429246593",
    ),
    Rule(
        test="DeLong test, unpaired",
        function="delong_unpaired",
        models=_set("two"),
        metrics=_set("auc"),
        values=_set("one test set"),
        paired=False,
        why="the two AUCs come from different cases",
        assumptions=("independent cases", "at least two of each class"),
        avoid=(("paired DeLong test", "needs the scores of both models for every case"),),
        effect="AUC difference with interval",
        source="Robin et al. 2011, doi:10.1186/1471-2105-12-77",
    ),
    Rule(
        test="attainable range of McNemar's test",
        function="mcnemar_range",
        models=_set("two", "many"),
        metrics=_set("acc", "sens", "spec"),
        values=_set("matrices"),
        tasks=_set("binary"),
        why="the test needs the cases only one model gets right; the matrices bound them, and so its p-value",
        assumptions=("both matrices come from one test set",),
        avoid=(("a test of two independent proportions", "the models saw the same cases"),),
        effect="range of p-values",
        source=f"bounds on the overlap of the correct cases; the test: {PAPER}",
    ),
    Rule(
        test="Hanley-McNeil test",
        function="hanley_mcneil_test",
        models=_set("two", "many"),
        metrics=_set("auc"),
        values=_set("published"),
        why="the AUCs and the class sizes are all that is known",
        assumptions=("a correlation of the two AUCs, unknown from print: 0 is the cautious choice",),
        instead=(("DeLong test", "as soon as the scores are available"),),
        effect="AUC difference with interval",
        source="Hanley & McNeil 1983, doi:10.1148/radiology.148.3.6878708",
    ),
    Rule(
        test="McNemar test",
        function="mcnemar_predictions",
        models=_set("two", "many"),
        metrics=_set("sens", "spec"),
        values=_set("one test set"),
        tasks=_set("binary"),
        why="it needs the predictions of one test set only: cases of one class that one model gets right",
        assumptions=("independent cases", "the threshold was chosen on the training data"),
        avoid=(
            ("McNemar test of accuracy", "mixes errors among positives and negatives"),
            ("χ² below 20 discordant cases", "the exact test costs nothing"),
        ),
        instead=(("Wilcoxon signed-rank test over several test sets", "to see past one test set and threshold"),),
        then="with more than two models: all pairs, Holm-corrected",
        effect="difference of the rates with interval",
    ),
    Rule(
        test="McNemar test of sensitivity and of specificity",
        function="mcnemar_predictions",
        models=_set("two", "many"),
        metrics=_set("acc", "bm", "bacc"),
        values=_set("one test set"),
        tasks=_set("binary"),
        why="counting errors of both classes together can hide a loss in one behind a gain in the other",
        assumptions=("independent cases", "the threshold was chosen on the training data"),
        avoid=(("McNemar test of accuracy", "mixes errors among positives and negatives"),),
        then="both rates and all pairs are one family, Holm-corrected",
        effect="differences of the rates with intervals",
    ),
    Rule(
        test="DeLong test",
        function="delong_paired",
        models=_set("two"),
        metrics=_set("auc"),
        values=_set("one test set"),
        tasks=_set("binary"),
        why="it compares two AUCs from the scores of one test set, without any threshold",
        assumptions=("independent cases", "at least two of each class", "scores, not labels"),
        avoid=(("a test of two independent AUCs", "the models saw the same cases: their AUCs are correlated"),),
        instead=(("Wilcoxon signed-rank test over the AUCs of several test sets", "to see past one test set"),),
        effect="AUC difference with interval",
    ),
    Rule(
        test="DeLong test for several classifiers",
        function="delong_many",
        models=_set("many"),
        metrics=_set("auc"),
        values=_set("one test set"),
        tasks=_set("binary"),
        why="it compares all AUCs from the scores of one test set at once",
        assumptions=("independent cases", "at least two of each class", "scores, not labels"),
        avoid=(_MANY_WILCOXON,),
        then="paired DeLong tests, Holm-corrected",
        effect="AUC differences with intervals",
        source="DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595",
    ),
    Rule(
        test="Wilcoxon signed-rank test of the values per case",
        function="wilcoxon_signed_rank",
        models=_set("two"),
        values=_set("one test set"),
        tasks=_set("regression", "segmentation", "retrieval"),
        why=_PER_CASE,
        assumptions=(
            "independent cases: images of one patient are not",
            "differences symmetric about their median",
        ),
        avoid=(_PAIRED_T, _SIGN),
        effect="Hodges-Lehmann difference, rank-biserial correlation",
    ),
    Rule(
        test="Friedman test of the values per case",
        function="friedman",
        models=_set("many"),
        values=_set("one test set"),
        tasks=_set("regression", "segmentation", "retrieval"),
        why=_PER_CASE,
        assumptions=("independent cases: images of one patient are not",),
        avoid=(_CHI2, _MANY_WILCOXON, _BONFERRONI),
        then="pairwise Wilcoxon tests, Holm-corrected, or Nemenyi's test",
        effect="Kendall's W",
    ),
    Rule(
        test="paired permutation test of the predictions",
        function="permutation_test",
        models=_set("two", "many"),
        values=_set("one test set", "matrices", "published"),
        why=(
            "one test set gives a single value of this metric; the paper advises several test sets and a "
            "Wilcoxon test, and swapping the two models' predictions at random is the test for when there is "
            "only one"
        ),
        assumptions=("independent cases", "the predictions of both models for every case"),
        avoid=(_PAIRED_T,),
        instead=(("Wilcoxon signed-rank test over several test sets", "the paper's advice, where they exist"),),
        then="with more than two models: all pairs, Holm-corrected",
        effect="difference of the metric with a bootstrap interval",
        source=f"Edgington & Onghena 2007, doi:10.1201/9781420011814; several test sets: {PAPER}",
    ),
    Rule(
        test="corrected resampled t-test",
        function="corrected_resampled_t",
        models=_set("two", "many"),
        values=_set("folds", "5x2 folds"),
        why="folds share training data, and this variance of their mean allows for it",
        assumptions=(_SAME, "the number of folds of one run, or the share of test cases, is known"),
        avoid=(
            ("Wilcoxon signed-rank test", "takes folds for independent: identical models come out different"),
            ("Friedman test", "takes folds for independent, too"),
            _PAIRED_T,
            _SIGN,
            ("combined 5x2cv F test", "its variance ignores what the five repetitions share"),
        ),
        instead=(("Wilcoxon signed-rank test over several data sets", "to see past one data set"),),
        then="with more than two models: all pairs, Holm-corrected",
        effect="mean difference with interval",
        source=f"Nadeau & Bengio 2003, doi:10.1023/A:1024068626366; that folds are not independent: {PAPER}",
    ),
    Rule(
        test="Wilcoxon signed-rank test",
        function="wilcoxon_signed_rank",
        models=_set("two"),
        values=_set("data sets", "per case", "runs"),
        why="needs no normality and stands outliers: the best choice for two models and many paired values",
        assumptions=(_SAME, "independent rows", "differences symmetric about their median"),
        avoid=(_PAIRED_T, _SIGN),
        effect="Hodges-Lehmann difference, rank-biserial correlation",
        source=f"{PAPER}; {DEMSAR}",
    ),
    Rule(
        test="Friedman test, Iman-Davenport F",
        function="friedman",
        models=_set("many"),
        values=_set("data sets", "per case", "runs"),
        why="several models at once, by their ranks within each row, with one risk of a false alarm",
        assumptions=(_SAME, "independent rows"),
        avoid=(_CHI2, _MANY_WILCOXON, _BONFERRONI, ("repeated-measures ANOVA", "assumes normal values")),
        instead=(("a few Wilcoxon tests, Holm-corrected", "when there are few rows"),),
        then="pairwise Wilcoxon tests, Holm-corrected, or Nemenyi's test with a critical-difference diagram",
        effect="Kendall's W",
        source=f"{PAPER}; {DEMSAR}",
    ),
)
