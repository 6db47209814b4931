// For users: a session from its input to its report, the built-in agent, and the runs that are stored.
export { AGENT_ENGINE, createDefaultRegistry } from "./agent/create-default-registry.ts";
export type { EnvironmentRecord } from "./agent/model-choice.ts";
export type { AgentEngine, AgentEngineConfig } from "./agent/open-agent-engine.ts";
export { openAgentEngine } from "./agent/open-agent-engine.ts";
export { secretsFromEnv } from "./agent/secrets-from-env.ts";
export type { AgentSkillsConfig } from "./agent/skills-of-run.ts";

// For implementers of hosts: the steps of a session by themselves.
export type { CollectOptions } from "./archive/collect-artifacts.ts";
export { collectArtifacts } from "./archive/collect-artifacts.ts";
export { findApiKey, type KeySources } from "./credentials/find-api-key.ts";
export type { ConfiguredEngine, OpenConfiguredEngineOptions } from "./engine-config/open-configured-engine.ts";
export { openConfiguredEngine } from "./engine-config/open-configured-engine.ts";
export { parseEngineFile } from "./engine-config/parse-engine-file.ts";
export { parseJson } from "./input/parse-json.ts";
export { parseSessionInput } from "./input/parse-session-input.ts";
export { createRunId } from "./run-files/run-id.ts";
export { attributesFromSession, boardFromSession } from "./session/board-from-session.ts";
export { resumeSession } from "./session/resume-session.ts";
export type { ResumeSessionOptions } from "./session/resume-session-options.ts";
export type { SessionOptions } from "./session/session-options.ts";
export type { ResultDefaults } from "./session/session-result-from.ts";
export { sessionResultFrom } from "./session/session-result-from.ts";
export { runSession, startSession } from "./session/start-session.ts";
export type { StartSessionOptions } from "./session/start-session-options.ts";
export type { Timer } from "./session/timer.ts";
export type { LoadedSkills, LoadSkillsOptions } from "./skills/load-skills.ts";
export { loadSkills } from "./skills/load-skills.ts";
export type { SnapshotOptions, WorkspaceSnapshot } from "./workspace-diff/workspace-snapshot.ts";
export { takeSnapshot } from "./workspace-diff/workspace-snapshot.ts";
