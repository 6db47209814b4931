import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { type EngineRun, type EngineRunOptions, runEngine } from "./run-engine.ts";

const FAKE = fileURLToPath(new URL("./fake-opencode.mjs", import.meta.url));

/** A run with the fake command. */
export interface OpencodeRun extends EngineRun {
  /** The requests that the command received, by process. */
  readonly launches: readonly {
    readonly args: readonly string[];
    readonly prompt: string;
    readonly env: Readonly<Record<string, string>>;
  }[];
  /** The workspace in which it ran, which no longer exists. */
  readonly workspace: string;
  /** The files in the workspace afterwards. */
  readonly remainingFiles: readonly string[];
}

/** Runs the adapter as an engine with a prompt. The fake command reports `version` as its version. */
export async function runOpencode(
  prompt: string,
  { version, ...options }: Partial<Omit<EngineRunOptions, "environment">> & { version?: string } = {},
): Promise<OpencodeRun> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-opencode-")));
  const [workspace, log] = [join(folder, "workspace"), join(folder, "asked.jsonl")];
  await mkdir(workspace);
  if (version !== undefined) await writeFile(`${log}.version`, `${version}\n`);
  const environment = await openLocalEnvironment({ root: workspace, env: process.env });
  const config = { command: [process.execPath, FAKE, log], ...options.config };
  const run = await runEngine(prompt, { ...options, environment, config });
  const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  const remainingFiles = await readdir(workspace);
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  return { ...run, workspace, remainingFiles, launches: lines.map((line) => JSON.parse(line)) };
}
