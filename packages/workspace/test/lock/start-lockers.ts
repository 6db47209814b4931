import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const LOCKER = fileURLToPath(new URL("locker.mjs", import.meta.url));

/** A process that takes locks when it is told to. */
export interface Locker {
  /** Sends a command and resolves with the answer. */
  tell(command: string): Promise<string>;
  /** Stops it as a debugger does, so that it lives and does nothing. */
  stop(): void;
  /** Kills it without a chance to clean up, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts processes that take locks below one state folder. They are gone after the test. */
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
