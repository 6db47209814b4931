import { type Board, type Checkpoint, NO_USAGE, type Usage } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";
import { createUsageMeter, type EarlierUsage, type UsageMeter } from "./usage-meter.ts";

/** Name of the variable with the total usage, on the board (the engine's key-value state, which checkpoints store). */
const USED = "__run_used";
/**
 * Name of the list, on the board (the engine's key-value state), with the usage of each model response that has an id.
 * Each checkpoint adds only the new responses.
 */
const ANSWERS = "__run_answers";

/** Usage of a run when a checkpoint was saved. */
export interface CheckpointedUsage {
  readonly usage: EarlierUsage;
  /** Active time, in milliseconds. */
  readonly activeMs: number;
}

/** Options of {@link withCheckpointedUsage}. */
export interface CheckpointedUsageOptions {
  readonly board: Board;
  /** Returns the active time of the run, in milliseconds. */
  readonly activeMs: () => number;
  /** Checkpoint that the run resumes from. `undefined` for a fresh start. */
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * Returns a usage meter that stores usage on the board (the engine's state), so that every checkpoint contains the
 * usage. A power failure may lose events that report usage. The budget of a resumed run still includes this usage,
 * because the checkpoint contains it. See durability promises D9, D14.
 */
export function withCheckpointedUsage(
  meter: UsageMeter,
  { board, activeMs, checkpoint }: CheckpointedUsageOptions,
): UsageMeter {
  const noted = new Set(usageInCheckpoint(checkpoint)?.usage.answers.keys());
  // Records only the new response, because a session can have thousands of responses.
  function note(responseId: unknown, isTotalChanged: boolean): void {
    try {
      if (isTotalChanged) {
        const [usage, modelCalls] = [meter.total(), meter.modelCalls()];
        board.setVar(USED, { usage, modelCalls, activeMs: Math.round(activeMs()) });
      }
      if (typeof responseId !== "string" || noted.has(responseId)) return;
      noted.add(responseId);
      board.appendSliceVar(ANSWERS, { ...meter.answer(responseId), responseId });
    } catch {
      // The engine may have overwritten the board variable. The events contain the same usage.
    }
  }
  return {
    ...meter,
    add: (usage) => {
      const counts = meter.add(usage);
      note(usage.responseId, counts);
      return counts;
    },
    addEvent: (usage, responseId) => {
      const calls = meter.modelCalls();
      meter.addEvent(usage, responseId);
      // Once the engine reports usage to the host, the usage in events no longer counts.
      note(responseId, meter.modelCalls() !== calls);
    },
  };
}

/** Returns the usage in a checkpoint. `undefined` if the checkpoint has none. */
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

/** Reads usage from a board variable that the engine may have overwritten. Ignores fields that are not numbers. */
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

/** Returns a value that is a finite number of at least 0, otherwise 0. */
export function readNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
