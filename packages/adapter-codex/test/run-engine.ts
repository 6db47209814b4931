import { type AgentMcpServers, createAdapterEngine } from "@switchyard/adapter-kit";
import {
  type Checkpoint,
  DEPENDENCY,
  type EngineError,
  type ExecutionEnvironment,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
  toEngineError,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { type Secret, secret } from "@switchyard/secrets";
import { type RecordingHost, recordingHost } from "@switchyard/testkit";
import { codex } from "../src/index.ts";

/** Result of a run of the adapter as an engine. */
export interface EngineRun {
  readonly result: SessionResult | undefined;
  readonly error: EngineError | undefined;
  readonly host: RecordingHost;
}

/** How it is run. */
export interface EngineRunOptions {
  readonly environment: ExecutionEnvironment;
  readonly config: Readonly<Record<string, unknown>>;
  readonly input?: Partial<SessionInput> | undefined;
  readonly resumeFrom?: Checkpoint | undefined;
  readonly mcpServers?: AgentMcpServers | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Host of the run. With a host, the agent's questions are asked. Default: a host without a user. */
  readonly host?: RecordingHost | undefined;
  /** A message that a user sends during the first turn. It starts a second turn. */
  readonly steering?: string | undefined;
}

/** Runs the adapter as an engine with a prompt. */
export async function runEngine(prompt: string, options: EngineRunOptions): Promise<EngineRun> {
  const { environment, config, input, resumeFrom, mcpServers, variables = {} } = options;
  const secrets = Object.entries(variables).map(([name, value]): [string, Secret] => [name, secret(value)]);
  const adapter = codex.create(config, { variables: Object.fromEntries(secrets) });
  const engine = createAdapterEngine(adapter, { mcpServers, asksUser: options.host !== undefined });
  const host = options.host ?? recordingHost();
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: prompt }], ...input });
  const deps = createDependencies();
  deps.set(DEPENDENCY.environment, environment);
  const { steering } = options;
  const messages = steering === undefined ? [] : [{ text: steering }];
  deps.set(DEPENDENCY.control, { drain: () => messages.splice(0), onMessage: () => () => {} });
  const signal = options.signal ?? new AbortController().signal;
  const resume = resumeFrom && { resumeFrom, resume: { attempt: 2, startedAt: resumeFrom.timestamp, signal: "crash" } };
  const run = { id: "run-1", attributes: {}, deps, signal, ...resume };
  const error = await engine.execute(run, host, board).then(() => undefined, toEngineError);
  return { result: board.get(SESSION_RESULT), error, host };
}
