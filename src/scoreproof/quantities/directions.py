"""Which way a quantity is better, by its name: what is registered knows it, and so do the common names of what is not.

Names come as people head columns: ``val_loss``, ``test/RMSE (mm)``, ``neg_mean_squared_error``, ``FID ↓``. A name that
says nothing (``score``, ``value``) has no direction, and none is guessed.
"""

from __future__ import annotations

import re

from scoreproof.quantities.names import key
from scoreproof.quantities.registry import registered

_LOWER = """loss, error, errors, cost, risk, regret, distance, latency, runtime, time, duration, perplexity, ppl, bpc,
mape, smape, wape, mase, rmsle, msle, nrmse, rrmse, nmae, cvrmse, rae, rrse, absrel, sqrel, crps, deviance, brier,
brier score, ece, mce, logloss, nll, negative log likelihood, cross entropy, bce, kl, kl divergence, hamming, mean rank,
average rank, wer, cer, ter, word error rate, character error rate, hausdorff, hd, hd95, 95hd, assd, asd, masd, chamfer,
symmetric volume difference, svd, voe, epe, mpjpe, pampjpe, ade, fde, eer, equal error rate, mindcf, dcf, hter, apcer,
bpcer, acer, fpr95, fid, kid, lpips, niqe, mcd, false alarms, false positives, false negatives, memory, flops, energy"""
_HIGHER = """spearman, spearmanr, spearman rho, srcc, srocc, kendall, kendall tau, krcc, ccc, nse, c index, cindex,
concordance, concordance index, pauc, partial auc, froc, cpm, dcg, surface dice, nsd, normalized surface dice, boundary
iou, boundary f1, bleu, rouge, rouge1, rouge2, rougel, meteor, cider, spice, chrf, bertscore, em, exact match, psnr,
ssim, ms ssim, inception score, clip score, mota, motp, idf1, hota, pq, panoptic quality, pck, ari, adjusted rand index,
nmi, mutual information, silhouette, reward, return, win rate, elo, throughput, fps, likelihood, log likelihood, elbo,
net benefit, top1, top5, similarity"""
_KNOWN = {key(name): sign for sign, names in ((-1, _LOWER), (1, _HIGHER)) for name in names.split(",")}
_NEITHER = frozenset({"bias", "variance"})  # better the nearer to a target
#: The last word of a longer name says it, too: "validation reconstruction loss", "depth error (m)".
_ENDINGS = {
    **dict.fromkeys(("loss", "error", "errors", "err", "distance", "rmse", "mae", "mse", "latency", "perplexity"), -1),
    **dict.fromkeys(("accuracy", "acc", "auc", "auroc", "precision", "recall", "f1", "dice", "iou", "miou"), 1),
}
_NEGATED = frozenset({"neg", "negative", "minus", "negated"})
_AFFIXES = frozenset({
    "train", "training", "val", "valid", "validation", "test", "testing", "dev", "eval", "evaluation", "holdout", "cv",
    "oof", "mean", "avg", "average", "median", "final", "best", "last", "overall", "total", "global", "macro", "micro",
    "weighted", "epoch", "step", "score",
})  # fmt: skip
_ARROWS = {"↑": 1, "⬆": 1, "↓": -1, "⬇": -1}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|±.*|@\d+$")
_COMPLEMENT = re.compile(r"1\s*[-−–]\s*(?=\D)")
_GAPS = re.compile(r"[\s_/:|]+|(?<=[^\W\d])[.-](?=\w)|(?<=\d)-(?=[^\W\d])")


def direction(name: str) -> int | None:
    """1 if larger values of what is called so are better, -1 if smaller ones are, None if the name does not say.

    >>> [direction(name) for name in ("RMSE (mm)", "val_loss", "neg_mean_squared_error", "Top-1 Accuracy", "FID ↓")]
    [-1, -1, 1, 1, -1]
    >>> [direction(name) for name in ("1 - accuracy", "score", "value", "bias", "error reduction")]
    [-1, None, None, None, None]
    """
    arrow = next((sign for mark, sign in _ARROWS.items() if mark in name), None)
    if arrow is not None:
        return arrow
    known = _known(name)  # "mAP@0.5", "LR-": what is registered may hold any sign
    if known is not None:
        return known
    text = _CAPITAL.sub(" ", _ASIDE.sub("", name).strip())
    sign, text = (-1, text[match.end() :]) if (match := _COMPLEMENT.match(text)) else (1, text)
    words = [word for word in _GAPS.split(text.lower()) if word]
    while words:
        known = _known(" ".join(words))
        if known is not None or key("".join(words)) in _NEITHER:
            return None if known is None else sign * known
        if words[0] in _NEGATED:
            sign = -sign
        elif words[0] not in _AFFIXES and words[-1] not in _AFFIXES:
            ending = _ENDINGS.get(words[-1])
            return None if ending is None else sign * ending
        words = words[:-1] if words[-1] in _AFFIXES else words[1:]
    return None


def _known(name: str) -> int | None:
    """The direction of a whole name."""
    plain = key(name)
    if len(plain) < 2 or plain in _NEITHER:
        return None
    if plain in _KNOWN:
        return _KNOWN[plain]
    quantity = registered(name)
    return None if quantity is None or quantity.name in _NEITHER else quantity.direction
