"""Prints reference values for the package's statistics as JSON, computed by statsmodels.

Reads a list of inputs from stdin: {"wilson": [[passed, runs]], "mcnemar": [[only_left, only_right]],
"clustered": [[rewards of a case]], "power": [[cases, iterations, alpha, power]]}.
"""

import json
import sys

import numpy
import statsmodels
import statsmodels.api as models
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint


def clustered(cases):
    values = numpy.concatenate([numpy.array(rewards, float) for rewards in cases])
    groups = numpy.repeat(range(len(cases)), [len(rewards) for rewards in cases])
    fit = models.OLS(values, numpy.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "df_correction": True}, use_t=True
    )
    return [fit.params[0], fit.bse[0], *fit.conf_int()[0]]


def power_of(cases, difference, deviation, alpha):
    """Power of the two-sided paired t-test, from the noncentral t distribution."""
    return float(TTestPower().power(difference / deviation, cases, alpha))


inputs = json.load(sys.stdin)
print(json.dumps({
    "version": statsmodels.__version__,
    "wilson": [list(proportion_confint(passed, runs, 0.05, "wilson")) for passed, runs in inputs["wilson"]],
    "mcnemar": [mcnemar([[3, left], [right, 4]], exact=True).pvalue for left, right in inputs["mcnemar"]],
    "clustered": [clustered(cases) for cases in inputs["clustered"]],
    "power": [power_of(*plan) for plan in inputs["power"]],
}))
