// Exports for users of the library: sessions, profiles, events, and the engine that runs sessions.

export type { ApprovalOutcome, ApprovalPolicy, ApprovalRule } from "./approval/approval-policy.ts";
export type {
  ApprovalContext,
  ApprovalDecision,
  ApprovalRequest,
  ApproveToolCall,
  AskUser,
} from "./approval/approval-request.ts";
export type { AllowedCalls, ApprovalPolicyOptions } from "./approval/create-approval-policy.ts";
export { createApprovalPolicy } from "./approval/create-approval-policy.ts";
export type {
  CompactionContext,
  CompactionPlan,
  CompactionReason,
  CompactionReport,
  CompactionRequest,
  CompactionStrategy,
  CompactionView,
} from "./compaction/compaction-strategy.ts";
export type { SummaryCompactionOptions } from "./compaction/create-summary-compaction.ts";
export { createSummaryCompaction } from "./compaction/create-summary-compaction.ts";
export type {
  AssistantTurn,
  CompactionMark,
  SteeringTurn,
  SystemTurn,
  ToolResultsTurn,
  Turn,
  UserTurn,
} from "./conversation/turn.ts";
export type { UserInput } from "./conversation/user-input.ts";
export type { AgentEngineOptions } from "./engine/agent-engine-options.ts";
export { createAgentEngine } from "./engine/create-agent-engine.ts";
export type { SessionEvent, SessionEventOf, SessionEvents, SessionListener } from "./events/session-event.ts";
export { composeHooks } from "./hooks/compose-hooks.ts";
export type { HookContext, HookedCall, SessionHooks, ToolCallChange } from "./hooks/session-hooks.ts";
export type { AnthropicProfileOptions } from "./profile/anthropic-profile.ts";
export { createAnthropicProfile } from "./profile/anthropic-profile.ts";
export { createProfile, PROFILE_FAMILIES } from "./profile/create-profile.ts";
export type { GeminiProfileOptions } from "./profile/gemini-profile.ts";
export { createGeminiProfile } from "./profile/gemini-profile.ts";
export { createOpenAiProfile } from "./profile/openai-profile.ts";
export type { ProfileOptions, ToolNaming } from "./profile/profile-options.ts";
export type { ProviderOptions, ProviderProfile, SystemPromptLayers } from "./profile/provider-profile.ts";
export { Session } from "./session/session.ts";
export type { SessionConfig } from "./session/session-config.ts";
export { createSessionConfig } from "./session/session-config.ts";
export type { CallExtension, SessionOptions } from "./session/session-options.ts";
export type { SessionState } from "./session/session-state.ts";

// Exports for implementers: tools, truncation and patches.

export { applyHunks } from "./apply-patch/apply-hunks.ts";
export { parsePatch } from "./apply-patch/parse-patch.ts";
export type { AddFile, DeleteFile, Hunk, HunkLine, PatchOperation, UpdateFile } from "./apply-patch/patch.ts";
export { parseBoundary } from "./checkpoint/parse-boundary.ts";
export type {
  BoundaryKind,
  SessionBoundary,
  SessionProgress,
  SubagentBoundary,
} from "./checkpoint/session-boundary.ts";
export { BOUNDARY_VERSION } from "./checkpoint/session-boundary.ts";
export { repairHistory } from "./conversation/repair-history.ts";
export type { ImageType } from "./image/image-format.ts";
export type { PreparedImage } from "./image/prepare-image.ts";
export { prepareImage } from "./image/prepare-image.ts";
export type { CallToolOptions, ToolCallResult } from "./pipeline/call-tool.ts";
export { callTool, toolDefinitions } from "./pipeline/call-tool.ts";
export { ToolRegistry } from "./pipeline/tool-registry.ts";
export { createReadBeforeWrite } from "./read-before-write/create-read-before-write.ts";
export type { CustomCommand, Skill } from "./skills/skill.ts";
export type { ForkOptions } from "./snapshot/fork-snapshot.ts";
export { parseSnapshot } from "./snapshot/parse-snapshot.ts";
export type { SessionSnapshot } from "./snapshot/session-snapshot.ts";
export { SNAPSHOT_VERSION } from "./snapshot/session-snapshot.ts";
export type { SubagentHandle } from "./subagents/subagent-handle.ts";
export type { OutputLimitOverrides } from "./truncation/output-limits.ts";
export { DEFAULT_OUTPUT_LIMITS } from "./truncation/output-limits.ts";
export { truncateToolOutput } from "./truncation/truncate-tool-output.ts";
export type { FallbackModel } from "./turn-retry/model-fallbacks.ts";
