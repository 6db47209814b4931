import { type Board, type Checkpoint, NO_USAGE, type Usage } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";
import { createUsageMeter, type EarlierUsage, type UsageMeter } from "./usage-meter.ts";

/** Variable with what a run has used. */
const USED = "__run_used";
/** List variable with the ids of the answers in it: each checkpoint adds only the new ones. */
const RESPONSE_IDS = "__run_response_ids";

/** What a run had used when a checkpoint was made. */
export interface UsedUntil {
  readonly usage: EarlierUsage;
  /** Time it had been worked on, in milliseconds. */
  readonly activeMs: number;
}

/** Where what was used is noted. */
export interface UsageOnBoardOptions {
  readonly board: Board;
  /** Time the run has been worked on, in milliseconds. */
  readonly activeMs: () => number;
  /** What the board will have when the engine has gone on from it. */
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * A meter that notes on the run's board what it counts: so every checkpoint has it, and it is kept as safely as that.
 * Events are not: they may be lost with the power. Board and budget then go on from the same moment. D9, D14.
 */
export function usageOnBoard(meter: UsageMeter, { board, activeMs, checkpoint }: UsageOnBoardOptions): UsageMeter {
  const noted = new Set(usedUntil(checkpoint)?.usage.responseIds);
  function note(): void {
    const { usage, modelCalls, responseIds } = meter.used();
    try {
      board.setVar(USED, { usage, modelCalls, activeMs: Math.round(activeMs()) });
      for (const id of responseIds) {
        if (noted.has(id)) continue;
        noted.add(id);
        board.appendSliceVar(RESPONSE_IDS, id);
      }
    } catch {
      // An engine may have put something else there; the events tell the same.
    }
  }
  return {
    ...meter,
    add: (usage) => {
      const counts = meter.add(usage);
      note();
      return counts;
    },
    addEvent: (usage, responseId) => {
      meter.addEvent(usage, responseId);
      note();
    },
  };
}

/** What a checkpoint says about what had been used; nothing when it does not say it. */
export function usedUntil(checkpoint: Checkpoint | undefined): UsedUntil | undefined {
  const vars = checkpoint?.board.vars ?? {};
  const { [USED]: used, [RESPONSE_IDS]: ids } = vars;
  if (!isRecord(used) || !isRecord(used["usage"])) return undefined;
  return {
    usage: {
      usage: readUsage(used["usage"]),
      modelCalls: readNumber(used["modelCalls"]),
      responseIds: Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [],
    },
    activeMs: readNumber(used["activeMs"]),
  };
}

/** Engines can write what they like there: the meter takes what is a number. */
function readUsage(value: Readonly<Record<string, unknown>>): Usage {
  const meter = createUsageMeter();
  meter.add({ ...NO_USAGE, ...value, responseId: undefined });
  return meter.total();
}

/** A number that was read from somewhere; 0 where it is none, or less. */
export function readNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
