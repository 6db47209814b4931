import {
  type Board,
  type Checkpoint,
  type CheckpointStore,
  type Engine,
  EngineError,
  type Host,
  isoTime,
  messageOf,
  type ResumeContext,
  type Run,
} from "@switchyard/contracts";
import { createBoard } from "../board/create-board.ts";
import { recordedTime } from "../checkpoint/recorded-time.ts";
import { asResumer } from "./unwrapping.ts";

/** What is run, and how an earlier attempt of it is taken up. */
export interface LoadAndResumeOptions {
  /** The run; its id names the checkpoint. */
  readonly run: Run;
  /** The host of the attempt. */
  readonly host: Host;
  /** Where checkpoints are kept; without one there are none. */
  readonly store?: Pick<CheckpointStore, "load"> | undefined;
  /** The board of a fresh start, and the one that a resumed engine restores; a new one by default. */
  readonly board?: Board | undefined;
  /** What triggered it: manual (the default), interrupt-recovery, schedule, crash, retry, or a word of the host's. engine: WithResumeSignal. */
  readonly signal?: string | undefined;
  /** 1-based number of the attempt: 1 by default; at least 2 when there is a checkpoint. engine: WithResumeAttempt. */
  readonly attempt?: number | undefined;
  /**
   * When the first attempt began, ISO 8601: now by default, or the time of the checkpoint where there is one. The
   * checkpoint's own record wins. engine: WithResumeStartedAt.
   */
  readonly startedAt?: string | undefined;
  /** Whether a run without a checkpoint may begin afresh; true by default. engine: WithFreshStartAllowed. */
  readonly freshStartAllowed?: boolean | undefined;
  /** The time, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

function classified(error: unknown, code: "checkpoint.load_failed" | "checkpoint.refused", runId: string): EngineError {
  return EngineError.is(error) ? error : new EngineError(code, { runId, problem: messageOf(error) }, { cause: error });
}

async function loadCheckpoint({ run, store }: LoadAndResumeOptions): Promise<Checkpoint | undefined> {
  try {
    return await store?.load(run.id);
  } catch (error) {
    throw classified(error, "checkpoint.load_failed", run.id);
  }
}

function assertOwn(engine: Engine, run: Run, checkpoint: Checkpoint): void {
  if (checkpoint.execId !== run.id) {
    throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId: run.id, path: "that was loaded" });
  }
  try {
    asResumer(engine)?.canResume(checkpoint);
  } catch (error) {
    throw classified(error, "checkpoint.refused", run.id);
  }
}

function resumeContext(options: LoadAndResumeOptions, checkpoint: Checkpoint | undefined): ResumeContext {
  const { attempt = 1, now = Date.now } = options;
  const given = attempt > 0 ? attempt : 1;
  const signal = options.signal === undefined || options.signal === "" ? "manual" : options.signal;
  const recorded = recordedTime(checkpoint?.originalStartedAt) ?? recordedTime(options.startedAt);
  // It began no later than its checkpoint was made.
  const startedAt = recorded ?? recordedTime(checkpoint?.timestamp) ?? isoTime(now());
  if (checkpoint === undefined) return { attempt: given, startedAt, signal };
  return { attempt: Math.max(given, 2), startedAt, signal, checkpointAt: checkpoint.timestamp };
}

/**
 * Goes on with a run from its newest checkpoint, or begins it afresh where there is none; resolves with the board.
 * Tries once. An empty signal, an attempt below 1 and a time that is none are ignored. Rejects with `config.invalid`
 * without an engine, `run.invalid_id` without a run id, what the store rejects with (unclassified:
 * `checkpoint.load_failed`), `checkpoint.not_found` where a fresh start is not allowed, `checkpoint.foreign`, what the
 * engine's resume check throws (unclassified: `checkpoint.refused`), and what the engine rejects with.
 * engine: LoadAndResume.
 */
export async function loadAndResume(engine: Engine, options: LoadAndResumeOptions): Promise<Board> {
  const given: Engine | undefined = engine;
  if (given === undefined) throw new EngineError("config.invalid", { field: "engine", problem: "there is none" });
  const { run, host, board = createBoard(), freshStartAllowed = true } = options;
  if (run.id === "") throw new EngineError("run.invalid_id", { runId: '""', problem: "it is empty" });
  const checkpoint = await loadCheckpoint(options);
  const resume = resumeContext(options, checkpoint);
  if (checkpoint === undefined) {
    if (!freshStartAllowed) throw new EngineError("checkpoint.not_found", { runId: run.id });
    return engine.execute({ ...run, resume }, host, board);
  }
  assertOwn(engine, run, checkpoint);
  return engine.execute({ ...run, resume, resumeFrom: checkpoint }, host, board);
}
