import { type Checkpoint, EngineError, type Host, type InterruptSource, type RunWriter } from "@switchyard/contracts";
import type { RunEvents } from "./run-events.ts";
import type { UsageMeter } from "./usage-meter.ts";
import type { UserQuestions } from "./user-questions.ts";

/** What a session's host is made of. */
export interface SessionHostOptions {
  /** Where checkpoints are kept. */
  writer: Pick<RunWriter, "runId" | "save">;
  /** Whether the engine claims to make checkpoints; those of others are not kept. */
  emitsCheckpoint: boolean;
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
  /** Told when a checkpoint could not be kept. */
  onFailure: (error: unknown) => void;
}

/** The host of a session, beneath all middleware. */
export interface SessionHost extends Host {
  /** Waits until no checkpoint is being kept any more. */
  settled(): Promise<void>;
}

/** Makes the host that an engine of a session sees, beneath all middleware. engine: Host. */
export function createSessionHost(options: SessionHostOptions): SessionHost {
  const { events, questions } = options;
  let saving: Promise<void> = Promise.resolve();
  return {
    publish: (envelope) => events.publish(envelope),
    interrupts: () => options.interrupts,
    askUser: (prompt, more) => questions.askUser(prompt, more),
    checkpoint: (checkpoint) => {
      // One at a time: a store's writer takes no second one before it has kept the first.
      saving = saving.catch(() => undefined).then(() => keep(checkpoint, options));
      return saving;
    },
    reportUsage: async (usage) => {
      options.usage.add(usage);
    },
    settled: () => saving.catch(() => undefined),
  };
}

/** A checkpoint is told of only when it can be loaded again. engine: Checkpointer; D2. */
async function keep(checkpoint: Checkpoint, options: SessionHostOptions): Promise<void> {
  const { writer, events } = options;
  const { execId, step, iteration } = checkpoint;
  if (events.isClosed) throw new EngineError("run.finished", { runId: writer.runId });
  if (execId !== writer.runId)
    throw new EngineError("checkpoint.foreign", { execId, runId: writer.runId, path: "that the engine made" });
  if (!options.emitsCheckpoint) return refuse(events);
  try {
    await writer.save(checkpoint);
  } catch (error) {
    options.onFailure(error);
    throw error;
  }
  await events.report("checkpoint_saved", {
    ...(step === undefined ? {} : { step }),
    ...(iteration === undefined ? {} : { iteration }),
    active_ms: Math.round(options.activeMs()),
  });
}

/** Nobody could go on from it: a resume asks for the same claim. engine: Capabilities.EmitsCheckpoint. */
async function refuse(events: RunEvents): Promise<void> {
  await events.warnOnce(
    "checkpoint_refused",
    "The engine handed over a checkpoint but does not claim to make any: none is kept.",
  );
}
