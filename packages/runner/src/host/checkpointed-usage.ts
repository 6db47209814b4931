import { type Board, type Checkpoint, NO_USAGE, type Usage } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";
import { createUsageMeter, type EarlierUsage, type UsageMeter } from "./usage-meter.ts";

/** Variable with what a run has used. */
const USED = "__run_used";
/** List variable with the usage of each answer that has an id: a checkpoint adds only the new ones. */
const ANSWERS = "__run_answers";

/** What a run had used when a checkpoint was made. */
export interface CheckpointedUsage {
  readonly usage: EarlierUsage;
  /** Time it had been worked on, in milliseconds. */
  readonly activeMs: number;
}

/** Where what was used is noted. */
export interface CheckpointedUsageOptions {
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
export function withCheckpointedUsage(
  meter: UsageMeter,
  { board, activeMs, checkpoint }: CheckpointedUsageOptions,
): UsageMeter {
  const noted = new Set(usageInCheckpoint(checkpoint)?.usage.answers.keys());
  // Only what is new is looked at: a session has thousands of answers.
  function note(responseId: unknown): void {
    const [usage, modelCalls] = [meter.total(), meter.modelCalls()];
    try {
      board.setVar(USED, { usage, modelCalls, activeMs: Math.round(activeMs()) });
      if (typeof responseId !== "string" || noted.has(responseId)) return;
      noted.add(responseId);
      board.appendSliceVar(ANSWERS, { ...meter.answer(responseId), responseId });
    } catch {
      // An engine may have put something else there; the events tell the same.
    }
  }
  return {
    ...meter,
    add: (usage) => {
      const counts = meter.add(usage);
      note(usage.responseId);
      return counts;
    },
    addEvent: (usage, responseId) => {
      meter.addEvent(usage, responseId);
      note(responseId);
    },
  };
}

/** What a checkpoint says about what had been used; nothing when it does not say it. */
export function usageInCheckpoint(checkpoint: Checkpoint | undefined): CheckpointedUsage | undefined {
  const vars = checkpoint?.board.vars ?? {};
  const { [USED]: used, [ANSWERS]: answers } = vars;
  if (!isRecord(used) || !isRecord(used["usage"])) return undefined;
  return {
    usage: {
      usage: readUsage(used["usage"]),
      modelCalls: readNumber(used["modelCalls"]),
      answers: readAnswers(answers),
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

function readAnswers(value: unknown): Map<string, Usage> {
  const answers = new Map<string, Usage>();
  for (const answer of Array.isArray(value) ? value : []) {
    if (isRecord(answer) && typeof answer["responseId"] === "string")
      answers.set(answer["responseId"], readUsage(answer));
  }
  return answers;
}

/** A number that was read from somewhere; 0 where it is none, or less. */
export function readNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
