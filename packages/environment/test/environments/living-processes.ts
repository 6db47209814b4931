import { readdirSync, readFileSync } from "node:fs";

/** A living process. */
export interface LivingProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Returns the processes of this machine whose command line contains a text, including those of its containers and pods.
 */
export function processesWith(text: string): LivingProcess[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid): LivingProcess[] => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
      return command.includes(text) ? [{ pid, parent: parentOf(pid), command }] : [];
    });
}

function parentOf(pid: number): number {
  return Number(read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1]);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
