import { type Checkpoint, EngineError, type Host, type InterruptSource, type RunWriter } from "@switchyard/contracts";
import type { RecordedWork } from "../resume/recorded-work.ts";
import type { RunEvents } from "./run-events.ts";
import type { UsageMeter } from "./usage-meter.ts";
import type { UserQuestions } from "./user-questions.ts";

/** What a session's host is made of. */
export interface SessionHostOptions {
  /** Where checkpoints are kept. */
  writer: Pick<RunWriter, "runId" | "save">;
  /** Whether the engine claims to make checkpoints; those of others are not kept. */
  emitsCheckpoint: boolean;
  /** Work of the run so far; checkpoints are numbered on from it. */
  work: RecordedWork;
  /** Takes events. */
  events: RunEvents;
  /** Where interrupts come from. */
  interrupts: InterruptSource;
  /** Asks the user. */
  questions: UserQuestions;
  /** Counts tokens. */
  usage: UsageMeter;
  /** Time the run has been worked on, all attempts together, in milliseconds. */
  activeMs: () => number;
  /** Called with the number of a stored checkpoint, before the engine goes on. Rejects with what keeps the run from being stored. */
  onStored: (number: number) => Promise<void>;
  /** Told when a checkpoint could not be kept. */
  onFailure: (error: unknown) => void;
}

/** The host of a session, beneath all middleware. */
export interface SessionHost extends Host {
  /** Waits until no checkpoint is being kept any more. */
  settled(): Promise<void>;
  /** Work of the run so far. */
  readonly work: RecordedWork;
}

/** Makes the host that an engine of a session sees, beneath all middleware. engine: Host. */
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
      // One at a time: a store's writer takes no second one before it has kept the first.
      saving = saving.catch(() => undefined).then(() => storeNext(checkpoint));
      return saving;
    },
    reportUsage: async (usage) => {
      options.usage.add(usage);
    },
    settled: () => saving.catch(() => undefined),
  };
}

/** Stores a checkpoint. Returns whether it was stored. engine: Checkpointer; D2. */
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
 * Records a checkpoint in the event log, once it can be loaded again and before the engine goes on: a resume compares
 * the two. D2.
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

/** Nobody could go on from it: a resume asks for the same claim. engine: Capabilities.EmitsCheckpoint. */
async function warnOfRefusal(events: RunEvents): Promise<void> {
  await events.warnOnce(
    "checkpoint_refused",
    "The engine handed over a checkpoint but does not claim to make any: none is kept.",
  );
}
