# Reference values for tests/agreement/test_statistics_small.py, made with R 4.2.2 and the packages named below:
#   Rscript small_and_clustered.R > small_and_clustered.json
suppressPackageStartupMessages({library(coin); library(psych); library(pROC); library(effectsize); library(jsonlite)})
set.seed(39)
out <- list()
perms <- function(v) { if (length(v) <= 1) return(list(v)); r <- list(); for (i in seq_along(v)) for (p in perms(v[-i])) r[[length(r) + 1]] <- c(v[i], p); r }
order_p <- function(x, y, stat) { s <- sapply(perms(seq_along(y)), function(o) stat(x, y[o])); mean(abs(s) >= abs(stat(x, y)) - 1e-9) }
rho <- function(x, y) sum((rank(x) - mean(rank(x))) * (rank(y) - mean(rank(y))))
tau <- function(x, y) { s <- 0; n <- length(x); for (i in 1:(n - 1)) for (j in (i + 1):n) s <- s + sign(x[i] - x[j]) * sign(y[i] - y[j]); s }
out$correlations <- list()
for (n in c(4, 5, 7, 9)) { x <- rnorm(n); y <- x + rnorm(n)
  out$correlations[[length(out$correlations) + 1]] <- list(x = x, y = y, spearman = cor.test(x, y, method = "spearman", exact = TRUE)$p.value, kendall = cor.test(x, y, method = "kendall", exact = TRUE)$p.value) }
for (n in c(12, 25)) { x <- rnorm(n); y <- x + 2 * rnorm(n)
  out$correlations[[length(out$correlations) + 1]] <- list(x = x, y = y, kendall = cor.test(x, y, method = "kendall", exact = TRUE)$p.value) }
for (n in c(6, 7)) { x <- sample(1:4, n, TRUE); y <- sample(1:4, n, TRUE)
  out$correlations[[length(out$correlations) + 1]] <- list(x = x, y = y, spearman = order_p(x, y, rho), kendall = order_p(x, y, tau)) }
out$correlations[[length(out$correlations) + 1]] <- list(x = 1:5, y = c(2, 4, 5, 8, 9), spearman = cor.test(1:5, c(2, 4, 5, 8, 9), method = "spearman", exact = TRUE)$p.value, kendall = cor.test(1:5, c(2, 4, 5, 8, 9), method = "kendall")$p.value)
out$mann_whitney <- list()
for (sizes in list(c(5, 7), c(8, 8), c(12, 20), c(30, 25))) { x <- sample(1:6, sizes[1], TRUE) / 4; y <- sample(2:7, sizes[2], TRUE) / 4
  d <- data.frame(v = c(x, y), g = factor(rep(c("a", "b"), sizes)))
  r <- roc(d$g, d$v, levels = c("b", "a"), direction = "<", quiet = TRUE); a <- as.numeric(auc(r)); half <- qnorm(0.975) * sqrt(var(r, method = "delong")) / (a * (1 - a))
  out$mann_whitney[[length(out$mann_whitney) + 1]] <- list(x = x, y = y, p = as.numeric(pvalue(wilcox_test(v ~ g, data = d, distribution = "exact"))), greater = as.numeric(pvalue(wilcox_test(v ~ g, data = d, distribution = "exact", alternative = "greater"))), a12 = a, ci = plogis(qlogis(a) + c(-1, 1) * half)) }
out$effects <- list()
for (n in c(6, 15, 40)) { x <- rnorm(n, 0.4); y <- rnorm(n); d <- cohens_d(x, y, paired = TRUE); r <- rank_biserial(x, y, paired = TRUE)
  t <- t.test(x, y, paired = TRUE)$statistic; ncp <- sapply(c(0.975, 0.025), function(p) uniroot(function(l) pt(t, n - 1, l) - p, c(-40, 60), tol = 1e-12)$root)
  out$effects[[length(out$effects) + 1]] <- list(x = x, y = y, d_z = d[[1]], d_ci = ncp / sqrt(n), rank_biserial = r[[1]], r_ci = c(r$CI_low, r$CI_high)) }
out$equivalence <- list()
for (n in c(8, 25)) { x <- rnorm(n, 0.01, 0.05); y <- rnorm(n, 0, 0.05); m <- 0.04
  one <- function(paired) { lo <- t.test(x, y, paired = paired, mu = -m, alternative = "greater")$p.value; up <- t.test(x, y, paired = paired, mu = m, alternative = "less")$p.value; list(equivalent = max(lo, up), not_worse = lo, ci = as.numeric(t.test(x, y, paired = paired, conf.level = 0.9)$conf.int)) }
  out$equivalence[[length(out$equivalence) + 1]] <- list(x = x, y = y, margin = m, paired = one(TRUE), welch = one(FALSE)) }
out$aucs <- list()
for (n in c(30, 80)) { truth <- rbinom(n, 1, 0.4); a <- truth + rnorm(n); b <- truth + 0.7 * a + rnorm(n); m <- 0.08
  ra <- roc(truth, a, quiet = TRUE, direction = "<", levels = c(0, 1)); rb <- roc(truth, b, quiet = TRUE, direction = "<", levels = c(0, 1)); v <- var(ra) + var(rb) - 2 * cov(ra, rb); gap <- as.numeric(auc(ra) - auc(rb))
  out$aucs[[length(out$aucs) + 1]] <- list(truth = truth, first = a, second = b, margin = m, not_worse = pnorm(-(gap + m) / sqrt(v)), equivalent = max(pnorm(-(gap + m) / sqrt(v)), pnorm((gap - m) / sqrt(v)))) }
tango_z <- function(b, c, n, d) { A <- 2 * n; B <- -b - c + (2 * n - b + c) * d; C <- -c * d * (1 - d); q <- (sqrt(B^2 - 4 * A * C) - B) / (2 * A); (b - c - n * d) / sqrt(n * (2 * q + d * (1 - d))) }
out$tango <- list()
for (k in list(c(12, 10, 300), c(5, 9, 60), c(0, 0, 50), c(20, 3, 100))) { m <- 0.06; z <- sapply(c(-m, m), function(d) tango_z(k[1], k[2], k[3], d))
  lim <- sapply(c(1, -1), function(s) uniroot(function(d) tango_z(k[1], k[2], k[3], d) - s * qnorm(0.95), if (s > 0) c(-0.9, (k[1] - k[2]) / k[3] - 1e-9) else c((k[1] - k[2]) / k[3] + 1e-9, 0.9), tol = 1e-13)$root)
  out$tango[[length(out$tango) + 1]] <- list(b = k[1], c = k[2], n = k[3], margin = m, not_worse = pnorm(-z[1]), equivalent = max(pnorm(-z[1]), pnorm(z[2])), ci = lim) }
obuchowski <- function(truth, a, b, cl) { place <- function(s) { p <- s[truth == 1]; q <- s[truth == 0]; list(p = sapply(p, function(v) mean((q < v) + 0.5 * (q == v))), q = sapply(q, function(v) mean((p > v) + 0.5 * (p == v)))) }
  A <- place(a); B <- place(b); P <- A$p - B$p; Q <- A$q - B$q; th <- mean(P); M <- length(P); N <- length(Q); ids <- unique(cl); cp <- cl[truth == 1]; cq <- cl[truth == 0]
  s10 <- 0; s01 <- 0; s11 <- 0; I10 <- length(unique(cp)); I01 <- length(unique(cq)); I <- length(ids)
  for (i in ids) { u <- sum(P[cp == i]) - sum(cp == i) * th; w <- sum(Q[cq == i]) - sum(cq == i) * th; s10 <- s10 + u^2; s01 <- s01 + w^2; s11 <- s11 + u * w }
  v <- I10 / ((I10 - 1) * M) * s10 / M + I01 / ((I01 - 1) * N) * s01 / N + 2 * I / (I - 1) * s11 / (M * N); c(th, v, 2 * pt(-abs(th) / sqrt(v), I - 1)) }
out$obuchowski <- list()
for (I in c(12, 30)) { cl <- rep(1:I, each = 5); truth <- rbinom(5 * I, 1, plogis(rnorm(I)[cl])); s <- rnorm(I)[cl]; a <- round(truth + s + rnorm(5 * I), 1); b <- round(0.6 * truth + s + rnorm(5 * I), 1); v <- obuchowski(truth, a, b, cl)
  out$obuchowski[[length(out$obuchowski) + 1]] <- list(truth = truth, first = a, second = b, clusters = cl, difference = v[1], variance = v[2], p = v[3]) }
signs <- function(d) { g <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d)))); s <- g %*% d; mean(abs(s) >= abs(sum(d)) - 1e-9) }
out$permutation <- list()
for (I in c(6, 10)) { cl <- rep(1:I, times = sample(2:5, I, TRUE)); x <- rnorm(length(cl), 0.3); y <- rnorm(length(cl)); out$permutation[[length(out$permutation) + 1]] <- list(x = x, y = y, clusters = cl, p = signs(as.numeric(tapply(x - y, cl, sum)))) }
newcombe <- function(a, p, n) { v <- (p + n) / 2 - 1; f <- function(t) abs(a - t) - qnorm(0.975) * sqrt(t * (1 - t) * (1 + v * (1 - t) / (2 - t) + v * t / (1 + t)) / (p * n)); uniroot(f, c(0.01, 0.99999999), tol = 1e-13)$root }
out$newcombe <- lapply(list(c(10, 12), c(50, 200)), function(k) list(p = k[1], n = k[2], low = newcombe(1, k[1], k[2])))
out$icc <- list()
for (n in c(6, 20)) { t <- matrix(round(rnorm(n)[1:n] + matrix(rnorm(n * 4), n) + rep(c(0, 1, 0.5, -1), each = n), 2), n); r <- ICC(t, lmer = FALSE)$results
  out$icc[[length(out$icc) + 1]] <- list(ratings = t, values = setNames(as.list(r$ICC), c("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k")), low = r$`lower bound`, high = r$`upper bound`) }
out$fleiss <- list()
for (n in c(10, 30)) { t <- matrix(sample(1:3, n * 4, TRUE, c(0.5, 0.3, 0.2)), n); t[, 2] <- t[, 1]; w <- sapply(1:3, function(k) rowSums(t == k)); m <- 4; P <- mean((rowSums(w^2) - m) / (m * (m - 1))); p <- colSums(w) / (n * m); E <- sum(p^2); q <- p * (1 - p)
  out$fleiss[[length(out$fleiss) + 1]] <- list(ratings = t, kappa = (P - E) / (1 - E), se = sqrt(2 * (sum(q)^2 - sum(q * (1 - 2 * p))) / (sum(q)^2 * n * m * (m - 1)))) }
kripp <- function(t, delta) { o <- 0; vals <- c(); for (i in 1:nrow(t)) { r <- t[i, !is.na(t[i, ])]; m <- length(r); if (m < 2) next; vals <- c(vals, r); for (j in 1:m) for (k in 1:m) if (j != k) o <- o + delta(r[j], r[k], NULL) / (m - 1) }
  e <- 0; n <- length(vals); for (j in 1:n) for (k in 1:n) if (j != k) e <- e + delta(vals[j], vals[k], NULL); 1 - (n - 1) * o / e }
out$krippendorff <- list()
for (n in c(8, 15)) { t <- matrix(sample(1:5, n * 3, TRUE), n); t[, 2] <- pmin(5, t[, 1] + rbinom(n, 1, 0.3)); t[1, 3] <- NA; t[4, 1] <- NA
  vals <- unlist(lapply(1:n, function(i) { r <- t[i, !is.na(t[i, ])]; if (length(r) > 1) r else c() })); cnt <- table(factor(vals, levels = 1:5)); ord <- function(a, b, z) { if (a == b) return(0); r <- min(a, b):max(a, b); (sum(cnt[r]) - (cnt[min(a, b)] + cnt[max(a, b)]) / 2)^2 }
  out$krippendorff[[length(out$krippendorff) + 1]] <- list(ratings = t, nominal = kripp(t, function(a, b, z) as.numeric(a != b)), interval = kripp(t, function(a, b, z) (a - b)^2), ratio = kripp(t, function(a, b, z) ((a - b) / (a + b))^2), ordinal = as.numeric(kripp(t, ord))) }
out$calibration <- list()
for (n in c(40, 200)) { q <- round(runif(n, 0.05, 0.95), 3); y <- rbinom(n, 1, plogis(0.3 + 0.7 * qlogis(q))); g <- glm(y ~ qlogis(q), family = binomial, control = list(epsilon = 1e-14, maxit = 100)); h <- glm(y ~ 1 + offset(qlogis(q)), family = binomial, control = list(epsilon = 1e-14, maxit = 100)); t <- 0.35
  out$calibration[[length(out$calibration) + 1]] <- list(truth = y, probability = q, intercept = coef(g)[[1]], slope = coef(g)[[2]], errors = as.numeric(rev(sqrt(diag(vcov(g))))), large = coef(h)[[1]], threshold = t, net_benefit = sum(y[q >= t]) / n - sum(1 - y[q >= t]) / n * t / (1 - t)) }
out$power <- list(seeds = lapply(list(c(5, 0.01, 0.008), c(12, 0.02, 0.02)), function(k) list(size = k[1], difference = k[2], sd = k[3], power = power.t.test(n = k[1], delta = k[2], sd = k[3], strict = TRUE)$power)),
  wilcoxon = lapply(list(c(20, 0.02, 0.03), c(60, 0.01, 0.03)), function(k) list(size = k[1], difference = k[2], sd = k[3], power = pnorm((pnorm(sqrt(2) * k[2] / k[3]) - 0.5) * sqrt(3 * k[1]) - qnorm(0.975)))),
  folds = lapply(list(c(1, 0.02, 0.02, 10), c(10, 0.02, 0.03, 5)), function(k) { e <- k[3] * sqrt(1 / (k[1] * k[4]) + 1 / (k[4] - 1)); df <- k[4] + k[1] - 2; q <- qt(0.975, df); list(size = k[1], difference = k[2], sd = k[3], folds = k[4], power = 1 - pt(q, df, k[2] / e) + pt(-q, df, k[2] / e)) }),
  auc = lapply(list(c(200, 0.85, 0.8, 0.5, 0.5), c(500, 0.9, 0.86, 0.3, 0.2)), function(k) { p <- round(k[1] * k[5]); n <- k[1] - p; v <- function(a) (a * (1 - a) + (p - 1) * (a / (2 - a) - a^2) + (n - 1) * (2 * a^2 / (1 + a) - a^2)) / (p * n); s <- sqrt(v(k[2]) + v(k[3]) - 2 * k[4] * sqrt(v(k[2]) * v(k[3]))); list(size = k[1], first = k[2], second = k[3], correlation = k[4], share = k[5], power = pnorm(abs(k[2] - k[3]) / s - qnorm(0.975))) }))
out$thresholds <- list()
truth <- rep(0:1, c(40, 30)); a <- round(truth + rnorm(70), 2); b <- round(0.5 * truth + rnorm(70), 2); cuts <- c(0, 0.5, 1); p <- c()
for (s in 1:0) for (t in cuts) { ra <- (a >= t) == s; rb <- (b >= t) == s; i <- truth == s; x <- sum(ra[i] & !rb[i]); y <- sum(rb[i] & !ra[i]); p <- c(p, if (x + y == 0) 1 else binom.test(x, x + y)$p.value) }
out$thresholds[[1]] <- list(truth = truth, first = a, second = b, thresholds = cuts, p = matrix(p.adjust(p, "holm"), ncol = 2))
f1 <- function(y, p) 2 * sum(y & p) / (sum(y) + sum(p))
y <- c(1, 1, 1, 1, 0, 0, 0, 0, 0, 1); pa <- c(1, 1, 1, 0, 0, 0, 1, 0, 0, 1); pb <- c(1, 0, 0, 1, 1, 0, 0, 1, 1, 0); g <- as.matrix(expand.grid(rep(list(0:1), 10))); s <- apply(g, 1, function(w) f1(y, ifelse(w == 1, pb, pa)) - f1(y, ifelse(w == 1, pa, pb)))
out$f1 <- list(list(truth = y, first = pa, second = pb, p = mean(abs(s) >= abs(f1(y, pa) - f1(y, pb)) - 1e-9), difference = f1(y, pa) - f1(y, pb)))
cat(toJSON(out, digits = NA, auto_unbox = TRUE, na = "null"))
