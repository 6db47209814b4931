import type { StoreFile } from "../disk/store-files.ts";
import type { HeldLease } from "../lease/held-lease.ts";

/** Writes lines with their ends, one after the other, so that no copy of them all is made; gives the bytes. */
export async function writeLines(file: StoreFile, lines: readonly Buffer[]): Promise<number> {
  let written = 0;
  for (const line of lines) {
    await file.write(line);
    written += line.length;
  }
  return written;
}

/**
 * A log in the hands of the one who may write to it. Contract: one call at a time; a call that fails leaves nothing
 * behind that a reader sees, as far as the disk allows.
 */
export interface AppendLog {
  /** Bytes of everything that was appended whole. */
  readonly size: number;
  /** Whether the log can no longer be trusted: what failed could not be undone, or the disk forgot what it was told. */
  readonly isBroken: boolean;
  /** Appends lines with their ends, all or none; with `isDurable` they outlive the loss of power. Rejects with `store.stale_epoch` or `run.store_failed`. */
  append(lines: readonly Buffer[], options: { isDurable: boolean }): Promise<void>;
  /** Makes what was appended outlive the loss of power. Rejects like `append`. */
  sync(): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Makes the log of an open file that has that many bytes. */
export function createAppendLog(
  file: StoreFile,
  { lease, path, size }: { lease: HeldLease; path: string; size: number },
): AppendLog {
  let [written, isBroken] = [size, false];

  async function sync(): Promise<void> {
    try {
      await file.sync();
    } catch (error) {
      // The system may have dropped what it could not write, and a second call would say that all is well.
      isBroken = true;
      throw error;
    }
  }
  async function append(lines: readonly Buffer[], { isDurable }: { isDurable: boolean }): Promise<void> {
    // Whether somebody has taken it is looked at once, behind the write, where it has to be in any case.
    lease.checkKnown();
    try {
      const bytes = await writeLines(file, lines);
      if (isDurable) await sync();
      // Who lost the lease meanwhile wrote to a file that nobody reads any more.
      lease.check();
      written += bytes;
    } catch (error) {
      const failure = lease.failure(error, path);
      // Half a line would be joined with the next one; without it the file is as it was.
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
