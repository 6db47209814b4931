import type { FinishReason, ImagePart, Message, ToolCallPart, ToolResultPart, Usage } from "@switchyard/contracts";

/** What the user submitted. loop: UserTurn, §2.4. */
export interface UserTurn {
  readonly type: "user";
  /** The input. */
  readonly content: string;
  /** Pictures that go with it. */
  readonly images?: readonly ImagePart[] | undefined;
  /** When it was submitted, ISO 8601. */
  readonly timestamp: string;
}

/** One answer of the model. loop: AssistantTurn, §2.4. */
export interface AssistantTurn {
  readonly type: "assistant";
  /** Its text; may be empty. */
  readonly content: string;
  /** The tools it asked for, in order. */
  readonly toolCalls: readonly ToolCallPart[];
  /** Its reasoning, where the provider shows it. */
  readonly reasoning?: string | undefined;
  /** Tokens of this answer. */
  readonly usage: Usage;
  /** Id the provider gave the answer. */
  readonly responseId?: string | undefined;
  /** When it was complete, ISO 8601. */
  readonly timestamp: string;
  /** Why the response ended. `undefined` if it ended as its content says: `tool_calls` with calls, else `stop`. */
  readonly finishReason?: FinishReason | undefined;
  /** The provider's own message, whose signatures round-trip; made from the fields above when unset. */
  readonly message?: Message | undefined;
}

/** What the tools answered: one result for each call of the turn before. loop: ToolResultsTurn, §2.4. */
export interface ToolResultsTurn {
  readonly type: "tool_results";
  /** In the order of the calls. */
  readonly results: readonly ToolResultPart[];
  /** How long each call took, in milliseconds, in the order of the results; null where nobody knows. */
  readonly durationsMs?: readonly (number | null)[] | undefined;
  /** When the last of them was there, ISO 8601. */
  readonly timestamp: string;
}

/** Instructions of the host inside the conversation. loop: SystemTurn, §2.4. */
export interface SystemTurn {
  readonly type: "system";
  /** The instructions. */
  readonly content: string;
  /** When they were added, ISO 8601. */
  readonly timestamp: string;
}

/** Marks the summary that a compaction put in the place of what was before. loop: §8, compaction. */
export interface CompactionMark {
  /**
   * How many turns directly before this one the model still sees as they are, earlier summaries not counted. It sees
   * the summary, then these, then what follows; the turns before them stay in the history and are seen no more.
   */
  readonly keptTurns: number;
  /** Tokens that making the summary took. */
  readonly usage?: Usage | undefined;
}

/** A message that was injected while the agent worked; the model sees it as the user's. loop: SteeringTurn, §2.4. */
export interface SteeringTurn {
  readonly type: "steering";
  /** The message. */
  readonly content: string;
  /** Set where the message is the summary of what was before. */
  readonly compaction?: CompactionMark | undefined;
  /** Number of turns directly before this one whose images are no longer sent, because the API refused one of them. */
  readonly withheldImages?: number | undefined;
  /** When it was injected, ISO 8601. */
  readonly timestamp: string;
}

/** One entry of the conversation. loop: §2.4. */
export type Turn = UserTurn | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn;
