import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillWithBusybox } from "./busybox-root.ts";
import type { ProgramResult } from "./run-program.ts";
import { mustRun, runProgram } from "./run-program.ts";

/** Image with busybox and nothing else. */
export const BUSYBOX_IMAGE = "switchyard-test/busybox:1";
/** Image without a shell. */
export const SHELL_LESS_IMAGE = "switchyard-test/empty:1";

/** A container engine that tests have started for themselves. */
export interface TestEngine {
  readonly client: "docker" | "podman";
  /** Variables by which its client finds it. */
  readonly hostEnv: Readonly<Record<string, string>>;
  /** Separate folder on the host. */
  readonly folder: string;
  /** Runs its client. */
  run(...args: string[]): Promise<ProgramResult>;
  /** Runs its client, which must not fail. */
  must(...args: string[]): Promise<string>;
  /** Ends it and removes all that it made. */
  stop(): Promise<void>;
}

/** A part that is missing on this machine. */
export interface Missing {
  readonly missing: string;
}

/** A new folder with a short path: those of sockets are bounded. */
export function newEngineFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `sy-${name}-`));
}

/** Whether a program is on the PATH. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await runProgram(["sh", "-c", 'command -v -- "$1"', "sh", name])).code === 0;
}

/** The parts of an engine that its client gives. */
export function clientOf(
  client: TestEngine["client"],
  hostEnv: TestEngine["hostEnv"],
): Pick<TestEngine, "run" | "must"> {
  return {
    run: (...args) => runProgram([client, ...args], { env: { ...hostEnv } }),
    must: (...args) => mustRun([client, ...args], { env: { ...hostEnv } }),
  };
}

/** Loads the test images into an engine, without a registry. Returns the reason if that is not possible. */
export async function importImages({
  folder,
  must,
  run,
  client,
}: Omit<TestEngine, "stop">): Promise<string | undefined> {
  const root = join(folder, "busybox");
  mkdirSync(root);
  const missing = await fillWithBusybox(root);
  if (missing !== undefined) return missing;
  const empty = join(folder, "empty");
  mkdirSync(empty);
  writeFileSync(join(empty, "nothing"), "");
  for (const [source, image] of [
    [root, BUSYBOX_IMAGE],
    [empty, SHELL_LESS_IMAGE],
  ] as const) {
    await mustRun(["tar", "-C", source, "-cf", `${source}.tar`, "."]);
    await must("import", `${source}.tar`, image);
  }
  const probe = await run("run", "--rm", "--network", "none", BUSYBOX_IMAGE, "true");
  return probe.code === 0 ? undefined : `${client} cannot run a container here: ${probe.stderr.trim().slice(0, 300)}`;
}
