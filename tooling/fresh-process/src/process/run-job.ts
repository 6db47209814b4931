import { type Checkpoint, type Engine, EngineError, type Host, type Run } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { openFileCheckpointStore } from "@switchyard/stores/file";
import type { EngineJob, JobOutcome } from "./engine-job.ts";

type Store = ReturnType<typeof openFileCheckpointStore>;

/** Returns the previous process's checkpoint. */
async function lastCheckpoint({ id, directory }: EngineJob, store: Store): Promise<Checkpoint> {
  const checkpoint = await store.load(id);
  if (checkpoint === undefined) throw new EngineError("checkpoint.not_found", { runId: id, path: directory });
  return checkpoint;
}

async function runOf(job: EngineJob, store: Store): Promise<Run> {
  const { id, parentRunId, attributes, deps, signal, resume, resumeFrom } = job;
  const run = { id, parentRunId, attributes, deps, signal, resume, resumeFrom };
  if (!job.isContinued) return run;
  const checkpoint = await lastCheckpoint(job, store);
  const { originalStartedAt: startedAt = checkpoint.timestamp, timestamp: checkpointAt } = checkpoint;
  // The caller sees one attempt, regardless of the number of processes.
  const attempt = resume?.attempt ?? 1;
  return { ...run, resumeFrom: checkpoint, resume: { attempt, startedAt, signal: "crash", checkpointAt } };
}

function hostOf({ host }: EngineJob, store: Store): Host {
  return {
    publish: (envelope) => host.publish(envelope),
    interrupts: () => host.interrupts(),
    askUser: (prompt, options) => host.askUser(prompt, options),
    reportUsage: (usage) => host.reportUsage(usage),
    checkpoint: async (checkpoint) => {
      const mayEnd = await host.keep(checkpoint);
      await store.save(checkpoint);
      if (mayEnd) host.end();
    },
  };
}

/** Runs an engine until the run is over. Never resolves if the host ends the process first. */
export async function runJob(job: EngineJob, engine: Engine): Promise<JobOutcome> {
  const store = openFileCheckpointStore({ directory: job.directory });
  const board = createBoard(job.board);
  try {
    await engine.execute(await runOf(job, store), hostOf(job, store), board);
    return { board: board.snapshot(), isOk: true };
  } catch (error) {
    return { board: board.snapshot(), isOk: false, error };
  }
}
