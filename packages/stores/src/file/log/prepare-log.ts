import { basename, dirname, join } from "node:path";
import { malformedRecord } from "../../codec/run-documents.ts";
import { openToRead } from "../disk/read-file.ts";
import { toStoreFailure } from "../disk/store-failure.ts";
import type { StoreFile, StoreFiles } from "../disk/store-files.ts";
import { type LogTail, readLogTail } from "./log-tail.ts";

const COPY_BYTES = 1024 * 1024;
/**
 * Maximum number of attempts to copy a log that becomes shorter during the copy. A writer that lost its lease may
 * truncate incomplete data once.
 */
const MAX_COPIES = 5;
const LINE_END = Buffer.from("\n");

/** Options for `prepareLog`. */
export interface PrepareLogOptions {
  readonly files: StoreFiles;
  /**
   * Folder of the lease. The log is copied to this folder, because a previous writer may still write to the original.
   * `undefined`: the log is repaired in place.
   */
  readonly copyIn?: string | undefined;
  /**
   * True to leave a damaged last line as it is, so that readers detect the damage. False to append a line ending, so
   * that lines appended later are readable.
   */
  readonly retainsDamage: boolean;
}

/** Returns the number of bytes of a log to keep, and whether to append a line ending. */
function repairOf({ kind, completeBytes, size }: LogTail, retainsDamage: boolean): { bytes: number; addsEnd: boolean } {
  switch (kind) {
    case "none":
      return { bytes: size, addsEnd: false };
    case "whole":
      return { bytes: size, addsEnd: true };
    case "damaged":
      return { bytes: size, addsEnd: !retainsDamage };
    case "torn":
      // If readers must detect damage, a log without a single complete line is not truncated.
      return { bytes: retainsDamage && completeBytes === 0 ? size : completeBytes, addsEnd: false };
  }
}

/**
 * Prepares a log for a new writer by removing an incomplete last line, which was never acknowledged. Resolves with the
 * size of the log. Rejects with `run.malformed_record` if the log is missing or not a file, or with `run.store_failed`.
 * See durability promise D6.
 */
export async function prepareLog(path: string, options: PrepareLogOptions): Promise<number> {
  const source = await openToRead(path).catch((error: unknown) => {
    throw toStoreFailure(error, path);
  });
  if (source === undefined) throw malformedRecord(path, "it is missing");
  try {
    for (let tries = 1; ; tries += 1) {
      const tail = await readLogTail(source);
      const repair = repairOf(tail, options.retainsDamage);
      if (options.copyIn !== undefined) {
        const endedAt = await copyLog({ source, path, copyIn: options.copyIn, ...repair }, options.files);
        // The previous writer truncated the log, removing data that it could not acknowledge, so the copy is repeated.
        if (endedAt !== undefined && tries < MAX_COPIES) continue;
        if (endedAt !== undefined) throw new Error(`it ends at byte ${endedAt} of ${repair.bytes}`);
      } else if (repair.addsEnd || repair.bytes !== tail.size) {
        await repairLog({ path, ...repair }, options.files);
      }
      return repair.bytes + (repair.addsEnd ? 1 : 0);
    }
  } catch (error) {
    throw toStoreFailure(error, path);
  } finally {
    await source.close();
  }
}

async function repairLog(log: { path: string; bytes: number; addsEnd: boolean }, files: StoreFiles): Promise<void> {
  const file = await files.open(log.path, "append");
  try {
    if (log.addsEnd) await file.write(LINE_END);
    else await file.truncate(log.bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Source and target of a copy. */
interface Copy {
  readonly source: {
    read(buffer: Buffer, options: { position: number; length: number }): Promise<{ bytesRead: number }>;
  };
  readonly path: string;
  readonly copyIn: string;
  readonly bytes: number;
  readonly addsEnd: boolean;
}

/**
 * Copies a log and replaces the original with the copy. If the original became shorter during the copy, it is not
 * replaced, and the promise resolves with its new size.
 */
async function copyLog(copy: Copy, files: StoreFiles): Promise<number | undefined> {
  const temporary = join(copy.copyIn, basename(copy.path));
  const file = await files.open(temporary, "new");
  try {
    const endedAt = await copyBytes(copy, file).finally(() => file.close());
    if (endedAt !== undefined) {
      await files.remove(temporary);
      return endedAt;
    }
    await files.rename(temporary, copy.path);
    await files.syncFolder(dirname(copy.path));
    return undefined;
  } catch (error) {
    await files.remove(temporary).catch(() => undefined);
    throw error;
  }
}

async function copyBytes({ source, bytes, addsEnd }: Copy, file: StoreFile): Promise<number | undefined> {
  const buffer = Buffer.alloc(Math.min(COPY_BYTES, bytes));
  for (let position = 0; position < bytes; ) {
    const length = Math.min(buffer.length, bytes - position);
    const { bytesRead } = await source.read(buffer, { position, length });
    if (bytesRead === 0) return position;
    await file.write(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  if (addsEnd) await file.write(LINE_END);
  await file.sync();
  return undefined;
}
