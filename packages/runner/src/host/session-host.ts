import { type Checkpoint, EngineError, type Host, type InterruptSource, type RunWriter } from "@switchyard/contracts";
import type { RecordedWork } from "../resume/recorded-work.ts";
import type { RunEvents } from "./run-events.ts";
import type { UsageMeter } from "./usage-meter.ts";
import type { UserQuestions } from "./user-questions.ts";

/** Options of {@link createSessionHost}. */
export interface SessionHostOptions {
  /** Stores checkpoints. */
  writer: Pick<RunWriter, "runId" | "save">;
  /** Whether the engine declares that it saves checkpoints. If it does not, its checkpoints are not stored. */
  emitsCheckpoint: boolean;
  /** Counters of the run's earlier attempts. New checkpoints are numbered after the last recorded checkpoint. */
  work: RecordedWork;
  /** Publishes events. */
  events: RunEvents;
  /** Source of interrupts. */
  interrupts: InterruptSource;
  /** Asks the user. */
  questions: UserQuestions;
  /** Meters usage. */
  usage: UsageMeter;
  /** Returns the active time of all attempts together, in milliseconds. */
  activeMs: () => number;
  /**
   * Called with the number of each stored checkpoint, before the engine continues. If it rejects, saving the checkpoint
   * fails.
   */
  onStored: (number: number) => Promise<void>;
  /** Called if a checkpoint cannot be stored. */
  onFailure: (error: unknown) => void;
}

/** Functions that the engine of one session may call (its host), before any middleware wraps them. */
export interface SessionHost extends Host {
  /** Resolves when no checkpoint is currently being stored. */
  settled(): Promise<void>;
  /** Turns, tool calls and usage of the run so far. */
  readonly work: RecordedWork;
}

/** Creates the host of a session, without applying middleware. See engine: Host. */
export function createSessionHost(options: SessionHostOptions): SessionHost {
  const { events, questions } = options;
  let saving: Promise<void> = Promise.resolve();
  let { work } = options;
  const storeNext = async (checkpoint: Checkpoint): Promise<void> => {
    const number = work.newest + 1;
    if (!(await storeCheckpoint({ ...checkpoint, number }, options))) return;
    work = { ...work, newest: number, checkpoints: work.checkpoints + 1 };
    await recordCheckpoint({ ...checkpoint, number }, options);
  };
  return {
    get work() {
      return work;
    },
    publish: (envelope) => events.publish(envelope),
    interrupts: () => options.interrupts,
    askUser: (prompt, more) => questions.askUser(prompt, more),
    checkpoint: (checkpoint) => {
      // Checkpoints are saved one at a time, because a store accepts no second checkpoint before the first is stored.
      saving = saving.catch(() => undefined).then(() => storeNext(checkpoint));
      return saving;
    },
    reportUsage: async (usage) => {
      options.usage.add(usage);
    },
    settled: () => saving.catch(() => undefined),
  };
}

/** Stores a checkpoint. Returns whether it was stored. See engine: Checkpointer; durability promise D2. */
async function storeCheckpoint(checkpoint: Checkpoint, options: SessionHostOptions): Promise<boolean> {
  const { writer, events } = options;
  const { execId } = checkpoint;
  if (events.isClosed) throw new EngineError("run.finished", { runId: writer.runId });
  if (execId !== writer.runId)
    throw new EngineError("checkpoint.foreign", { execId, runId: writer.runId, path: "that the engine made" });
  if (!options.emitsCheckpoint) {
    await warnOfRefusal(events);
    return false;
  }
  try {
    await writer.save(checkpoint);
    await options.onStored(checkpoint.number ?? 0);
    return true;
  } catch (error) {
    options.onFailure(error);
    throw error;
  }
}

/**
 * Records a stored checkpoint in the event log before the engine continues. A later resume compares the checkpoint
 * store with the log. See durability promise D2.
 */
async function recordCheckpoint(
  { number, step, iteration }: Checkpoint,
  { events, activeMs }: SessionHostOptions,
): Promise<void> {
  await events.report("checkpoint_saved", {
    ...(number === undefined ? {} : { number }),
    ...(step === undefined ? {} : { step }),
    ...(iteration === undefined ? {} : { iteration }),
    active_ms: Math.round(activeMs()),
  });
}

/**
 * Warns that a checkpoint is not stored. A run cannot resume with an engine that does not declare checkpoints. See
 * engine: Capabilities.EmitsCheckpoint.
 */
async function warnOfRefusal(events: RunEvents): Promise<void> {
  await events.warnOnce(
    "checkpoint_refused",
    "The engine passed a checkpoint but does not declare `emitsCheckpoint`, so the checkpoint was not stored.",
  );
}
