"""Prints reference values for the package's statistics as JSON, computed by SciPy.

Usage: python3 reference-values.py > new.json, then replace reference-values.json by new.json.
Clustered standard errors come from statsmodels. Without it, the stored values of "clustered" are printed again.
"""

import itertools
import json
import pathlib

import numpy
from scipy import special, stats

COUNTS = [(0, 1), (1, 1), (0, 20), (1, 29), (7, 10), (15, 148), (81, 263), (20, 20)]
PAIRS = [[1, 0.5, 0, -0.25, 0.75, 0.25], [0.2, -0.1, 0.4, 0.35, 0.05, -0.3, 0.7], [1, 1, 1, 0, -1, 1, 1, 1, 1]]
REWARDS = [[1, 0.5, 0.25], [0, 0], [1, 1, 1, 0.75], [0.5], [0.1, 0.9, 0.3]]
CASES = [[(3, 3), (0, 3), (2, 3), (1, 3), (3, 3)], [(1, 1)] * 9 + [(0, 1)], [(5, 8), (2, 4), (0, 8)]]
PAIRED_COUNTS = [
    [[3, 3, 1, 3], [0, 3, 0, 3], [2, 3, 2, 3], [1, 3, 3, 3], [3, 3, 0, 3]],
    [[1, 1, 0, 1]] * 4 + [[1, 1, 1, 1]] * 16,
    [[5, 8, 2, 4], [2, 4, 2, 4], [0, 8, 3, 4]],
]
PLANS = [[20, 3, 0.05, 0.8], [100, 1, 0.05, 0.8], [10, 10, 0.01, 0.9], [5, 1, 0.05, 0.8]]


def wilson(passed, runs):
    interval = stats.binomtest(passed, runs).proportion_ci(0.95, method="wilson")
    return [interval.low, interval.high]


def permutation(differences):
    result = stats.permutation_test(
        (differences, [0] * len(differences)),
        lambda left, right: numpy.sum(left) - numpy.sum(right),
        permutation_type="samples",
        n_resamples=numpy.inf,
    )
    return result.pvalue


def beta_binomial(cases):
    """Equal-tailed 95 % interval of the mean, by the midpoint rule on a fine grid."""
    rates = (numpy.arange(1000) + 0.5) / 1000
    correlations = (numpy.arange(100) + 0.5) / 100
    rate, correlation = numpy.meshgrid(rates, correlations, indexing="ij")
    size = (1 - correlation) / correlation
    likelihood = sum(stats.betabinom.logpmf(k, n, rate * size, (1 - rate) * size) for k, n in cases)
    posterior = numpy.exp(likelihood - likelihood.max()).sum(axis=1)
    below = numpy.cumsum(posterior) / posterior.sum()
    return [numpy.interp(share, below, rates + 0.0005) for share in (0.025, 0.975)]


def paired(counts):
    """Difference and 95 % t interval with the moderated variance of Smyth 2004; half a case without a difference."""
    left_passed, left_runs, right_passed, right_runs = numpy.array(counts, float).T
    left, right = left_passed / left_runs, right_passed / right_runs
    difference, cases = left - right, len(counts)
    side = lambda rates: (rates.sum() + 1) / (cases + 2) * (1 - (rates.sum() + 1) / (cases + 2))
    expected = (side(left) + side(right)) * (0.15 + 0.45 * numpy.mean((1 / left_runs + 1 / right_runs) / 2))
    variance = (3 * expected + cases * difference.var()) / (cases + 2)
    low, high = stats.t.interval(
        0.95, cases + 2, loc=difference.sum() / (cases + 0.5), scale=numpy.sqrt(variance / (cases + 0.5))
    )
    mean = difference.mean()
    return [mean, max(-1, min(mean, low)), min(1, max(mean, high))]


def detectable(cases, iterations, alpha, power):
    """Difference at pass rates of 50 %; -1 if no sign test of this size can be significant."""
    if stats.binomtest(cases, cases).pvalue > alpha:
        return -1
    rate, within, between = stats.binom(1, 0.5), 0.5 / iterations, 0.5 * (1 - 0.7)
    quantiles = stats.t.isf(alpha / 2, cases - 1) + stats.t.isf(1 - power, cases - 1)
    return quantiles * numpy.sqrt(2 * rate.var() * (between + within) / cases) + 1 / (cases * iterations)


def clustered():
    try:
        import statsmodels.api as models
    except ImportError:
        stored = pathlib.Path(__file__).with_name("reference-values.json")
        return json.loads(stored.read_text())["clustered"]
    values = numpy.concatenate([numpy.array(rewards, float) for rewards in REWARDS])
    groups = numpy.repeat(range(len(REWARDS)), [len(rewards) for rewards in REWARDS])
    fit = models.OLS(values, numpy.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "df_correction": True}, use_t=True
    )
    return {"rewards": REWARDS, "mean": fit.params[0], "standardError": fit.bse[0], "interval": list(fit.conf_int()[0])}


values = {
    "normalCdf": [[z, stats.norm.cdf(z)] for z in (-7.5, -3, -1.96, -0.5, 0, 0.1, 1, 2.5, 6)],
    "normalQuantile": [[p, stats.norm.ppf(p)] for p in (1e-9, 0.001, 0.02, 0.03, 0.25, 0.5, 0.8, 0.975, 0.9999)],
    "studentTCdf": [[t, df, stats.t.cdf(t, df)] for t, df in itertools.product((-4, -0.7, 0.2, 2.1), (1, 2, 4.5, 30))],
    "studentTQuantile": [[p, df, stats.t.ppf(p, df)] for p, df in itertools.product((0.025, 0.8, 0.975), (1, 2, 4, 9, 99))],
    "wilson": [[passed, runs, *wilson(passed, runs)] for passed, runs in COUNTS],
    "passAtK": [
        [passed, runs, k, 1 - special.comb(runs - passed, k) / special.comb(runs, k), special.comb(passed, k) / special.comb(runs, k)]
        for passed, runs, k in ((1, 5, 1), (1, 5, 3), (3, 5, 3), (5, 5, 2), (0, 4, 2), (40, 200, 100))
    ],
    "mcnemar": [[b, c, stats.binomtest(b, b + c).pvalue] for b, c in ((1, 7), (0, 5), (6, 6), (12, 30), (59, 6))],
    "fisher": [
        [a, n, c, m, stats.fisher_exact([[a, n - a], [c, m - c]]).pvalue]
        for a, n, c, m in ((3, 4, 1, 4), (0, 5, 9, 10), (4, 9, 8, 11), (2, 2, 2, 2))
    ],
    "binomialTail": [[k, n, p, stats.binom.sf(k - 1, n, p)] for k, n, p in ((1, 10, 0.05), (3, 10, 0.05), (4, 8, 0.1))],
    "permutation": [[differences, permutation(differences)] for differences in PAIRS],
    "paired": [[counts, *paired(counts)] for counts in PAIRED_COUNTS],
    "detectable": [[*plan, detectable(*plan)] for plan in PLANS],
    "spentAlpha": [
        [share, alpha, 4 * stats.norm.sf(stats.norm.isf(alpha / 4) / numpy.sqrt(share))]
        for share, alpha in ((0.25, 0.05), (0.5, 0.05), (0.75, 0.01), (1, 0.05))
    ],
    "betaBinomial": [[cases, *beta_binomial(cases)] for cases in CASES],
    "clustered": clustered(),
}
print(json.dumps(values, indent=1))
