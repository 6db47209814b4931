import type { Board, Checkpoint, Run } from "@switchyard/contracts";
import { cachedTimestamp } from "../envelope/cached-timestamp.ts";
import { recordedTime } from "./recorded-time.ts";

/** Options for `createCheckpoint`. */
export interface CheckpointOptions {
  /** Position in the run, in a format that the engine defines. */
  readonly step?: string | undefined;
  /** Number of the current iteration, for engines that work in a loop. */
  readonly iteration?: number | undefined;
  /** Engine-defined plain data. */
  readonly payload?: unknown;
  /** Version of the engine's definition. */
  readonly specVersion?: string | undefined;
  /** Returns the time, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Time a fresh run began, ISO 8601. Ignored for a resumed run. Default: now. */
  readonly startedAt?: string | undefined;
}

/**
 * Creates a checkpoint of a run. Engines call this between steps, when their state is consistent. The checkpoint
 * contains the run's id and attributes, the current board (shared state), and the start time of the first attempt. See
 * engine: Checkpoint.
 */
export function createCheckpoint(
  run: Run,
  board: Pick<Board, "snapshot">,
  options: CheckpointOptions = {},
): Checkpoint {
  const { now = Date.now, startedAt, step, iteration, payload, specVersion } = options;
  const timestamp = cachedTimestamp(now());
  const known = recordedTime(run.resumeFrom?.originalStartedAt) ?? recordedTime(run.resume?.startedAt) ?? startedAt;
  const checkpoint: { -readonly [Field in keyof Checkpoint]: Checkpoint[Field] } = {
    execId: run.id,
    board: board.snapshot(),
    attributes: { ...run.attributes },
    timestamp,
    originalStartedAt: known ?? timestamp,
  };
  // Fields are assigned one by one: rest patterns are slow, and there are two checkpoints per tool round.
  if (step !== undefined) checkpoint.step = step;
  if (iteration !== undefined) checkpoint.iteration = iteration;
  if (payload !== undefined) checkpoint.payload = payload;
  if (specVersion !== undefined) checkpoint.specVersion = specVersion;
  return checkpoint;
}
