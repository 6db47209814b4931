import assert from "node:assert/strict";
import {
  type Board,
  type Checkpoint,
  type EngineError,
  type ErrorClass,
  type Host,
  type Run,
  SESSION_INPUT,
} from "@switchyard/contracts";
import { plainBoard } from "../board/plain-board.ts";
import { assertClass } from "../contract/expectations.ts";
import { plainDependencies } from "../dependencies/plain-dependencies.ts";
import { type RecordingHost, type RecordingHostOptions, recordingHost } from "../host/recording-host.ts";
import type { EngineSituation } from "./engine-subject.ts";

/** Run id that is used in all conformance cases. */
export const RUN_ID = "contract-run";
/** Start time of the runs in all conformance cases. */
export const STARTED_AT = "2026-01-01T00:00:00.000Z";
/** Name of a variable that the caller sets on the board (the state of the run) before the run. */
export const CALLERS_VARIABLE = "contract.caller";

/** Options of a conformance case's run that differ from the defaults. */
export interface AttemptOptions {
  /** Options of the recording host, a test host that records every call. */
  readonly recording?: RecordingHostOptions | undefined;
  /** Wraps the recording host. */
  readonly wrap?: ((recorder: RecordingHost) => Host) | undefined;
  /** Fields of the run. */
  readonly run?: Partial<Run> | undefined;
  /** True to pass the engine a frozen run object (`Object.freeze`). */
  readonly isFrozen?: boolean | undefined;
  /** Dependencies that replace those of the engine under test. */
  readonly dependencies?: Iterable<readonly [unknown, unknown]> | undefined;
}

/** A run in progress. */
export interface RunningAttempt {
  readonly run: Run;
  readonly host: RecordingHost;
  readonly board: Board;
  /** Resolves when `execute` has settled. */
  readonly over: Promise<Attempt>;
}

/** A finished run. */
export interface Attempt {
  readonly run: Run;
  readonly host: RecordingHost;
  /** Board (the state of the run) that the engine receives. */
  readonly board: Board;
  /** Board that `execute` resolved with. */
  readonly returned?: Board | undefined;
  /** Error with which `execute` rejected. */
  readonly error?: unknown;
}

function frozen(run: Run): Run {
  return Object.freeze({ ...run, attributes: Object.freeze({ ...run.attributes }) });
}

/** Starts a run of an engine. */
export async function startRun(situation: EngineSituation, options: AttemptOptions = {}): Promise<RunningAttempt> {
  const host = recordingHost(options.recording);
  const board = plainBoard();
  board.set(SESSION_INPUT, situation.input ?? { messages: [{ role: "user", content: "Say hello." }] });
  board.setVar(CALLERS_VARIABLE, "kept");
  const plain: Run = {
    id: RUN_ID,
    attributes: { "agent.id": "contract" },
    deps: plainDependencies(options.dependencies ?? (await situation.dependencies?.()) ?? []),
    resume: { attempt: 1, startedAt: STARTED_AT, signal: "manual" },
    signal: new AbortController().signal,
    ...options.run,
  };
  const run = options.isFrozen === true ? frozen(plain) : plain;
  const over = settleRun({ run, host, board }, situation.engine.execute(run, options.wrap?.(host) ?? host, board));
  return { run, host, board, over };
}

async function settleRun(begun: Pick<Attempt, "run" | "host" | "board">, executing: Promise<Board>): Promise<Attempt> {
  try {
    return { ...begun, returned: await executing };
  } catch (error) {
    return { ...begun, error };
  }
}

/** Runs an engine until the run ends in any way. */
export async function attemptRun(situation: EngineSituation, options: AttemptOptions = {}): Promise<Attempt> {
  return (await startRun(situation, options)).over;
}

/** Resumes an engine from a checkpoint. */
export function resumeRun(
  situation: EngineSituation,
  resumeFrom: Checkpoint,
  options: AttemptOptions = {},
): Promise<Attempt> {
  const resume = { attempt: 2, startedAt: STARTED_AT, signal: "crash", checkpointAt: resumeFrom.timestamp };
  return attemptRun(situation, { ...options, run: { resumeFrom, resume, ...options.run } });
}

/** Asserts that the run completed and resolved with the same board (the state of the run) that the engine received. */
export function assertCompleted(attempt: Attempt, label = "The run"): void {
  if (attempt.error !== undefined) assert.fail(`${label} failed: ${String(attempt.error)}`);
  assert.equal(
    attempt.returned === attempt.board,
    true,
    `${label} resolved with a board other than the one it was given.`,
  );
}

/** Asserts that the run was rejected with an error of the given class. Returns the error. */
export function assertRejected(
  attempt: Attempt,
  errorClass: ErrorClass | readonly ErrorClass[],
  label: string,
): EngineError {
  if (attempt.error === undefined) assert.fail(`${label} completed.`);
  return assertClass(attempt.error, errorClass, label);
}
