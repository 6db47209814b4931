import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentMcpServers, createAdapterEngine } from "@switchyard/adapter-kit";
import {
  type Checkpoint,
  DEPENDENCY,
  type EngineError,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
  toEngineError,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { openLocalEnvironment, openSandboxedEnvironment } from "@switchyard/environment/local";
import type { Secret } from "@switchyard/secrets";
import { type RecordingHost, recordingHost } from "@switchyard/testkit";
import { claudeCode } from "../src/index.ts";

const FAKE = fileURLToPath(new URL("./fake-claude.mjs", import.meta.url));
const PACKAGE = join(import.meta.dirname, "..");

/** Result of a run of the adapter's engine with a recording. */
export interface RecordedRun {
  readonly result: SessionResult | undefined;
  readonly error: EngineError | undefined;
  readonly host: RecordingHost;
  /** The requests that the command received, by process. */
  readonly launches: readonly {
    readonly args: readonly string[];
    readonly prompt: string;
    readonly mcpConfig?: unknown;
    /** Environment variables that configure `claude`. */
    readonly env: Readonly<Record<string, string>>;
  }[];
  /** The files in the workspace afterwards. */
  readonly remainingFiles: readonly string[];
}

/** How it is run. */
export interface RecordingOptions {
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly input?: Partial<SessionInput> | undefined;
  readonly resumeFrom?: Checkpoint | undefined;
  readonly mcpServers?: AgentMcpServers | undefined;
  /** Environment variables of the host. */
  readonly variables?: Readonly<Record<string, Secret>> | undefined;
  /** Whether the command runs in a sandbox. Default: false. */
  readonly isSandboxed?: boolean | undefined;
}

/** Runs the adapter as an engine against a command that prints these lines. */
export function runLines(lines: readonly unknown[], options: RecordingOptions = {}): Promise<RecordedRun> {
  const messages = [{ role: "user" as const, content: `LINES:${JSON.stringify(lines)}` }];
  return runRecording("text", { ...options, input: { messages, ...options.input } });
}

/**
 * Copies the simulated command into the workspace, because sandboxed commands do not see a repository below `/tmp`.
 * Returns the path of the copy.
 */
async function copyFake(root: string): Promise<string> {
  const agent = join(root, ".agent");
  await cp(join(PACKAGE, "fixtures"), join(agent, "fixtures"), { recursive: true });
  await cp(FAKE, join(agent, "test/fake-claude.mjs"));
  return join(agent, "test/fake-claude.mjs");
}

/** Runs a recorded case through the adapter as an engine. */
export async function runRecording(name: string, options: RecordingOptions = {}): Promise<RecordedRun> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-claude-")));
  const root = join(folder, "workspace");
  const { isSandboxed = false } = options;
  // Sandboxed commands can write only to the workspace.
  const log = join(isSandboxed ? root : folder, "asked.jsonl");
  await mkdir(root);
  const fake = isSandboxed ? await copyFake(root) : FAKE;
  const openEnvironment = isSandboxed ? openSandboxedEnvironment : openLocalEnvironment;
  const environment = await openEnvironment({ root, env: process.env });
  const adapter = claudeCode.create(
    { command: [process.execPath, fake, log], ...options.config },
    { variables: options.variables },
  );
  const engine = createAdapterEngine(adapter, { mcpServers: options.mcpServers });
  const host = recordingHost();
  const board = createBoard();
  const messages = [{ role: "user" as const, content: `CASE:${name} Please do what the case says.` }];
  board.set(SESSION_INPUT, { messages, ...options.input });
  const deps = createDependencies();
  deps.set(DEPENDENCY.environment, environment);
  const run = { id: "run-1", attributes: {}, deps, signal: new AbortController().signal };
  const { resumeFrom } = options;
  const resume = resumeFrom && { resumeFrom, resume: { attempt: 2, startedAt: resumeFrom.timestamp, signal: "crash" } };
  const error = await engine.execute({ ...run, ...resume }, host, board).then(() => undefined, toEngineError);
  const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  const remainingFiles = await readdir(root);
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  return {
    result: board.get(SESSION_RESULT),
    error,
    host,
    remainingFiles,
    launches: lines.map((line) => JSON.parse(line)),
  };
}
