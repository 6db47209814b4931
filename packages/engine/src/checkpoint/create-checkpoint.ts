import type { Board, Checkpoint, Run } from "@switchyard/contracts";
import { stampOf } from "../envelope/stamp-of.ts";
import { recordedTime } from "./recorded-time.ts";

/** What an engine says about a boundary it has reached. */
export interface CheckpointOptions {
  /** Where the run is, in the engine's own words. */
  readonly step?: string | undefined;
  /** Counter of engines that loop. */
  readonly iteration?: number | undefined;
  /** What else the engine needs; plain data. */
  readonly payload?: unknown;
  /** Version of the engine's definition. */
  readonly specVersion?: string | undefined;
  /** The time, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** When a fresh run began, ISO 8601; a resumed one knows it, and without either it is now. */
  readonly startedAt?: string | undefined;
}

/**
 * Makes the checkpoint of a run at a safe boundary: its id and attributes, the board as it is now, and the start of
 * the first attempt, which stays the same over all resumes. engine: Checkpoint.
 */
export function createCheckpoint(
  run: Run,
  board: Pick<Board, "snapshot">,
  options: CheckpointOptions = {},
): Checkpoint {
  const { now = Date.now, startedAt, step, iteration, payload, specVersion } = options;
  const timestamp = stampOf(now());
  const known = recordedTime(run.resumeFrom?.originalStartedAt) ?? recordedTime(run.resume?.startedAt) ?? startedAt;
  const checkpoint: { -readonly [Field in keyof Checkpoint]: Checkpoint[Field] } = {
    execId: run.id,
    board: board.snapshot(),
    attributes: { ...run.attributes },
    timestamp,
    originalStartedAt: known ?? timestamp,
  };
  // One by one: the rest of a destructured object is a slow object, and there are two checkpoints a round.
  if (step !== undefined) checkpoint.step = step;
  if (iteration !== undefined) checkpoint.iteration = iteration;
  if (payload !== undefined) checkpoint.payload = payload;
  if (specVersion !== undefined) checkpoint.specVersion = specVersion;
  return checkpoint;
}
