// Exports for users: hosts and engines.
export { createBoard, getTyped } from "./board/create-board.ts";
export { MAX_VALUE_DEPTH } from "./board/freeze-copy.ts";
export type { ListChange, ListChanges } from "./board/list-change.ts";
export type { SnapshotDelta } from "./board/snapshot-delta.ts";
export { applySnapshotDelta, snapshotDelta } from "./board/snapshot-delta.ts";
export type { Deleted, FieldsChange, ValueChange } from "./board/value-change.ts";
export type { EventBusOptions } from "./bus/create-event-bus.ts";
export { createEventBus } from "./bus/create-event-bus.ts";
export type {
  Backpressure,
  BusObserver,
  DropReason,
  EventBus,
  Subscription,
  SubscriptionOptions,
} from "./bus/event-bus.ts";
export type { CheckpointOptions } from "./checkpoint/create-checkpoint.ts";
export { createCheckpoint } from "./checkpoint/create-checkpoint.ts";
export { noopCheckpointStore } from "./checkpoint/noop-checkpoint-store.ts";
export { cloneDependencies, createDependencies, getDependency } from "./dependencies/create-dependencies.ts";
export { attributeOf } from "./engine/attribute-of.ts";
export { capabilitiesOf } from "./engine/capabilities-of.ts";
export { assertRunning, errorOfSignal } from "./engine/classify-failure.ts";
export type { EngineEntry, EngineRegistry } from "./engine/create-engine-registry.ts";
export { createEngineRegistry } from "./engine/create-engine-registry.ts";
export type { EngineBody, EngineOptions } from "./engine/define-engine.ts";
export { defineEngine } from "./engine/define-engine.ts";
export type { LoadAndResumeOptions } from "./engine/load-and-resume.ts";
export { loadAndResume } from "./engine/load-and-resume.ts";
export type { PreflightOptions } from "./engine/preflight.ts";
export { preflight } from "./engine/preflight.ts";
export type { Resumer } from "./engine/unwrap-engine.ts";
export { asResumer, isResumable, suggestCheckpoint } from "./engine/unwrap-engine.ts";
export { withCapabilities } from "./engine/with-capabilities.ts";
export type { EnvelopeOptions } from "./envelope/create-envelope.ts";
export { createEnvelope } from "./envelope/create-envelope.ts";
export type { Budget } from "./host/budget-host.ts";
export { assertBudget, assertBudgetLeft, budgetHost } from "./host/budget-host.ts";
export { composeHost } from "./host/compose-host.ts";
export { hostFromContext, withHost } from "./host/host-context.ts";
export { hostFuncs } from "./host/host-funcs.ts";
export { noopHost } from "./host/noop-host.ts";
export { redactingHost } from "./host/redacting-host.ts";
export { tracingHost } from "./host/tracing-host.ts";
export type { InterruptLatch } from "./interrupt/create-interrupt-latch.ts";
export { createInterruptLatch } from "./interrupt/create-interrupt-latch.ts";
export { interruptedError, interruptOf } from "./interrupt/interrupted-error.ts";
export type { MergedInterrupts } from "./interrupt/merge-interrupts.ts";
export { mergeInterrupts } from "./interrupt/merge-interrupts.ts";
export type { WatchedInterrupts } from "./interrupt/watch-interrupts.ts";
export { watchInterrupts } from "./interrupt/watch-interrupts.ts";
export type { ModelAccess, ModelAccessRequest, ModelRoute, OpenModelAccess } from "./model-access/model-access.ts";
export { modelBaseUrl } from "./model-access/model-access.ts";
export type { UnmeasuredUsage } from "./model-access/unmeasured-usage.ts";
export { findUnmeasuredUsage } from "./model-access/unmeasured-usage.ts";
export type { StepRun, StepRunner, StepRunnerOptions } from "./steps/create-step-runner.ts";
export { createStepRunner } from "./steps/create-step-runner.ts";
export type {
  DurableHost,
  DurableRunInput,
  DurableRunOutcome,
  RunInStepsOptions,
  RunProgress,
  RunSignal,
} from "./steps/run-in-steps.ts";
export { runInSteps } from "./steps/run-in-steps.ts";
export type {
  Step,
  StepEffect,
  StepInput,
  StepQuestion,
  StepState,
  StepStatus,
  StoredEffect,
  StoredMessage,
} from "./steps/step-state.ts";
export type { StreamRouter, StreamRouterOptions } from "./stream/create-stream-router.ts";
export { createStreamRouter } from "./stream/create-stream-router.ts";
// Exports for implementers: stream deltas, sinks and subjects.
export {
  emitStreamDelta,
  emitStreamToken,
  emitStreamToolCall,
  emitStreamToolResult,
} from "./stream/emit-stream-delta.ts";
export type { StreamDelta, UnknownDelta } from "./stream/stream-delta.ts";
export { decodeStreamDelta } from "./stream/stream-delta.ts";
export type { StreamSink, StreamSinkEntry } from "./stream/stream-sink.ts";
export { agentIdOf, nodeIdOf } from "./subject/agent-id-of.ts";
export { assertPattern, assertSubject, matchesPattern } from "./subject/matches-pattern.ts";
export { assertRunId, sanitiseId } from "./subject/sanitise-id.ts";
export {
  isStreamDelta,
  patternAllRuns,
  patternRun,
  patternRunSteps,
  patternRunStream,
  SUBJECT_PREFIX,
  subjectOf,
} from "./subject/subject-of.ts";
