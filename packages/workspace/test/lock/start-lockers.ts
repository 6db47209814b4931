import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const LOCKER = fileURLToPath(new URL("locker.mjs", import.meta.url));

/** Process that acquires and releases locks on command. */
export interface Locker {
  /** Sends a command to the process and resolves with its reply. */
  tell(command: string): Promise<string>;
  /** Pauses the process with SIGSTOP, so that it is alive but does nothing. */
  stop(): void;
  /** Kills the process without a chance to clean up, and resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts processes that acquire locks below one state folder. They are killed after the test. */
export async function startLockers(state: string, count: number): Promise<Locker[]> {
  const lockers = await Promise.all(Array.from({ length: count }, (_, index) => startLocker(state, `run-${index}`)));
  onTestFinished(async () => void (await Promise.all(lockers.map((locker) => locker.kill()))));
  return lockers;
}

async function startLocker(state: string, runId: string): Promise<Locker> {
  const child = spawn(process.execPath, [LOCKER, state, runId], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const waiting: ((line: string) => void)[] = [];
  const next = (): Promise<string> => new Promise((resolve) => waiting.push(resolve));
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  void ended.then(() => waiting.splice(0).forEach((resolve) => void resolve("ended")));
  const first = await next();
  if (first !== "ready") throw new Error(`the process said ${first}`);
  return {
    tell(command) {
      const answer = next();
      child.stdin.write(`${command}\n`);
      return answer;
    },
    stop() {
      child.kill("SIGSTOP");
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
