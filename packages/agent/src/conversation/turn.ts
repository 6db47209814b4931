import type { FinishReason, ImagePart, Message, ToolCallPart, ToolResultPart, Usage } from "@switchyard/contracts";

/** User input. See loop: UserTurn, §2.4. */
export interface UserTurn {
  readonly type: "user";
  /** Text of the input. */
  readonly content: string;
  /** Attached images. `undefined` if there are none. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Time of submission, ISO 8601. */
  readonly timestamp: string;
}

/** Model response. See loop: AssistantTurn, §2.4. */
export interface AssistantTurn {
  readonly type: "assistant";
  /** Text of the response. May be empty. */
  readonly content: string;
  /** Requested tool calls, in order. */
  readonly toolCalls: readonly ToolCallPart[];
  /** Reasoning text. `undefined` if the provider does not return it. */
  readonly reasoning?: string | undefined;
  /** Usage of this response. */
  readonly usage: Usage;
  /** Response id, used to count the usage of a response only once. `undefined` if the provider sent no unique id. */
  readonly responseId?: string | undefined;
  /** Time of completion, ISO 8601. */
  readonly timestamp: string;
  /** Why the response ended. `undefined` for the usual reason: `tool_calls` if the response has calls, else `stop`. */
  readonly finishReason?: FinishReason | undefined;
  /**
   * The provider's original message, including signatures that must be sent back. `undefined`: the message is built
   * from the fields above.
   */
  readonly message?: Message | undefined;
}

/** Tool results: one for each call of the preceding turn. See loop: ToolResultsTurn, §2.4. */
export interface ToolResultsTurn {
  readonly type: "tool_results";
  /** Results in the order of the calls. */
  readonly results: readonly ToolResultPart[];
  /** Duration of each call in milliseconds, in the order of the results. `null` if unknown. */
  readonly durationsMs?: readonly (number | null)[] | undefined;
  /** Time of the last result, ISO 8601. */
  readonly timestamp: string;
}

/** Instructions that the host added to the conversation. See loop: SystemTurn, §2.4. */
export interface SystemTurn {
  readonly type: "system";
  /** The instructions. */
  readonly content: string;
  /** Time at which the instructions were added, ISO 8601. */
  readonly timestamp: string;
}

/** Marks a compaction summary, which replaces earlier turns for the model. See loop: §8, compaction. */
export interface CompactionMark {
  /**
   * Number of preserved turns: the last turns before the compaction, which the model still sees. Earlier summaries are
   * not counted. The model sees the summary first, then the preserved turns, then later turns. All other turns stay in
   * the history only.
   */
  readonly keptTurns: number;
  /** Usage of the model calls that wrote the summary. `undefined` if no model was called. */
  readonly usage?: Usage | undefined;
}

/** Message injected while the agent worked, which the model sees as a user message. See loop: SteeringTurn, §2.4. */
export interface SteeringTurn {
  readonly type: "steering";
  /** The message. */
  readonly content: string;
  /** Set only if the message is a compaction summary. */
  readonly compaction?: CompactionMark | undefined;
  /** Number of turns directly before this one whose images are no longer sent, because the API refused one of them. */
  readonly withheldImages?: number | undefined;
  /** Time of injection, ISO 8601. */
  readonly timestamp: string;
}

/** Entry of the conversation. See loop: §2.4. */
export type Turn = UserTurn | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn;
