import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { type EngineRun, type EngineRunOptions, runEngine } from "./run-engine.ts";

const FAKE = fileURLToPath(new URL("./fake-codex.mjs", import.meta.url));
const PLANNED = fileURLToPath(new URL("./planned-codex.mjs", import.meta.url));

/** A message that the command received. */
interface Request {
  readonly id?: number | string | undefined;
  readonly method?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: unknown;
  readonly error?: { readonly code: number } | undefined;
  /** Arguments of the process. Only in its first line. */
  readonly args?: readonly string[] | undefined;
}

/** A run with a fake command. */
export interface CodexRun extends EngineRun {
  /** The requests that the command received, in order. */
  readonly requests: readonly Request[];
  /** The workspace in which it ran, which no longer exists. */
  readonly workspace: string;
}

/** How it is run. */
export type CodexRunOptions = Partial<Omit<EngineRunOptions, "environment">> & {
  readonly prompt?: string | undefined;
};

async function run(program: readonly string[], options: CodexRunOptions): Promise<CodexRun> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-codex-")));
  const [workspace, log] = [join(folder, "workspace"), join(folder, "asked.jsonl")];
  await mkdir(workspace);
  const environment = await openLocalEnvironment({ root: workspace, env: process.env });
  const [script = "", ...rest] = program;
  const command = [process.execPath, script, log, ...rest];
  const { prompt = "Do it.", config, ...given } = options;
  const made = await runEngine(prompt, { ...given, environment, config: { command, ...config } });
  const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  return { ...made, workspace, requests: lines.map((line) => JSON.parse(line)) };
}

/** Runs a recorded case. */
export function runRecording(name: string, options: CodexRunOptions = {}): Promise<CodexRun> {
  return run([FAKE, name], options);
}

/** Runs a planned one. */
export function runPlan(plan: unknown, options: CodexRunOptions = {}): Promise<CodexRun> {
  return run([PLANNED, JSON.stringify(plan)], options);
}
