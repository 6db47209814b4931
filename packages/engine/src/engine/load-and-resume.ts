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
import { asResumer } from "./unwrap-engine.ts";

/** Options for `loadAndResume`. */
export interface LoadAndResumeOptions {
  /** Run to resume. The checkpoint is loaded by the run's id. */
  readonly run: Run;
  /** Host of the attempt. */
  readonly host: Host;
  /** Store of checkpoints. Default: no checkpoints. */
  readonly store?: Pick<CheckpointStore, "load"> | undefined;
  /**
   * Board for the engine. On a resume, the engine restores the checkpoint's state into this board. Default: a new
   * board.
   */
  readonly board?: Board | undefined;
  /**
   * Reason for the resume: `manual` (default), `interrupt-recovery`, `schedule`, `crash`, `retry`, or a host-defined
   * word. See engine: WithResumeSignal.
   */
  readonly signal?: string | undefined;
  /** 1-based number of the attempt. Default: 1, or 2 if there is a checkpoint. See engine: WithResumeAttempt. */
  readonly attempt?: number | undefined;
  /**
   * Time the first attempt began, ISO 8601. A time recorded in the checkpoint takes precedence. Default: now, or the
   * time of the checkpoint. See engine: WithResumeStartedAt.
   */
  readonly startedAt?: string | undefined;
  /**
   * True if a run that has no checkpoint may start from the beginning. Default: true. See engine:
   * WithFreshStartAllowed.
   */
  readonly freshStartAllowed?: boolean | undefined;
  /** Returns the time, in milliseconds since the epoch. Default: `Date.now`. */
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
  // If no start time is recorded, the checkpoint's creation time is used. The run had started by then.
  const startedAt = recorded ?? recordedTime(checkpoint?.timestamp) ?? isoTime(now());
  if (checkpoint === undefined) return { attempt: given, startedAt, signal };
  return { attempt: Math.max(given, 2), startedAt, signal, checkpointAt: checkpoint.timestamp };
}

/**
 * Resumes a run from its newest checkpoint, or starts it if there is none, and resolves with the board. Makes one
 * attempt. Ignores an empty signal, an attempt below 1 and an invalid time. See engine: LoadAndResume. Rejects with
 * `config.invalid` without an engine, and with `run.invalid_id` without a run id. Rejects with the error of the store
 * (`checkpoint.load_failed` for an error without a code), or with `checkpoint.not_found` if a fresh start is not
 * allowed. Rejects with `checkpoint.foreign`, with the error of the engine's resume check (`checkpoint.refused` for an
 * error without a code), or with the error of the engine.
 */
export async function loadAndResume(engine: Engine, options: LoadAndResumeOptions): Promise<Board> {
  const given: Engine | undefined = engine;
  if (given === undefined) throw new EngineError("config.invalid", { field: "engine", problem: "it is missing" });
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
