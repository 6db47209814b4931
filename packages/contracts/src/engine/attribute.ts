/** Names of a run's conventional attributes, for telemetry and event headers. See engine: Run.Attributes. */
export const ATTRIBUTE = {
  /** Id of the agent. */
  agentId: "agent.id",
  /** Id of the tenant to which the run belongs. */
  tenantId: "tenant.id",
  /** Id of the run. */
  runId: "run.id",
  /** Id of the run that dispatched this subagent. */
  parentRunId: "parent.run.id",
  /** Id of the task that the run works on. */
  taskId: "task.id",
  /** Kind of the engine. */
  engineKind: "engine.kind",
  /** How the run ended. */
  runStatus: "run.status",
  /** Name of the graph. */
  graphName: "graph.name",
  /** Id of the node. */
  nodeId: "node.id",
  /** Name of the tool. */
  toolName: "tool.name",
  /** Id of the tool call. */
  toolCallId: "tool.call_id",
  /** Provider of the model. */
  llmProvider: "llm.provider",
  /** Name of the model. */
  llmModel: "llm.model",
  /** Number of input tokens. */
  inputTokens: "llm.tokens.input",
  /** Number of output tokens. */
  outputTokens: "llm.tokens.output",
  /** Sum of input and output tokens. */
  totalTokens: "llm.tokens.total",
  /** Input tokens that were read from the provider's cache. */
  cachedInputTokens: "llm.tokens.input.cached",
  /** Cost in millionths of a US dollar. */
  costMicros: "llm.cost.micros",
  /** Duration of the model call, in milliseconds. */
  latencyMs: "llm.latency.ms",
  /** Id of the conversation. */
  conversationId: "conversation.id",
  /** Message of the error. */
  errorMessage: "error.message",
} as const;
