import {
  type Checkpoint,
  type CheckpointStore,
  EngineError,
  type Host,
  type InterruptSource,
} from "@switchyard/contracts";
import type { RunEvents } from "./run-events.ts";
import type { UsageMeter } from "./usage-meter.ts";
import type { UserQuestions } from "./user-questions.ts";

/** What a session's host is made of. */
export interface SessionHostOptions {
  /** Id of the run. */
  runId: string;
  /** Takes events. */
  events: RunEvents;
  /** Where interrupts come from. */
  interrupts: InterruptSource;
  /** Asks the user. */
  questions: UserQuestions;
  /** Counts tokens. */
  usage: UsageMeter;
  /** Keeps checkpoints; nothing is kept without it. */
  checkpoints?: CheckpointStore | undefined;
}

/** Makes the host that an engine of a session sees, beneath all middleware. engine: Host. */
export function createSessionHost(options: SessionHostOptions): Host {
  const { events, questions } = options;
  return {
    publish: (envelope) => events.publish(envelope),
    interrupts: () => options.interrupts,
    askUser: (prompt, more) => questions.askUser(prompt, more),
    checkpoint: (checkpoint) => keep(checkpoint, options),
    reportUsage: async (usage) => options.usage.add(usage),
  };
}

/** A checkpoint is told of only when it can be loaded again. engine: Checkpointer. */
async function keep(checkpoint: Checkpoint, { runId, events, checkpoints }: SessionHostOptions): Promise<void> {
  if (checkpoint.execId !== runId) throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId });
  if (checkpoints === undefined) return;
  await checkpoints.save(checkpoint);
  const { step, iteration } = checkpoint;
  await events.report("checkpoint_saved", {
    ...(step === undefined ? {} : { step }),
    ...(iteration === undefined ? {} : { iteration }),
  });
}
