/** Part of a message or observation. */
export interface TrajectoryPart {
  /** Kind of the part. Audio since version 1.8. */
  type: "text" | "image" | "audio";
  /** Text of a part of type `text`. */
  text?: string | undefined;
  /** Source of an image or a recording. */
  source?: { media_type: string; path: string; duration_sec?: number | undefined } | undefined;
}

/** Text, or text mixed with images. */
export type TrajectoryContent = string | TrajectoryPart[];

/** Additional data that the format does not define. */
export type TrajectoryExtra = Readonly<Record<string, unknown>>;

/** Tool call of an agent. */
export interface TrajectoryToolCall {
  /** Id of the call, which its result refers to. */
  tool_call_id: string;
  /** Name of the tool. */
  function_name: string;
  /** Arguments of the call. */
  arguments: Readonly<Record<string, unknown>>;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** Reference to the trajectory of a subagent. */
export interface TrajectoryReference {
  /** Id of a trajectory in `subagent_trajectories`. */
  trajectory_id?: string | undefined;
  /** Path or URL of a file with the trajectory. */
  trajectory_path?: string | undefined;
  /** Id of the subagent's session. */
  session_id?: string | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** Result of a tool call, or another observation of the environment. */
export interface TrajectoryResult {
  /** Id of the tool call in the same step. `undefined` if the observation does not belong to a call. */
  source_call_id?: string | undefined;
  /** Content of the observation. */
  content?: TrajectoryContent | undefined;
  /** Trajectories of subagents that the call started. */
  subagent_trajectory_ref?: TrajectoryReference[] | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** Tokens and cost of a step. */
export interface TrajectoryMetrics {
  /** Number of input tokens, cached ones included. */
  prompt_tokens?: number | undefined;
  /** Number of output tokens. */
  completion_tokens?: number | undefined;
  /** Number of input tokens that the provider's cache contained. */
  cached_tokens?: number | undefined;
  /** Cost, in US dollars. */
  cost_usd?: number | undefined;
  /** Token ids of the input. */
  prompt_token_ids?: number[] | undefined;
  /** Token ids of the output. */
  completion_token_ids?: number[] | undefined;
  /** Log probabilities of the output tokens. */
  logprobs?: number[] | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** One step of a trajectory: a message of the system or user, or a response of the agent with its tool calls. */
export interface TrajectoryStep {
  /** Number of the step, starting at 1. */
  step_id: number;
  /** Time of the step, ISO 8601. */
  timestamp?: string | undefined;
  /** Author of the step. */
  source: "system" | "user" | "agent";
  /** Model of the step, if it differs from that of the agent. */
  model_name?: string | undefined;
  /** Reasoning effort: a level or a number. */
  reasoning_effort?: string | number | undefined;
  /** Message of the step. Empty if the response has only tool calls. */
  message: TrajectoryContent;
  /** Reasoning of the model. */
  reasoning_content?: string | undefined;
  /** Tool calls of the agent. */
  tool_calls?: TrajectoryToolCall[] | undefined;
  /** Results of the tool calls. */
  observation?: { results: TrajectoryResult[] } | undefined;
  /** Tokens and cost. */
  metrics?: TrajectoryMetrics | undefined;
  /** Whether the step was copied from an earlier trajectory to give context. */
  is_copied_context?: boolean | undefined;
  /** Number of model calls of the step. */
  llm_call_count?: number | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** The agent of a trajectory. */
export interface TrajectoryAgent {
  /** Name of the agent. */
  name: string;
  /** Version of the agent. */
  version: string;
  /** Default model of the steps. */
  model_name?: string | undefined;
  /** Tools that the agent had. */
  tool_definitions?: TrajectoryExtra[] | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** Sums over all steps. */
export interface TrajectoryTotals {
  /** Number of input tokens, cached ones included. */
  total_prompt_tokens?: number | undefined;
  /** Number of output tokens. */
  total_completion_tokens?: number | undefined;
  /** Number of input tokens that the provider's cache contained. */
  total_cached_tokens?: number | undefined;
  /** Cost, in US dollars. */
  total_cost_usd?: number | undefined;
  /** Number of steps. */
  total_steps?: number | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
}

/** A trajectory in Harbor's Agent Trajectory Interchange Format (ATIF). */
export interface Trajectory {
  /** Version of the format, such as `ATIF-v1.7`. */
  schema_version: string;
  /** Id of the session that the trajectory belongs to. Required before version 1.7. */
  session_id?: string | undefined;
  /** Id of the document. Required for trajectories of subagents. */
  trajectory_id?: string | undefined;
  /** The agent. */
  agent: TrajectoryAgent;
  /** Steps, in order. At least one. */
  steps: TrajectoryStep[];
  /** Remarks. */
  notes?: string | undefined;
  /** Sums over all steps. */
  final_metrics?: TrajectoryTotals | undefined;
  /** File that continues the trajectory. */
  continued_trajectory_ref?: string | undefined;
  /** Additional data. */
  extra?: TrajectoryExtra | undefined;
  /** Trajectories of subagents. */
  subagent_trajectories?: Trajectory[] | undefined;
}
