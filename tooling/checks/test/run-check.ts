import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findResult, type Result } from "@switchyard/suite/result-line";
import { ROOT } from "../src/repository.mjs";

/** Output and result of a check. */
export interface CheckRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly result: Result | undefined;
}

/** Runs one check script in a folder, like turbo. */
export function runCheck(name: string, folder: string, args: readonly string[] = []): CheckRun {
  return runCommand([process.execPath, join(ROOT, "tooling/checks/src", `${name}.mjs`), ...args], folder);
}

/** Runs a command in a folder. */
export function runCommand([command = "", ...args]: readonly string[], folder: string): CheckRun {
  const run = spawnSync(command, args, { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  const output = `${run.stdout}${run.stderr}`;
  return { exitCode: run.status, output, result: findResult(output.split("\n")) };
}
