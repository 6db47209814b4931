// Exports for users: find a runtime and run a task.

export type {
  DiscoveredRuntimes,
  DiscoverRuntimesOptions,
} from "./discovery/discover-runtimes.ts";
export { discoverRuntimes } from "./discovery/discover-runtimes.ts";
export type { LoadRuntimeOptions } from "./discovery/load-runtime-package.ts";
export { loadRuntimePackage } from "./discovery/load-runtime-package.ts";
export type { RuntimeFault, RuntimeOrigin, RuntimePackage } from "./discovery/runtime-package.ts";
export type { RuntimeEngineOptions } from "./engine/create-runtime-engine.ts";
export { createRuntimeEngine } from "./engine/create-runtime-engine.ts";
export type { OpenRuntimeEngineOptions, RuntimeCode } from "./engine/open-runtime-engine.ts";
export { openRuntimeEngine } from "./engine/open-runtime-engine.ts";
export { toSessionInput } from "./engine/to-session-input.ts";
export { toTaskOutcome } from "./engine/to-task-outcome.ts";
export type { ExecuteTaskOptions } from "./execution/execute-task.ts";
export { executeTask } from "./execution/execute-task.ts";
export { SEAT_VARIABLE } from "./execution/task-variables.ts";
export { pushCredentials } from "./git/push-denial.ts";
export type { ReadinessFinding, ReadinessOptions } from "./readiness/check-readiness.ts";
export { assertReady, checkReadiness } from "./readiness/check-readiness.ts";
export type { RuntimeCommandRequest } from "./runtime-command/runtime-command.ts";
export type { SecretValues } from "./secrets/secret-plan.ts";
export { secretsOfEnv } from "./secrets/secrets-of-env.ts";
export type {
  DeprecatedAlias,
  ProviderSelection,
  RuntimeConflict,
  RuntimeRegistry,
  SelectedProvider,
} from "./selection/runtime-registry.ts";
export { createRuntimeRegistry } from "./selection/runtime-registry.ts";
export { type LocalFolders, type LocalUser, localFolders } from "./workspace/local-folders.ts";
export { sweepCheckouts } from "./workspace/open-checkout.ts";
export type { ConfineFolder, FolderRules, OpenFolder } from "./workspace/prepared-workspace.ts";

// Exports for users: the task contract as data, requests and outcomes.

export {
  FANOUT_CONCURRENCY,
  FANOUT_RUN_STATUSES,
  OUTCOME_SUCCESS_WORDS,
  RECONCILE_SUCCESS_WORDS,
  RECORD_STATUS_OF_OUTCOME,
  RECORD_STATUSES,
} from "./contract/orchestration.ts";
export { SCHEMA_IDS } from "./contract/schema-ids.ts";
export type { TaskContract } from "./contract/task-contract.ts";
export { renderTaskContract, taskContract } from "./contract/task-contract.ts";
export type { FailureClassification, OutcomeStatus } from "./contract/vocabulary.ts";
export {
  CAPABILITIES,
  DIAGNOSTIC_CLASSES,
  FAILURE_CLASSIFICATIONS,
  OUTCOME_STATUSES,
} from "./contract/vocabulary.ts";
export { parseTaskRequest } from "./task/parse-task-request.ts";
export type { EvidenceRef, TaskArtifact, TaskDiagnostic, TaskOutcome } from "./task/task-outcome.ts";
export type {
  ArtifactDeclaration,
  OpenFields,
  OutputDeclaration,
  TaskExecutor,
  TaskLimits,
  TaskRequest,
  TaskWorkspace,
} from "./task/task-request.ts";
export { taskOutcomeSchema, taskRequestSchema } from "./task/task-schemas.ts";

// Exports for users: run many tasks, in this process or on workers.

export {
  createTaskExecutor,
  type PackagedTaskExecutor,
  type TaskExecutorOptions,
} from "./fan-out/create-task-executor.ts";
export type { FanOutConfig, FanOutItems } from "./fan-out/fan-out-config.ts";
export { parseFanOutConfig } from "./fan-out/fan-out-config.ts";
export type { FanOutExecution, FanOutGroup, FanOutPlan, FanOutTask } from "./fan-out/fan-out-plan.ts";
export { parseFanOutPlan } from "./fan-out/fan-out-plan.ts";
export type {
  FanOutProgress,
  FanOutReconciliation,
  FanOutRecord,
  FanOutRun,
  FanOutStatus,
  RecordStatus,
  RunningTask,
} from "./fan-out/fan-out-run.ts";
export { incompleteTasks } from "./fan-out/incomplete-tasks.ts";
export { type FanOutFile, type FanOutFileOptions, openFanOutFile } from "./fan-out/open-fan-out-file.ts";
export { parseFanOutRecords } from "./fan-out/parse-fan-out-records.ts";
export { planFanOut } from "./fan-out/plan-fan-out.ts";
export { planFindingPackets } from "./fan-out/plan-finding-packets.ts";
export type { QueueFanOutOptions } from "./fan-out/queue-fan-out.ts";
export { queueFanOut } from "./fan-out/queue-fan-out.ts";
export { reconcileFanOut } from "./fan-out/reconcile-fan-out.ts";
export type { RunFanOutOptions } from "./fan-out/run-fan-out.ts";
export { runFanOut } from "./fan-out/run-fan-out.ts";
export { runWorker, type WorkerOptions } from "./fan-out/run-worker.ts";
export type { RecordOptions } from "./fan-out/to-record.ts";
export type { AttemptEnd, WorkOnQueueOptions } from "./fan-out/work-on-queue.ts";
export { workOnQueue } from "./fan-out/work-on-queue.ts";

// Exports for authors of runtime packages and hosts.

export type { HostFailure } from "./execution/failed-outcome.ts";
export { failedOutcome } from "./execution/failed-outcome.ts";
export { refusedOutcome } from "./execution/refused-outcome.ts";
export type { ManifestLevel, ParsedManifest, ParseManifestOptions } from "./manifest/parse-manifest.ts";
export { parseManifest } from "./manifest/parse-manifest.ts";
export type {
  CommandInvocation,
  ExecutorProvider,
  ProviderDefault,
  ReadinessCheck,
  RoleAliases,
  RoleNames,
  RuntimeCommand,
  RuntimeExecutionContract,
  RuntimeManifest,
  SecretCondition,
  SecretEnvRequirement,
  SecretRequirement,
  WorkspaceMaterialization,
} from "./manifest/runtime-manifest.ts";
export type { RedactDataOptions } from "./redaction/redact-data.ts";
export { redactData } from "./redaction/redact-data.ts";
export { redactProse } from "./redaction/redact-prose.ts";
export { extendRedactedMetadataKeys } from "./redaction/redacted-keys.ts";
export type { RunnerSpec, RunnerSpecRequest } from "./runner-spec/runner-spec.ts";
export { parseRunnerSpec, projectRunnerSpec } from "./runner-spec/runner-spec.ts";
export { providerSecretEnvRequirement } from "./secrets/secret-plan.ts";
export type { CapabilityBundles } from "./selection/expand-capabilities.ts";
export { expandCapabilities } from "./selection/expand-capabilities.ts";
export type { MappedExecution } from "./selection/map-runtime-execution.ts";
export { mapRuntimeExecution } from "./selection/map-runtime-execution.ts";
export { projectArtifact, projectEvidence } from "./task/project-references.ts";
