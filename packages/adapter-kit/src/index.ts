// Exports for hosts: kinds of adapters, and adapters as engines.

export type { AgentFindings, ExamineAgentOptions } from "./checkup/examine-agent.ts";
export { examineAgent } from "./checkup/examine-agent.ts";
export type { AdapterRegistry } from "./definition/create-adapter-registry.ts";
export { createAdapterRegistry } from "./definition/create-adapter-registry.ts";
export type { AdapterKind, CreateAdapterOptions } from "./definition/define-adapter.ts";
export type { AdapterModes, PermissionMode } from "./definition/permission-modes.ts";
export { blockWithMode, blockWithoutUser } from "./definition/permission-modes.ts";
export type { AdapterEngine, AdapterEngineOptions } from "./engine/create-adapter-engine.ts";
export { createAdapterEngine } from "./engine/create-adapter-engine.ts";
export type { AgentMcpServers } from "./mcp/mcp-config.ts";
export { mergeMcpServers } from "./mcp/mcp-config.ts";
export { mayRetry, retryDelayMs } from "./outcome/retry-policy.ts";

// For adapter authors.

export type { AgentCheckup, Authentication, CheckupAnswer, CheckupFacts } from "./checkup/agent-checkup.ts";
export type { ConfigReader } from "./definition/config-reader.ts";
export { readConfig } from "./definition/config-reader.ts";
export type { AdapterDefinition, AgentSettings } from "./definition/define-adapter.ts";
export { defineAdapter, isAdapterKind } from "./definition/define-adapter.ts";
export { pulledAdapter } from "./delivery/pulled-adapter.ts";
export type { ForkPerTurnHooks, TurnEnd, TurnInvocation, TurnRequest } from "./fork/fork-per-turn-adapter.ts";
export { forkPerTurnAdapter } from "./fork/fork-per-turn-adapter.ts";
export type { LaunchCommand } from "./launch/parse-command.ts";
export type { LaunchRequest, LaunchTarget } from "./launch/resolve-launch-target.ts";
export { resolveLaunchTarget } from "./launch/resolve-launch-target.ts";
export type {
  FailureCode,
  IncompleteCode,
  TurnEvidence,
  TurnReport,
  TurnStop,
  TurnVerdict,
} from "./outcome/decide-turn.ts";
export { decideTurn } from "./outcome/decide-turn.ts";
export type { JsonObject } from "./output/parse-json-line.ts";
export { isJsonObject, listAt, numberAt, objectAt, parseJsonLine, textAt } from "./output/parse-json-line.ts";
export { MAX_LINE_BYTES } from "./output/read-lines.ts";
export { MAX_NOTICE_CHARS, shortenText, truncateMiddle } from "./output/shorten-text.ts";
export { stripColours } from "./output/strip-colours.ts";
export type { JsonRpcPeer } from "./persistent/json-rpc-peer.ts";
export type { PersistentContext, PersistentHooks, RpcMessage, RpcResult } from "./persistent/persistent-adapter.ts";
export { persistentAdapter } from "./persistent/persistent-adapter.ts";
export { copilotRedirect } from "./redirect/copilot-redirect.ts";
export type {
  GivenVariables,
  ModelEndpoint,
  ModelRedirect,
  RedirectedVariables,
} from "./redirect/model-redirect.ts";
export type { OpencodeModel } from "./redirect/opencode-redirect.ts";
export { opencodeRedirect, redirectedOpencodeSettings } from "./redirect/opencode-redirect.ts";
export type { EndedTool, ToolTracker } from "./tool/create-tool-tracker.ts";
export { createToolTracker } from "./tool/create-tool-tracker.ts";
export type { AgentTimeouts } from "./turn/turn-clock.ts";
export { DEFAULT_TIMEOUTS } from "./turn/turn-clock.ts";
export type { PermissionDecision, ToolEnd, ToolStart, TurnScope } from "./turn/turn-scope.ts";
export type { MeasuredTokens, UsageAccumulator } from "./usage/create-usage-accumulator.ts";
export { createUsageAccumulator } from "./usage/create-usage-accumulator.ts";
