import type { WindowText } from "../../../output/byte-window.ts";
import { findHolePuncher } from "./punch-hole.ts";
import type { SpoolFile } from "./spool-file.ts";
import { openSpoolFile } from "./spool-file.ts";
import { findSpoolFolder } from "./spool-folder.ts";

/** Interval at which file sizes are checked, in milliseconds. */
const LOOK_MS = 50;

/**
 * Unnamed files that receive a command's output instead of pipes, if no listener needs the output while the command
 * runs. They reduce the CPU time to a third for a command with 1 GiB of output, and to four fifths for a short command.
 *
 * The head and the tail of the output are stored. When the bytes in between exceed a quota, their disk space is
 * released; they still count as dropped bytes. The spool does not wait for output that other processes write after the
 * command's end. Unlike with Node's pipes, the command can open `/dev/stdout`.
 */
export interface CommandSpool {
  /** File descriptors that the command writes its output to. */
  readonly stdout: number;
  readonly stderr: number;
  /** Returns the head and tail of standard output and standard error. */
  read(): { readonly stdout: WindowText; readonly stderr: WindowText };
  /** Releases the disk space. */
  close(): Promise<void>;
}

/**
 * Opens the files for a command's output. Reading returns up to `maxChars` characters per stream. `undefined` if there
 * is too little disk space, or if the file system does not support unnamed files.
 */
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
    // The file system does not support unnamed files, or this process has too many open files.
    void closeAll();
    return undefined;
  }
}
