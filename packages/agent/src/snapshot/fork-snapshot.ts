import { EngineError } from "@switchyard/contracts";
import { BOUNDARY_VERSION } from "../checkpoint/session-boundary.ts";
import { repairHistory } from "../conversation/repair-history.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { snapshotOf } from "./take-snapshot.ts";

/** Where a fork begins, and what is different in it. */
export interface ForkOptions
  extends Partial<Omit<SessionOptions, "history" | "resumeFrom" | "snapshot" | "onBoundary" | "beforeEffect">> {
  /** Index of the last turn it takes over; the last one of the history by default. */
  readonly turn?: number | undefined;
  /** Keeps the state of the fork; nobody does when it is unset. */
  readonly onBoundary?: SessionOptions["onBoundary"];
  /** Awaited before each call of the fork that cannot be repeated. */
  readonly beforeEffect?: SessionOptions["beforeEffect"];
}

/** Options that say something in the system prompt: with another one of them it is made anew. */
const PROMPT_OPTIONS = ["profile", "environment", "instructions", "tools", "allowedTools", "skills"] as const;

function lastTurn({ conversation }: SessionCore, turn: number | undefined): number {
  const last = conversation.turns.length - 1;
  if (turn === undefined) return last;
  if (Number.isSafeInteger(turn) && turn >= 0 && turn <= last) return turn;
  const problem = `there is no turn ${turn}; the history has ${last + 1}`;
  throw new EngineError("config.invalid", { field: "turn", problem });
}

/** The beginning of a fork: the turns up to one, repaired where that cuts calls off from their results. */
function forkSnapshot(core: SessionCore, { turn, createId, ...options }: ForkOptions): SessionSnapshot {
  const turns = repairHistory(core.conversation.turns.slice(0, lastTurn(core, turn) + 1));
  const systemPrompt = PROMPT_OPTIONS.some((name) => options[name] !== undefined) ? undefined : core.systemPrompt;
  return snapshotOf(core, "idle", {
    kind: "suggested",
    turns,
    systemPrompt,
    progress: {
      version: BOUNDARY_VERSION,
      sessionId: createId?.() ?? crypto.randomUUID(),
      firstTurn: turns.length,
      rounds: 0,
      isContextHigh: false,
      steering: [],
      followUps: [],
    },
  });
}

/** What a fork is made of: what the session is made of, but for its own keeper, and what is different. */
export function forkOptions(core: SessionCore, made: SessionOptions, options: ForkOptions): SessionOptions {
  const { turn, ...different } = options;
  const { model, ...config } = core.config;
  const kept = options.profile === undefined ? { ...config, model } : config;
  return {
    ...made,
    history: undefined,
    resumeFrom: undefined,
    onBoundary: undefined,
    beforeEffect: undefined,
    ...different,
    config: { ...kept, ...options.config },
    snapshot: forkSnapshot(core, { createId: made.createId, ...options }),
  };
}
