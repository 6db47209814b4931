// Exports for users: parse a suite, optionally select from it, and run it.

// Exports for implementers of custom engines and judges.
export type { EvalJudge, JudgeQuestion, JudgeVerdict, ModelJudgeOptions } from "./judge/judge.ts";
export { createModelJudge } from "./judge/judge.ts";
export { openJudge } from "./judge/open-judge.ts";
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
export type { EvalProgress } from "./run/eval-progress.ts";
export { openEvalFolder } from "./run/open-eval-folder.ts";
export type { RunEvalOptions } from "./run/run-eval.ts";
export { runEval } from "./run/run-eval.ts";
export { type RunPageOptions, renderRunPage } from "./run-page/render-run-page.ts";
export type {
  Assertion,
  EngineChoice,
  EvalBudget,
  EvalCase,
  EvalFile,
  EvalSuite,
  EvalVariant,
  JudgeChoice,
} from "./suite/eval-suite.ts";
export { isEngineFile, parseEvalSuite } from "./suite/parse-eval-suite.ts";
export type { SuiteSelection } from "./suite/select-suite.ts";
export { selectSuite } from "./suite/select-suite.ts";
export type { KeptWorkspaces } from "./trial/attempt-context.ts";
export type { EvalEngine, OpenEvalEngine } from "./trial/eval-engine.ts";
