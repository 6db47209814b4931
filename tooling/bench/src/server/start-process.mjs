// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Starts a process that prints JSON lines.
 * @param {string} script
 * @param {readonly unknown[]} options
 */
export function startProcess(script, options) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...options.map(String)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {string} text */
    write: (text) => child.stdin.write(`${text}\n`),
    next: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${script} ended with ${child.exitCode}.`);
      return JSON.parse(value);
    },
    end: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
