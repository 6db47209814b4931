// Exports for users: run a task with one call.

export { run } from "./run/run.ts";
export type { RunHandle } from "./run/run-handle.ts";
export type { RunOptions } from "./run/run-options.ts";

// Exports for hosts: sessions, stored runs and their building blocks.

export type { AdapterBlock } from "./adapter/adapter-block.ts";
export { adapterBlockOf } from "./adapter/adapter-block.ts";
export type { OpenAdapterEngineOptions } from "./adapter/open-adapter-engine.ts";
export { openAdapterEngine } from "./adapter/open-adapter-engine.ts";
export { AGENT_ENGINE, createDefaultRegistry } from "./agent/create-default-registry.ts";
export { type EnvironmentRecord, keyVariable } from "./agent/model-choice.ts";
export type { AgentEngine, AgentEngineConfig } from "./agent/open-agent-engine.ts";
export { openAgentEngine } from "./agent/open-agent-engine.ts";
export type { ModelClient, OpenModelClientOptions } from "./agent/open-model-client.ts";
export { openModelClient } from "./agent/open-model-client.ts";
export { secretsFromEnv } from "./agent/secrets-from-env.ts";
export type { AgentSkillsConfig } from "./agent/skills-of-run.ts";
export type { CollectOptions } from "./archive/collect-artifacts.ts";
export { collectArtifacts } from "./archive/collect-artifacts.ts";
export type { Timer } from "./control/timer.ts";
export { SYSTEM_TIMER } from "./control/timer.ts";
export { findApiKey, type KeySources } from "./credentials/find-api-key.ts";
export type { ConfiguredEngine, OpenConfiguredEngineOptions } from "./engine-config/open-configured-engine.ts";
export { openConfiguredEngine } from "./engine-config/open-configured-engine.ts";
export { parseEngineFile } from "./engine-config/parse-engine-file.ts";
export { parseJson } from "./input/parse-json.ts";
export { parseSessionInput } from "./input/parse-session-input.ts";
export { readImages } from "./input/read-images.ts";
export { readText } from "./input/read-text.ts";
export { createModelAccess, type HostModelAccess } from "./model-access/create-model-access.ts";
export type { ModelSources } from "./model-access/upstreams-of-host.ts";
export type { OutputOptions } from "./output/output-options.ts";
export type { ConfiguredEnvironment, NetworkRequests } from "./preflight/open-configured-environment.ts";
export { openConfiguredEnvironment } from "./preflight/open-configured-environment.ts";
export type { NetworkRequest } from "./preflight/request-filter.ts";
export { openReplayWorktree, type ReplayWorktreeOptions } from "./replay/open-replay-worktree.ts";
export {
  type AgentReplay,
  type EngineReplay,
  openRunReplay,
  type RunReplay,
  type RunReplayOptions,
} from "./replay/open-run-replay.ts";
export type { ReplayModelAccess } from "./replay/replay-model-access.ts";
export { exitCodeOf } from "./result/exit-code-of.ts";
export { resultOfReport } from "./result/result-of-report.ts";
export type { ResultDefaults } from "./result/session-result-from.ts";
export { sessionResultFrom } from "./result/session-result-from.ts";
export { endOrphanedProcesses } from "./resume/orphaned-processes.ts";
export { resumeSession } from "./resume/resume-session.ts";
export type { ResumeSessionOptions } from "./resume/resume-session-options.ts";
export type { SettleSessionOptions } from "./resume/settle-session.ts";
export { settleSession } from "./resume/settle-session.ts";
export type { RetryOptions } from "./retry/retry-options.ts";
export { defaultStateDirectory } from "./run/default-state-directory.ts";
export { RUN_FILES } from "./run-files/run-files.ts";
export { createRunId } from "./run-files/run-id.ts";
export { attributesFromSession, boardFromSession } from "./session/board-from-session.ts";
export {
  type QueueSessionOptions,
  queueSession,
  type RequeueSessionOptions,
  requeueSession,
} from "./session/queue-session.ts";
export { sessionMasker } from "./session/session-masker.ts";
export type { SessionOptions, SharedBudgetRequest } from "./session/session-options.ts";
export { runSession, startSession } from "./session/start-session.ts";
export type { StartSessionOptions } from "./session/start-session-options.ts";
export type { TrustedFiles } from "./skills/instruction-folder.ts";
export type { LoadedSkills, LoadSkillsOptions } from "./skills/load-skills.ts";
export { digestSkills, loadSkills } from "./skills/load-skills.ts";
export type { EarlierRun, NewestRun, NewestRunOptions, SkippedRun } from "./stored-runs/earlier-run.ts";
export { findNewestRun, toEarlierRun, withHistory } from "./stored-runs/earlier-run.ts";
export { readExactPatch, readPatch } from "./stored-runs/exact-patch.ts";
export type { FoundRun } from "./stored-runs/find-stored-run.ts";
export { findStoredRun } from "./stored-runs/find-stored-run.ts";
export type { FollowEventsOptions } from "./stored-runs/follow-events.ts";
export { followEvents } from "./stored-runs/follow-events.ts";
export { historyOf } from "./stored-runs/history-of.ts";
export type { RunDocumentOptions } from "./stored-runs/run-document.ts";
export { runDocument } from "./stored-runs/run-document.ts";
export { LISTED_STATUSES, matchesFilter, type RunFilter } from "./stored-runs/run-filter.ts";
export type { StoredRunState } from "./stored-runs/stored-run-state.ts";
export { storedRunState } from "./stored-runs/stored-run-state.ts";
export { readUndoneAt } from "./stored-runs/undo-files.ts";
export type { UndoRunOptions } from "./stored-runs/undo-run.ts";
export { undoRun } from "./stored-runs/undo-run.ts";
export type { ClaimedWorkspace, ClaimWorkspaceOptions } from "./workspace-claim/claim-workspace.ts";
export { claimWorkspace, writesToFolder } from "./workspace-claim/claim-workspace.ts";
