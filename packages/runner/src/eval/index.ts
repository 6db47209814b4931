// For users: an evaluation from its file to its results.

// For implementers: engines and judges of one's own.
export type { EvalJudge, JudgeQuestion, JudgeVerdict, ModelJudgeOptions } from "./assertion/judge.ts";
export { createModelJudge } from "./assertion/judge.ts";
export type {
  Assertion,
  EngineChoice,
  EvalBudget,
  EvalCase,
  EvalFile,
  EvalSuite,
  EvalVariant,
  JudgeChoice,
} from "./config/eval-suite.ts";
export { isEngineFile, parseEvalSuite } from "./config/parse-eval-suite.ts";
export type { EvalProgress } from "./eval-progress.ts";
export { openJudge } from "./open-judge.ts";
export type { EvalGroup, EvalOutcome, EvalResults, OutcomeCounts } from "./results/eval-results.ts";
export type {
  AssertionResult,
  EarlierAttempt,
  TrialArtifact,
  TrialKey,
  TrialOutcome,
  TrialResult,
  TrialUsage,
} from "./results/trial-result.ts";
export { RESULT_FILES } from "./results/write-results.ts";
export type { RunEvalOptions } from "./run-eval.ts";
export { runEval } from "./run-eval.ts";
export type { SuiteSelection } from "./select-suite.ts";
export { selectSuite } from "./select-suite.ts";
export type { KeptWorkspaces } from "./trial/attempt-context.ts";
export type { EvalEngine, OpenEvalEngine } from "./trial/eval-engine.ts";
