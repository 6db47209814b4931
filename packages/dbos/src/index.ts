// Exports for users: workflows that execute runs, and the messages to them.
export type { RunWorkflow, RunWorkflowOptions } from "./create-run-workflow.ts";
export { createRunWorkflow } from "./create-run-workflow.ts";
export { RUN_EVENTS, RUN_SIGNALS, RUN_STATUS, type RunStatusEvent } from "./run-topics.ts";
export { answerRun, cancelRun, followUpRun, steerRun } from "./send-to-run.ts";
