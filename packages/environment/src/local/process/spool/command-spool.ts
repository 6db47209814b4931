import type { WindowText } from "../../../output/byte-window.ts";
import { findHolePuncher } from "./punch-hole.ts";
import type { SpoolFile } from "./spool-file.ts";
import { openSpoolFile } from "./spool-file.ts";
import { findSpoolFolder } from "./spool-folder.ts";

/** How often the size of the files is looked at. */
const LOOK_MS = 50;

/**
 * Files without a name that a command writes its output to, in place of pipes: where nobody listens, no byte of it has
 * to pass through this process. 1 GiB of output costs a third of the CPU, a short command four fifths.
 *
 * The files hold head and tail: what is between is given back to the disk as it grows past a quota, by holes, so that
 * the count of what was dropped is exact. A process that left the group of its command and writes later than it is not
 * waited for. To a command the difference is that `/dev/stdout` can be opened, which with Node's pipes it cannot.
 */
export interface CommandSpool {
  /** Descriptors for the command. */
  readonly stdout: number;
  readonly stderr: number;
  /** Head and tail of both streams. */
  read(): { readonly stdout: WindowText; readonly stderr: WindowText };
  /** Gives the room back. */
  close(): Promise<void>;
}

/** Opens a spool for a command of which so much is kept; nothing where the machine has no room or no means for one. */
export function openCommandSpool(maxChars: number): CommandSpool | undefined {
  const punch = findHolePuncher();
  const folder = punch === undefined ? undefined : findSpoolFolder();
  if (punch === undefined || folder === undefined) return undefined;
  const files: SpoolFile[] = [];
  const closeAll = async (): Promise<void> => void (await Promise.all(files.map((file) => file.close())));
  try {
    const [stdout, stderr] = [openSpoolFile(folder, maxChars, punch), openSpoolFile(folder, maxChars, punch)];
    files.push(stdout, stderr);
    const timer = setInterval(() => {
      for (const file of files) file.shrink();
    }, LOOK_MS).unref();
    return {
      stdout: stdout.descriptor,
      stderr: stderr.descriptor,
      read: () => ({ stdout: stdout.read(), stderr: stderr.read() }),
      close() {
        clearInterval(timer);
        return closeAll();
      },
    };
  } catch {
    // A file system without files that have no name, or no descriptors left.
    void closeAll();
    return undefined;
  }
}
