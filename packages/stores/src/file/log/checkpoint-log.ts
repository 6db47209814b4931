import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Checkpoint } from "@switchyard/contracts";
import { type CheckpointEncoder, createCheckpointEncoder } from "../../codec/create-checkpoint-encoder.ts";
import type { WatermarkWriter } from "../../watermark/run-watermark.ts";
import type { StoreFile } from "../disk/store-files.ts";
import type { HeldLease } from "../lease/held-lease.ts";
import { RUN_FILES, segmentPath } from "../run/run-layout.ts";
import type { StoreContext } from "../run/store-context.ts";
import { type AppendLog, createAppendLog, writeLines } from "./append-log.ts";
import { readCheckpoint } from "./checkpoint-files.ts";

/** The checkpoints of a run that are there when its writer begins. */
export interface KeptSegments {
  /** Numbers of the logs, rising. */
  readonly segments: readonly number[];
  /** Bytes of the newest. */
  readonly size: number;
}

/** The checkpoints of one run, in the hands of its writer: one call at a time. */
export class CheckpointLog {
  readonly #context: StoreContext;
  readonly #lease: HeldLease;
  readonly #encoder: CheckpointEncoder;
  readonly #watermark: WatermarkWriter;
  /** Logs on the disk. Only the last one counts. */
  #segments: number[];
  /** Bytes of the log that this writer found. */
  #foundSize: number;
  /** The log that is appended to; it was begun or found whole by this writer. */
  #log: AppendLog | undefined;
  #isBegun = false;

  constructor(context: StoreContext, lease: HeldLease, kept: KeptSegments & { watermark: WatermarkWriter }) {
    this.#context = context;
    this.#watermark = kept.watermark;
    this.#lease = lease;
    this.#encoder = createCheckpointEncoder(lease.runId);
    this.#segments = [...kept.segments];
    this.#foundSize = kept.size;
  }

  /** Keeps a checkpoint. Rejects with `store.stale_epoch`, `run.store_failed`, `checkpoint.foreign` or `board.invalid_value`. */
  async save(checkpoint: Checkpoint): Promise<void> {
    const encoded = await this.#encoder.encode(checkpoint);
    if (encoded.kind === "delta") await this.#append(encoded.lines);
    else await this.#begin(encoded.lines);
    this.#isBegun = true;
    this.#encoder.accept(encoded);
    this.#watermark.raise(encoded.number);
  }

  /** The newest checkpoint. Rejects like `readCheckpoint`, and with `store.stale_epoch`. */
  async load(): Promise<Checkpoint | undefined> {
    const { runId, folder } = this.#lease;
    this.#lease.check();
    this.#watermark.assertLatest({ runId, path: join(folder, RUN_FILES.checkpoints) });
    const found = await readCheckpoint(this.#context, { runId, folder });
    this.#lease.check();
    if (found === undefined) return undefined;
    if (!this.#isBegun) {
      this.#encoder.continueFrom(found.decoded);
      this.#isBegun = true;
    }
    return found.decoded.checkpoint;
  }

  /** Closes the log. */
  async close(): Promise<void> {
    await this.#log?.close();
    this.#log = undefined;
  }

  async #append(lines: readonly Buffer[]): Promise<void> {
    this.#log ??= await this.#openFound();
    try {
      await this.#log.append(lines, { isDurable: true });
    } catch (error) {
      if (this.#log.isBroken) this.#encoder.beginAfresh();
      throw error;
    }
  }

  /** Opens the log that this writer found; when that fails, the next record begins another. */
  async #openFound(): Promise<AppendLog> {
    const lease = this.#lease;
    // Who has given the lease back closes nothing any more.
    lease.check();
    const path = segmentPath(lease.folder, this.#segments.at(-1) ?? 1);
    try {
      return createAppendLog(await this.#context.files.open(path, "append"), { lease, path, size: this.#foundSize });
    } catch (error) {
      this.#encoder.beginAfresh();
      throw lease.failure(error, path);
    }
  }

  /** Begins another log with a whole record; the logs before it go once it is there for good. */
  async #begin(lines: readonly Buffer[]): Promise<void> {
    const before = this.#segments;
    const segment = (before.at(-1) ?? 0) + 1;
    const path = segmentPath(this.#lease.folder, segment);
    // Whether or not it comes to be, no other log gets its number.
    this.#segments = [...before, segment];
    try {
      await this.close();
      const { file, size } = await this.#write(lines, segment);
      this.#log = createAppendLog(file, { lease: this.#lease, path, size });
      this.#lease.check();
    } catch (error) {
      this.#encoder.beginAfresh();
      throw this.#lease.failure(error, path);
    }
    for (const old of before) {
      await this.#context.files.remove(segmentPath(this.#lease.folder, old)).catch(() => undefined);
    }
    this.#segments = [segment];
  }

  async #write(lines: readonly Buffer[], segment: number): Promise<{ file: StoreFile; size: number }> {
    const { files } = this.#context;
    const { folder, path: lease } = this.#lease;
    const checkpoints = join(folder, RUN_FILES.checkpoints);
    // The folder comes with its first log in it, so that one without a log is known to be damaged.
    const isFirst = !existsSync(checkpoints);
    const made = join(lease, `${RUN_FILES.checkpoints}-${segment}`);
    if (isFirst) await files.makeFolder(made);
    const temporary = join(isFirst ? made : lease, `${segment}.jsonl`);
    const file = await files.open(temporary, "new");
    try {
      const size = await writeLines(file, lines);
      await file.sync();
      if (isFirst) await files.syncFolder(made);
      await files.rename(isFirst ? made : temporary, isFirst ? checkpoints : segmentPath(folder, segment));
      await files.syncFolder(isFirst ? folder : checkpoints);
      return { file, size };
    } catch (error) {
      await file.close().catch(() => undefined);
      await files.removeTree(isFirst ? made : temporary).catch(() => undefined);
      throw error;
    }
  }
}
