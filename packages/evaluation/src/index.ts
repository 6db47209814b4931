// Exports for users: parse a suite, optionally select from it, and run it.

export { type ComparedResults, compareResults } from "./comparison/compare-results.ts";
export { readResults } from "./comparison/read-results.ts";
export { renderComparisonJunit } from "./comparison/render-comparison-junit.ts";
export type {
  CaseChange,
  ComparedFile,
  ComparisonLimits,
  GateProblem,
  GroupComparison,
  MeasureComparison,
  ResultsComparison,
} from "./comparison/results-comparison.ts";
export type { StoredResults, StoredTrial } from "./comparison/stored-results.ts";
// Exports for implementers of custom engines, judges and simulated users.
export type { HarborImage, HarborPhase, HarborTask, HarborVariables } from "./harbor/harbor-task.ts";
export { readHarborSuite } from "./harbor/read-harbor-suite.ts";
export type { HostVariables } from "./harbor/resolve-variables.ts";
export type { ContainerEngine } from "./harbor/task-containers.ts";
export {
  type AskModel,
  createModelAsker,
  type EvalAnswer,
  type EvalPrompt,
  type ModelAskerOptions,
} from "./model/ask-model.ts";
export { type OpenEvalModel, openEvalModel } from "./model/open-eval-model.ts";
export type { EvalGroup, EvalOutcome, EvalResults, OutcomeCounts, SequentialResult } from "./results/eval-results.ts";
export type {
  EvalComparison,
  EvalStatistics,
  FlakyCase,
  FrontierEntry,
  GroupName,
  Reliability,
} from "./results/eval-statistics.ts";
export { type EvaluationScore, scoresOf } from "./results/evaluation-scores.ts";
export type { JudgeAgreement, JudgeStatistics, JudgeSummary } from "./results/judge-statistics.ts";
export type {
  OrderVerdict,
  PositionBias,
  Preference,
  PreferenceResults,
  PreferenceSummary,
  PreferenceVerdict,
  Preferred,
} from "./results/preference-results.ts";
export type {
  AssertionResult,
  EarlierAttempt,
  JudgeVerdict,
  TrialArtifact,
  TrialKey,
  TrialOutcome,
  TrialResult,
  TrialTurn,
  TrialUsage,
} from "./results/trial-result.ts";
export { RESULT_FILES } from "./results/write-results.ts";
export type { Rule, RulePattern, Terms, ToolRule } from "./rule/rule.ts";
export type { EvalProgress } from "./run/eval-progress.ts";
export { openEvalFolder } from "./run/open-eval-folder.ts";
export type { RunEvalOptions } from "./run/run-eval.ts";
export { runEval } from "./run/run-eval.ts";
export type { SequentialOptions } from "./run/sequential-stopping.ts";
export { type RunPageOptions, renderRunPage } from "./run-page/render-run-page.ts";
export { withSuiteEnvironment } from "./setup/with-suite-environment.ts";
export { isEvalDocument } from "./skill-up/read-skill-up-suite.ts";
export type {
  Assertion,
  Criterion,
  EngineChoice,
  EvalBudget,
  EvalCase,
  EvalFile,
  EvalMcpServer,
  EvalSuite,
  EvalTurn,
  EvalVariant,
  GitSetup,
  JudgePanel,
  JudgeSkill,
  ModelChoice,
  PlainAssertion,
  PreferenceQuestion,
  ReportFormat,
  RetryReason,
  RubricAssertion,
  RubricContext,
  RuleAssertion,
  ScriptAssertion,
  SimulatedUserChoice,
  SuiteEnvironment,
  TurnCapture,
  TurnCondition,
} from "./suite/eval-suite.ts";
export { parseEvalSuite } from "./suite/parse-eval-suite.ts";
export { isEngineFile } from "./suite/read-engine-choice.ts";
export type { SuiteSelection } from "./suite/select-suite.ts";
export { selectSuite } from "./suite/select-suite.ts";
export { ATIF_SCHEMA, ATIF_VERSIONS } from "./trajectory/atif-schema.ts";
export { createTrajectory, type TrajectoryOptions } from "./trajectory/create-trajectory.ts";
export {
  type Divergence,
  diffTrajectories,
  type StepChange,
  type TrajectoryDiff,
  type ValuePair,
} from "./trajectory/diff-trajectories.ts";
export { type ImportOptions, importTrajectory } from "./trajectory/import-trajectory.ts";
export { checkTrajectory, parseTrajectory } from "./trajectory/parse-trajectory.ts";
export type {
  Trajectory,
  TrajectoryAgent,
  TrajectoryContent,
  TrajectoryExtra,
  TrajectoryMetrics,
  TrajectoryPart,
  TrajectoryReference,
  TrajectoryResult,
  TrajectoryStep,
  TrajectoryToolCall,
  TrajectoryTotals,
} from "./trajectory/trajectory.ts";
export type { KeptWorkspaces, ObservedSession } from "./trial/attempt-context.ts";
export { openTemporaryWorkspaces } from "./trial/claimed-folder.ts";
export { type EngineFacts, engineFactsOf } from "./trial/engine-facts.ts";
export type { EngineEquipment, EvalEngine, OpenEvalEngine } from "./trial/eval-engine.ts";
