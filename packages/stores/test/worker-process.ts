import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Another process that has opened the same store. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Sends a command to the process. */
  send(command: string): void;
  /** The next line of the process's output. */
  next(): Promise<Record<string, unknown>>;
}

/** Starts a program. It is ended at the end of the test. */
export function startWorker(program: URL, ...argv: readonly string[]): WorkerProcess {
  const child = spawn(process.execPath, [fileURLToPath(program), ...argv], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    send: (command) => void child.stdin.write(`${command}\n`),
    next: async () => {
      const { value, done } = await lines.next();
      return done === true ? { ended: true } : JSON.parse(value);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/**
 * Reads the output of a worker until the given number of steps is printed, kills it, and reads the rest. Returns the
 * last step.
 */
export async function killAfter(worker: WorkerProcess, steps: number): Promise<Record<string, unknown>> {
  let last: Record<string, unknown> = {};
  for (let printed = 0; ; printed += 1) {
    const line = await worker.next();
    if (line["ended"] === true) return last;
    if ("iteration" in line) last = line;
    if (printed === steps) await kill(worker.process);
  }
}
