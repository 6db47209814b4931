import { closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../codec/encode-value.ts";
import { openLine, sealLine } from "../codec/sealed-text.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const LINE_END = 0x0a;
const FLAGS = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Progress of a run when its watermark was last written. */
export interface Progress {
  /** Epoch (number) of the last writer that stored an event or a checkpoint. 0 if nothing was stored. */
  readonly epoch: number;
  /** Number of the last stored checkpoint; 0 if there is none. */
  readonly checkpoint: number;
}

/** Path of a watermark file, which records the progress of a run, and the run that it belongs to. */
export interface WatermarkOptions {
  /** Absolute path of the watermark file. */
  readonly path: string;
  readonly runId: string;
  /**
   * Time at which the run was created. If the watermark contains another time, it belongs to another run with the same
   * id and is ignored. `undefined`: the watermark is used regardless of its time.
   */
  readonly createdAt?: string | undefined;
}

const NO_PROGRESS: Progress = { epoch: 0, checkpoint: 0 };

/**
 * Reads the watermark of a run, a small file that records the run's progress separately from its events and
 * checkpoints. If a store finds less progress than the watermark, data is lost, even if all data it finds is valid.
 * This happens, for example, if a run folder or database was replaced with an older copy. A missing or damaged
 * watermark proves nothing and is ignored. Never throws.
 */
export function readWatermark({ path, runId, createdAt }: WatermarkOptions): Progress {
  const value = readFirstLine(path);
  if (!isRecord(value) || value["run_id"] !== runId) return NO_PROGRESS;
  if (createdAt !== undefined && value["created_at"] !== createdAt) return NO_PROGRESS;
  const { epoch, checkpoint } = value;
  if (typeof epoch !== "number" || typeof checkpoint !== "number") return NO_PROGRESS;
  return { epoch, checkpoint };
}

/** Removes the watermark file of a run; failures are ignored. */
export function removeWatermark({ path }: WatermarkOptions): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A failure is ignored: the run no longer exists, so its watermark is harmless.
  }
}

/** Run and location of missing checkpoints, for error messages. */
export interface CheckpointsLocation {
  readonly runId: string;
  /** Path or URL of the checkpoints. */
  readonly path: string;
}

/**
 * Throws `checkpoint.lost` if the newest stored checkpoint is older than the one that the watermark records. Contract:
 * the watermark was read before the checkpoint. See durability promises D2, D3.
 */
export function assertReaches(
  { checkpoint }: Progress,
  number: number | undefined,
  location: CheckpointsLocation,
): void {
  if ((number ?? 0) >= checkpoint) return;
  const newest = number === undefined ? "no checkpoint is stored" : `the newest stored checkpoint is number ${number}`;
  throw new EngineError("checkpoint.lost", {
    ...location,
    problem: `checkpoint ${checkpoint} was saved, but ${newest}`,
  });
}

/**
 * Records a run's progress in its watermark, on behalf of one writer. Writes are not flushed. Progress is recorded
 * after the data was stored, so that a watermark is never ahead of the store.
 */
export class WatermarkWriter {
  readonly #options: WatermarkOptions;
  readonly #epoch: number;
  /** JSON text of the fields that all lines of this writer have in common. */
  readonly #start: string;
  readonly #before: Progress;
  #file: number | undefined;
  #hasBegun = false;

  /**
   * Creates the object that writes a run's watermark for one epoch, and reads what earlier writers recorded. `isMissing`:
   * the caller knows that there is no watermark, so it is not read. Default: false.
   */
  constructor(options: WatermarkOptions, epoch: number, { isMissing = false }: { readonly isMissing?: boolean } = {}) {
    this.#options = options;
    this.#epoch = epoch;
    const { runId: run_id, createdAt: created_at } = options;
    this.#start = JSON.stringify({ run_id, created_at, epoch }).slice(0, -1);
    this.#before = isMissing ? NO_PROGRESS : readWatermark(options);
  }

  /** False if a writer of this or a later epoch has stored data, so that the run was replaced by an older copy. */
  get isLatest(): boolean {
    return this.#before.epoch < this.#epoch;
  }

  /**
   * Throws `checkpoint.lost` if a writer of this or a later epoch has stored data. Each writer has a higher epoch than
   * the previous one. If the watermark already has the same or a higher epoch, the run was therefore replaced by an
   * older copy.
   */
  assertLatest(location: CheckpointsLocation): void {
    if (this.isLatest) return;
    const { epoch } = this.#before;
    const problem = `the stored run is older than its watermark: its epoch is ${this.#epoch - 1}, and the watermark contains the epoch ${epoch}`;
    throw new EngineError("checkpoint.lost", { ...location, problem });
  }

  /** Records that this writer has begun to store events. */
  begin(): void {
    if (!this.#hasBegun) this.raise(this.#before.checkpoint);
  }

  /** Records the number of a stored checkpoint; failures are ignored. */
  raise(checkpoint: number): void {
    this.#hasBegun = true;
    const line = sealLine(`${this.#start},"checkpoint":${checkpoint}}`);
    try {
      this.#file ??= openFile(this.#options.path);
      // The rest of a longer previous line stays in the file, after the line ending, and is ignored.
      writeSync(this.#file, `${line}\n`, 0);
    } catch {
      this.close();
    }
  }

  /** Closes the file. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, FLAGS, FILE_MODE);
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    return openSync(path, FLAGS, FILE_MODE);
  }
}

function readFirstLine(path: string): unknown {
  try {
    const bytes = readFileSync(path);
    const opened = openLine(bytes.subarray(0, bytes.indexOf(LINE_END)));
    return opened.kind === "whole" ? opened.value : undefined;
  } catch {
    return undefined;
  }
}
