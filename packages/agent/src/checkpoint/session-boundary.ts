import type { SubagentStatus, Usage } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";

/** Version of the format of stored session state. Newer versions are rejected. */
export const BOUNDARY_VERSION = 1;

/**
 * Point in the agent loop at which session state is stored. See architecture: decision 22. `intents`: the model has
 * requested tool calls, and none has started. `outcomes`: the results are available, with steering messages that
 * arrived during the calls. `suggested`: the host requested a boundary between the regular ones. `stopped`: the session
 * is stopping after a round or during a model call, and messages were added since the last boundary. `settled`: the
 * input is complete and nothing remains to resume; used for subagents only.
 */
export type BoundaryKind = "intents" | "outcomes" | "suggested" | "stopped" | "settled";

/** Session state other than turns, as small plain data. */
export interface SessionProgress {
  /** Version of this format. */
  readonly version: typeof BOUNDARY_VERSION;
  /** Id of the session. */
  readonly sessionId: string;
  /** Index of the first turn after the initial history. */
  readonly firstTurn: number;
  /** Number of tool rounds for the current input. See loop: round_count, §2.5. */
  readonly rounds: number;
  /** True if the conversation was last found to exceed the warning threshold of the context window. See loop: §5.5. */
  readonly isContextHigh: boolean;
  /** Pattern of repeated tool calls that the model was warned about. See loop: §2.10. */
  readonly warnedPattern?: string | undefined;
  /** Queued steering messages. See loop: steering_queue, §2.1. */
  readonly steering: readonly string[];
  /** Queued follow-up inputs. See loop: followup_queue, §2.1. */
  readonly followUps: readonly string[];
  /** Time spent processing inputs, in milliseconds. `undefined` if the session has no time limit. */
  readonly activeMs?: number | undefined;
  /** Usage that is not part of any turn, such as that of a discarded response. */
  readonly unrecordedUsage?: Usage | undefined;
  /** Whether the warning about an unknown price was emitted. */
  readonly isCostUnknown?: boolean | undefined;
}

/** Complete state of a session at a point from which another process can resume it. See architecture: decision 22. */
export interface SessionBoundary {
  /** Position in the loop. */
  readonly kind: BoundaryKind;
  /** All turns, in order. The array keeps growing, so serialize it before the hook resolves. */
  readonly turns: readonly Turn[];
  /**
   * System prompt, which stays the same when the session is resumed. `undefined` before it is built. See loop: §6.3.
   */
  readonly systemPrompt?: string | undefined;
  /** Session state other than turns. Its message queues may grow, so serialize it before the hook resolves. */
  readonly progress: SessionProgress;
  /** Subagents in the order in which they were spawned, each with its last stored state. See loop: §7. */
  readonly children?: readonly SubagentBoundary[] | undefined;
}

/** State of a subagent, stored as part of its parent's state. See loop: SubAgentHandle, §7.3. */
export interface SubagentBoundary {
  /** Subagent id. */
  readonly id: string;
  /** Id of the call that spawned the subagent. */
  readonly callId: string;
  /** Folder that the subagent is restricted to, relative to its parent's folder. `undefined`: the parent's folder. */
  readonly workingDir?: string | undefined;
  /** Model id given when the subagent was spawned. `undefined`: the parent's model. */
  readonly model?: string | undefined;
  /** Maximum number of model responses. 0: no limit. */
  readonly maxTurns: number;
  /** Status of the subagent's work. */
  readonly status: SubagentStatus;
  /** Whether the subagent was closed permanently. */
  readonly isClosed: boolean;
  /** Error message. `undefined` if the subagent did not fail. */
  readonly problem?: string | undefined;
  /** Ids of the calls in the parent's current round that sent this subagent a message. */
  readonly inputs: readonly string[];
  /** State of the subagent's session. `boundary.kind` is `settled` unless the subagent was running. */
  readonly boundary: SessionBoundary;
}
