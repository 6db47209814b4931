import { EngineError } from "@switchyard/contracts";
import { BOUNDARY_VERSION } from "../checkpoint/session-boundary.ts";
import { repairHistory } from "../conversation/repair-history.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { snapshotOf } from "./take-snapshot.ts";

/** Options for `Session.fork`. They override the options of the original session. */
export interface ForkOptions
  extends Partial<
    Omit<SessionOptions, "history" | "resumeFrom" | "snapshot" | "onBoundary" | "beforeEffect" | "effectJournal">
  > {
  /** Index of the last turn to include. Default: the last turn of the history. */
  readonly turn?: number | undefined;
  /** Stores the state of the fork. Default: the state is not stored. */
  readonly onBoundary?: SessionOptions["onBoundary"];
  /** Awaited before each tool call of the fork that is not safe to repeat. Default: none. */
  readonly beforeEffect?: SessionOptions["beforeEffect"];
}

/**
 * Session options that affect the system prompt. If the options of a fork override one of them, the prompt is rebuilt.
 */
const PROMPT_OPTIONS = ["profile", "environment", "instructions", "tools", "allowedTools", "skills"] as const;

function lastTurn({ conversation }: SessionCore, turn: number | undefined): number {
  const last = conversation.turns.length - 1;
  if (turn === undefined) return last;
  if (Number.isSafeInteger(turn) && turn >= 0 && turn <= last) return turn;
  const problem = `there is no turn ${turn}; the history has ${last + 1}`;
  throw new EngineError("config.invalid", { field: "turn", problem });
}

/** Returns the initial state of a fork: the turns up to the chosen one, with missing tool results added. */
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

/**
 * Returns the options of a fork: the session's options with the given overrides. Callbacks that store state are not
 * inherited.
 */
export function forkOptions(core: SessionCore, sessionOptions: SessionOptions, options: ForkOptions): SessionOptions {
  const { turn, ...different } = options;
  const { model, ...config } = core.config;
  const inherited = options.profile === undefined ? { ...config, model } : config;
  return {
    ...sessionOptions,
    history: undefined,
    resumeFrom: undefined,
    onBoundary: undefined,
    beforeEffect: undefined,
    effectJournal: undefined,
    ...different,
    config: { ...inherited, ...options.config },
    snapshot: forkSnapshot(core, { createId: sessionOptions.createId, ...options }),
  };
}
