export { describeComparison, describeGate } from "../comparison/describe-comparison.ts";
export { type ComparedTrajectories, describeTrajectoryDiff } from "../trajectory/describe-trajectory-diff.ts";
export { createEvalView, type EvalTerminal, type EvalView, type EvalViewOptions } from "./eval-view.ts";
export { printEvalEnding, type WrittenFiles } from "./print-eval-ending.ts";
export { type EvalStops, watchForStops } from "./watch-for-stops.ts";
