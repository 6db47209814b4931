import type { SessionReport } from "@switchyard/contracts";
import type { EarlierConversation } from "../session/chat-host.ts";

/** Finished turn of an interactive session. */
export interface PastTurn {
  /** Message of the user. */
  readonly prompt: string;
  /** Report of the turn's run. */
  readonly report: SessionReport;
}

/** The turns of an interactive session, and the run that the next turn continues. */
export interface Conversation {
  /** Turns, the oldest first. Turns of a continued conversation are not included. */
  readonly turns: readonly PastTurn[];
  /** Id of the run that the next turn continues. `undefined` for a new conversation. */
  readonly from: string | undefined;
  /** Adds a turn. */
  add(turn: PastTurn): void;
  /** Keeps the given number of turns, and removes all later ones. */
  keep(count: number): void;
  /** Replaces all turns by an earlier conversation, which then continues. */
  continue(earlier: EarlierConversation): void;
}

/** Creates a conversation that continues an earlier one, or a new one. */
export function createConversation(earlier?: EarlierConversation): Conversation {
  let start = earlier?.runId;
  let turns: PastTurn[] = [];
  return {
    get turns() {
      return turns;
    },
    get from() {
      // A run without a result, such as one that could not reach its model, has no conversation to continue.
      return turns.findLast(({ report }) => report.result !== undefined)?.report.runId ?? start;
    },
    add: (turn) => void turns.push(turn),
    keep: (count) => {
      turns = turns.slice(0, count);
    },
    continue: ({ runId }) => {
      start = runId;
      turns = [];
    },
  };
}
