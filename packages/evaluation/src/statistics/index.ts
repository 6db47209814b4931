// Distributions, intervals, tests and plans. All functions are pure.
export type { CaseCounts, Interval, IntervalOptions, PairedCounts } from "./case-counts.ts";
export { differencesOf } from "./case-counts.ts";
export { type ClusteredMean, clusteredMean } from "./clustered-mean.ts";
export { createRandom, type Random } from "./create-random.ts";
export { normalCdf, normalQuantile } from "./distribution/normal.ts";
export { studentTCdf, studentTQuantile } from "./distribution/student-t.ts";
export { type FlakeOptions, type FlakeResult, fisherTest, flakeTest } from "./flake-test.ts";
export { holmCorrection } from "./holm-correction.ts";
export { krippendorffAlpha, type MeasurementLevel } from "./krippendorff-alpha.ts";
export { type McNemarResult, mcnemarTest } from "./mcnemar-test.ts";
export { type ComparisonPlan, minimumDetectableDifference } from "./minimum-detectable-difference.ts";
export { type PairedDifference, pairedDifference } from "./paired-difference.ts";
export { type FrontierInput, type FrontierOptions, type FrontierPoint, paretoFrontier } from "./pareto-frontier.ts";
export { passAtK, passHatK } from "./pass-at-k.ts";
export { passRateInterval } from "./pass-rate-interval.ts";
export { type PermutationOptions, type PermutationResult, permutationTest } from "./permutation-test.ts";
export { lookTimes, type SequentialPlan, type SequentialState, sequentialTest, spentAlpha } from "./sequential-test.ts";
export { wilsonInterval } from "./wilson-interval.ts";
