import type { StoreFile } from "../disk/store-files.ts";
import type { HeldLease } from "../lease/held-lease.ts";

/** Writes lines to a file without copying them into one buffer. Resolves with the number of bytes written. */
export async function writeLines(file: StoreFile, lines: readonly Buffer[]): Promise<number> {
  let written = 0;
  for (const line of lines) {
    await file.write(line);
    written += line.length;
  }
  return written;
}

/**
 * A log file opened by the run's writer. Contract: one call at a time. After a failed call, readers see none of the
 * call's lines, unless the disk prevents the rollback.
 */
export interface AppendLog {
  /** Size of the complete lines, in bytes. */
  readonly size: number;
  /** True if the log can no longer be trusted: a failed write could not be undone, or a flush failed. */
  readonly isBroken: boolean;
  /**
   * Appends lines that include line endings. Either all lines are appended or none. With `isDurable`, they survive a
   * power failure. Rejects with `store.stale_epoch` or `run.store_failed`.
   */
  append(lines: readonly Buffer[], options: { isDurable: boolean }): Promise<void>;
  /** Flushes appended lines, so that they survive a power failure. Rejects like `append`. */
  sync(): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Creates a log for appending to an open file of a given size. */
export function createAppendLog(
  file: StoreFile,
  { lease, path, size }: { lease: HeldLease; path: string; size: number },
): AppendLog {
  let [written, isBroken] = [size, false];

  async function sync(): Promise<void> {
    try {
      await file.sync();
    } catch (error) {
      // The file is not used after a failed flush: data may be lost although the next flush would succeed.
      isBroken = true;
      throw error;
    }
  }
  async function append(lines: readonly Buffer[], { isDurable }: { isDurable: boolean }): Promise<void> {
    // The disk is read only once, after the write; before it, only the known state of the lease is checked.
    lease.checkKnown();
    try {
      const bytes = await writeLines(file, lines);
      if (isDurable) await sync();
      // If the lease was lost, the written file is no longer read by anyone, so the write must not be acknowledged.
      lease.check();
      written += bytes;
    } catch (error) {
      const failure = lease.failure(error, path);
      // The file is truncated to its previous size, because the next line would be joined with a partial line.
      await file.truncate(written).catch(() => {
        isBroken = true;
      });
      throw failure;
    }
  }
  return {
    get size() {
      return written;
    },
    get isBroken() {
      return isBroken;
    },
    append,
    sync: async () => {
      lease.checkKnown();
      await sync().catch((error: unknown) => {
        throw lease.failure(error, path);
      });
      lease.check();
    },
    close: () => file.close(),
  };
}
