import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentMcpServers, createAdapterEngine, createAdapterRegistry } from "@switchyard/adapter-kit";
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
import { openLocalEnvironment } from "@switchyard/environment/local";
import { type RecordingHost, recordingHost } from "@switchyard/testkit";
import { acpKinds } from "../src/index.ts";

/** A message of the client that the agent received. The first entry of a process contains its arguments. */
export interface Noted {
  readonly args?: readonly string[];
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: Readonly<Record<string, unknown>>;
}

/** Result of a run. */
export interface AcpRun {
  readonly result: SessionResult | undefined;
  readonly error: EngineError | undefined;
  readonly host: RecordingHost;
  readonly noted: readonly Noted[];
  /** Files of the workspace afterwards, with their texts. */
  readonly files: Readonly<Record<string, string>>;
}

/** How it is run. */
export interface AcpRunOptions {
  /** Kind of the adapter; `acp` by default. */
  readonly kind?: string | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly input?: Partial<SessionInput> | undefined;
  readonly resumeFrom?: Checkpoint | undefined;
  readonly mcpServers?: AgentMcpServers | undefined;
  /** Host of the run. With a host, the agent's questions are asked. Default: a host without a user. */
  readonly host?: RecordingHost | undefined;
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/**
 * Runs an agent's program through the adapter as an engine. The program receives the path of the log after these
 * arguments.
 */
export async function runAcp(words: readonly string[], options: AcpRunOptions = {}): Promise<AcpRun> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-acp-")));
  const root = join(folder, "workspace");
  const log = join(folder, "noted.jsonl");
  await mkdir(root);
  for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(root, name), text);
  const environment = await openLocalEnvironment({ root, env: process.env });
  const kind = createAdapterRegistry(acpKinds).get(options.kind ?? "acp");
  const adapter = kind.create({ command: [process.execPath, ...words, log], ...options.config });
  const engine = createAdapterEngine(adapter, {
    ...{ mcpServers: options.mcpServers, asksUser: options.host !== undefined },
  });
  const host = options.host ?? recordingHost();
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "Do it." }], ...options.input });
  const deps = createDependencies();
  deps.set(DEPENDENCY.environment, environment);
  const { resumeFrom } = options;
  const run = {
    ...{ id: "run-1", attributes: {}, deps, signal: new AbortController().signal },
    ...(resumeFrom && { resumeFrom, resume: { attempt: 2, startedAt: resumeFrom.timestamp, signal: "crash" } }),
  };
  const error = await engine.execute(run, host, board).then(() => undefined, toEngineError);
  const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  const names = await readdir(root);
  const texts = await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), "utf8")]));
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  const noted: readonly Noted[] = lines.map((line) => JSON.parse(line));
  return { result: board.get(SESSION_RESULT), error, host, noted, files: Object.fromEntries(texts) };
}

/** Runs a case of a recording. */
export async function runRecording(recording: string, name: string, options: AcpRunOptions = {}): Promise<AcpRun> {
  const fake = fileURLToPath(new URL("./fake-acp-agent.mjs", import.meta.url));
  const file = fileURLToPath(new URL(`../fixtures/${recording}.jsonl`, import.meta.url));
  const messages = [{ role: "user" as const, content: `CASE:${name} Please do what the case says.` }];
  return runAcp([fake, file], { ...options, input: { messages, ...options.input } });
}
