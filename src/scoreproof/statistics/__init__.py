"""Tests, intervals, corrections, and the choice of a test.

Arrays in, frozen results out: every result names the method actually used, carries effect sizes and
intervals, reads as a sentence (``str``), serialises (``to_dict``) and never prints. ``recommend`` says which
test fits and why; ``compare`` runs it.
"""

from scoreproof.quantities.measures import TASKS
from scoreproof.statistics.auc import (
    auc_interval,
    delong_many,
    delong_paired,
    delong_unpaired,
    hanley_mcneil,
    hanley_mcneil_error,
    hanley_mcneil_test,
)
from scoreproof.statistics.compare import compare
from scoreproof.statistics.comparison import Comparison, ModelSummary, PairResult
from scoreproof.statistics.equivalence import (
    Practical,
    bayesian_signed_rank,
    equivalent_aucs,
    equivalent_means,
    equivalent_rates,
)
from scoreproof.statistics.figures import critical_difference_diagram, indistinguishable
from scoreproof.statistics.friedman import PairTest, PostHoc, critical_difference, friedman, nemenyi, posthoc
from scoreproof.statistics.groups import (
    a12,
    bartlett,
    dunn,
    f_test,
    kruskal_wallis,
    levene,
    mann_whitney,
    paired_levene,
    pitman_morgan,
    welch_from_summary,
    welch_t,
)
from scoreproof.statistics.mcnemar import (
    ThresholdTests,
    bowker,
    cochran_q,
    mcnemar,
    mcnemar_predictions,
    mcnemar_thresholds,
)
from scoreproof.statistics.paired_metric import paired_metric_test
from scoreproof.statistics.paired_values import (
    cohen_d_z,
    corrected_resampled_t,
    five_by_two_f,
    kendall_test,
    paired_t,
    pearson_test,
    shapiro_wilk,
    spearman_test,
)
from scoreproof.statistics.power import (
    Power,
    plan_study,
    power_mcnemar,
    power_two_proportions,
)
from scoreproof.statistics.published import attainable_mcnemar, counts_behind
from scoreproof.statistics.recommend import RULES, VALUES, Recommendation, Rule, recommend
from scoreproof.statistics.resampling import bootstrap_interval, permutation_test
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import Proportion, adjust, proportion_interval
from scoreproof.statistics.wilcoxon import sign_test, wilcoxon_signed_rank
from scoreproof.validation import enforce

__all__ = [
    "RULES", "TASKS", "VALUES", "Comparison", "Effect", "Interval", "ModelSummary", "PairResult",
    "PairTest", "PostHoc", "Power", "Practical", "Proportion", "Recommendation", "Rule", "TestResult",
    "ThresholdTests", "a12", "adjust", "attainable_mcnemar", "auc_interval", "bartlett", "bayesian_signed_rank",
    "bootstrap_interval", "bowker", "cochran_q", "cohen_d_z",
    "compare", "corrected_resampled_t", "counts_behind", "critical_difference", "critical_difference_diagram",
    "delong_many", "delong_paired", "delong_unpaired", "dunn",
    "equivalent_aucs", "equivalent_means", "equivalent_rates", "f_test", "five_by_two_f",
    "friedman", "hanley_mcneil", "hanley_mcneil_error", "hanley_mcneil_test", "indistinguishable", "kendall_test",
    "kruskal_wallis", "levene", "mann_whitney", "mcnemar", "mcnemar_predictions",
    "mcnemar_thresholds", "nemenyi", "paired_levene", "paired_metric_test", "paired_t", "pearson_test",
    "permutation_test", "pitman_morgan", "plan_study", "posthoc", "power_mcnemar", "power_two_proportions",
    "proportion_interval", "recommend", "shapiro_wilk", "sign_test", "spearman_test",
    "welch_from_summary", "welch_t", "wilcoxon_signed_rank",
]  # fmt: skip

enforce(globals(), __all__)
