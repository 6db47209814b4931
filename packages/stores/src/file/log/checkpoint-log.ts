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

/** Checkpoint logs of a run that exist when its writer starts. */
export interface StoredSegments {
  /** Numbers of the logs, ascending. */
  readonly segments: readonly number[];
  /** Size of the newest log, in bytes. */
  readonly size: number;
}

/** Writes and loads the checkpoints of one run. Contract: one call at a time. */
export class CheckpointLog {
  readonly #context: StoreContext;
  readonly #lease: HeldLease;
  readonly #encoder: CheckpointEncoder;
  readonly #watermark: WatermarkWriter;
  /** Numbers of the checkpoint logs on disk. Readers use only the log with the highest number. */
  #segments: number[];
  /** Size of the log that existed when this writer started, in bytes. */
  #foundSize: number;
  /** Log to which checkpoints are appended: created by this writer, or found complete when the writer started. */
  #log: AppendLog | undefined;
  #isBegun = false;

  constructor(context: StoreContext, lease: HeldLease, segments: StoredSegments & { watermark: WatermarkWriter }) {
    this.#context = context;
    this.#watermark = segments.watermark;
    this.#lease = lease;
    this.#encoder = createCheckpointEncoder(lease.runId);
    this.#segments = [...segments.segments];
    this.#foundSize = segments.size;
  }

  /**
   * Stores a checkpoint. Rejects with `store.stale_epoch`, `run.store_failed`, `checkpoint.foreign` or
   * `board.invalid_value`.
   */
  async save(checkpoint: Checkpoint): Promise<void> {
    const encoded = await this.#encoder.encode(checkpoint);
    if (encoded.kind === "delta") await this.#append(encoded.lines);
    else await this.#begin(encoded.lines);
    this.#isBegun = true;
    this.#encoder.accept(encoded);
    this.#watermark.raise(encoded.number);
  }

  /** Resolves with the newest checkpoint. Rejects like `readCheckpoint`, and with `store.stale_epoch`. */
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
      if (this.#log.isBroken) this.#encoder.restart();
      throw error;
    }
  }

  /** Opens the existing log. If that fails, the next checkpoint starts a new log. */
  async #openFound(): Promise<AppendLog> {
    const lease = this.#lease;
    // Once the lease is lost or released, this writer must not remove logs.
    lease.check();
    const path = segmentPath(lease.folder, this.#segments.at(-1) ?? 1);
    try {
      return createAppendLog(await this.#context.files.open(path, "append"), { lease, path, size: this.#foundSize });
    } catch (error) {
      this.#encoder.restart();
      throw lease.failure(error, path);
    }
  }

  /** Starts a new log with a complete checkpoint. Removes the earlier logs once the new one is durable. */
  async #begin(lines: readonly Buffer[]): Promise<void> {
    const before = this.#segments;
    const segment = (before.at(-1) ?? 0) + 1;
    const path = segmentPath(this.#lease.folder, segment);
    // The number is used up even if the log cannot be created, so that no other log gets the same number.
    this.#segments = [...before, segment];
    try {
      await this.close();
      const { file, size } = await this.#write(lines, segment);
      this.#log = createAppendLog(file, { lease: this.#lease, path, size });
      this.#lease.check();
    } catch (error) {
      this.#encoder.restart();
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
    // The folder is created together with its first log. A folder without logs is therefore damaged.
    const isFirst = !existsSync(checkpoints);
    const created = join(lease, `${RUN_FILES.checkpoints}-${segment}`);
    if (isFirst) await files.makeFolder(created);
    const temporary = join(isFirst ? created : lease, `${segment}.jsonl`);
    const file = await files.open(temporary, "new");
    try {
      const size = await writeLines(file, lines);
      await file.sync();
      if (isFirst) await files.syncFolder(created);
      await files.rename(isFirst ? created : temporary, isFirst ? checkpoints : segmentPath(folder, segment));
      await files.syncFolder(isFirst ? folder : checkpoints);
      return { file, size };
    } catch (error) {
      await file.close().catch(() => undefined);
      await files.removeTree(isFirst ? created : temporary).catch(() => undefined);
      throw error;
    }
  }
}
