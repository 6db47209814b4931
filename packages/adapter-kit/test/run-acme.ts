import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type AgentAdapter,
  type Board,
  type Checkpoint,
  type ControlSource,
  DEPENDENCY,
  type EngineError,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
  toEngineError,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { secret } from "@switchyard/secrets";
import { type AgentStep, type AgentTurn, type RecordingHost, recordingHost } from "@switchyard/testkit";
import { type AdapterEngineOptions, createAdapterEngine } from "../src/index.ts";
import { acme } from "./acme.ts";
import { openEnvironment } from "./open-environment.ts";

const PROGRAM = fileURLToPath(new URL("../../../fixtures/scripted-agent/scripted-agent.mjs", import.meta.url));
const DIALECT = fileURLToPath(new URL("./contract/acme-dialect.mjs", import.meta.url));

/** Options of a run of the fixture adapter as an engine. */
export interface RunAcmeOptions {
  readonly turns?: readonly AgentTurn[] | undefined;
  readonly input?: Partial<SessionInput> | undefined;
  readonly host?: RecordingHost | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly control?: ControlSource | undefined;
  readonly resumeFrom?: Checkpoint | undefined;
  readonly engine?: AdapterEngineOptions | undefined;
  readonly wrap?: ((adapter: AgentAdapter) => AgentAdapter) | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Environment variables of the host. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** Result of a run. */
export interface AcmeRun {
  readonly result: SessionResult | undefined;
  readonly error: EngineError | undefined;
  readonly host: RecordingHost;
  readonly board: Board;
  /** The prompt that the agent received, and whether it continued a session. */
  readonly prompts: readonly AcmePrompt[];
}

/** A prompt that the agent received, and the environment variables of its process. */
interface AcmePrompt {
  readonly prompt: string;
  readonly isResumed: boolean;
  readonly sessionId: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Default behaviour of the agent. */
export const WORKS: readonly AgentStep[] = [
  { do: "start", model: "m" },
  { do: "say", text: "Done." },
  { do: "end", kind: "success" },
];

/** Runs the fixture adapter as an engine. */
export async function runAcme(options: RunAcmeOptions = {}): Promise<AcmeRun> {
  await using place = await openEnvironment();
  const { host = recordingHost(), wrap = (adapter) => adapter, turns = [{ steps: WORKS }] } = options;
  await writeFile(`${place.folder}/script.json`, JSON.stringify(turns));
  const command = [process.execPath, PROGRAM, DIALECT, place.folder];
  const given = Object.entries(options.variables ?? {}).map(([name, value]) => [name, secret(value)]);
  const adapter = wrap(acme.create({ command, ...options.config }, { variables: Object.fromEntries(given) }));
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "Do it." }], ...options.input });
  const deps = createDependencies();
  deps.set(DEPENDENCY.environment, place.environment);
  if (options.control !== undefined) deps.set(DEPENDENCY.control, options.control);
  const { resumeFrom } = options;
  const run = {
    ...{ id: "run-1", attributes: {}, deps, signal: options.signal ?? new AbortController().signal },
    ...(resumeFrom && { resumeFrom, resume: { attempt: 2, startedAt: resumeFrom.timestamp, signal: "crash" } }),
  };
  const engine = createAdapterEngine(adapter, options.engine);
  const error = await engine.execute(run, host, board).then(() => undefined, toEngineError);
  const log = await readFile(`${place.folder}/received.jsonl`, "utf8").catch(() => "");
  const noted = log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const prompts = noted.filter((entry) => "prompt" in entry);
  return { result: board.get(SESSION_RESULT), error, host, board, prompts };
}
