import type { SubagentStatus, Usage } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";

/** Version of what a boundary says; a newer one is refused. */
export const BOUNDARY_VERSION = 1;

/**
 * Where in the loop a boundary is. architecture: decision 22.
 *
 * `intents`: the model has asked for tools and none of them has started. `outcomes`: the results are there, and what
 * was steered meanwhile. `suggested`: somebody asked for a boundary where none was due. `stopped`: the session is being
 * stopped, in the middle of a round whose outcomes are there, or in a model call before which something was said that
 * the last boundary does not have. `settled`: its input is done and nothing is to be gone on with, which only children
 * of another session are kept at.
 */
export type BoundaryKind = "intents" | "outcomes" | "suggested" | "stopped" | "settled";

/** What a session knows besides its turns: small plain data. */
export interface SessionProgress {
  /** Version of this format. */
  readonly version: typeof BOUNDARY_VERSION;
  /** Id of the session. */
  readonly sessionId: string;
  /** Index of the first turn that is not history the session began with. */
  readonly firstTurn: number;
  /** Tool rounds of the current input so far. loop: round_count, §2.5. */
  readonly rounds: number;
  /** Whether the context is known to be over the threshold. loop: §5.5. */
  readonly isContextHigh: boolean;
  /** The pattern of calls the model was told about. loop: §2.10. */
  readonly warnedPattern?: string | undefined;
  /** Steering that waits to be injected. loop: steering_queue, §2.1. */
  readonly steering: readonly string[];
  /** Inputs that wait until the current one is done. loop: followup_queue, §2.1. */
  readonly followUps: readonly string[];
  /** Time worked on inputs, in milliseconds; where a limit on it is set. */
  readonly activeMs?: number | undefined;
  /** Tokens paid for something that is in no turn, such as a response that was discarded. */
  readonly unrecordedUsage?: Usage | undefined;
  /** Whether it was told that the price of an answer is not known. */
  readonly isCostUnknown?: boolean | undefined;
}

/** The whole state of a session at a moment from which another process can go on. architecture: decision 22. */
export interface SessionBoundary {
  /** Where in the loop it is. */
  readonly kind: BoundaryKind;
  /** Every turn, in order. The list goes on growing: whoever keeps it writes it down before the hook resolves. */
  readonly turns: readonly Turn[];
  /** The system prompt, which stays the same when the session goes on elsewhere; unset before it is made. loop: §6.3. */
  readonly systemPrompt?: string | undefined;
  /** Everything else; messages may join what waits in it, like turns the list. */
  readonly progress: SessionProgress;
  /** Its children, each at the last boundary of its own, in the order in which they were spawned. loop: §7. */
  readonly children?: readonly SubagentBoundary[] | undefined;
}

/** A child of a session, as it is kept with its parent. loop: SubAgentHandle, §7.3. */
export interface SubagentBoundary {
  /** Its id. */
  readonly id: string;
  /** The call that spawned it. */
  readonly callId: string;
  /** Folder below its parent's that it is limited to. */
  readonly workingDir?: string | undefined;
  /** The vendor's model id, where it is not its parent's. */
  readonly model?: string | undefined;
  /** Most answers of its model; 0 means no limit. */
  readonly maxTurns: number;
  /** How its work was going. */
  readonly status: SubagentStatus;
  /** Whether it was closed for good. */
  readonly isClosed: boolean;
  /** Why it did not succeed. */
  readonly problem?: string | undefined;
  /** Calls of its parent's current round that said something to it. */
  readonly inputs: readonly string[];
  /** Its own state; `settled` unless it was running. */
  readonly boundary: SessionBoundary;
}
