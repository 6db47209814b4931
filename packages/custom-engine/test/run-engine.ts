import {
  type Board,
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
import { type RecordingHost, recordingHost } from "@switchyard/testkit";
import { type CustomEngineOptions, loadEngineConfig } from "../src/index.ts";
import { createEngine } from "./create-engine.ts";

/** Options of a run of an engine. */
export interface RunOptions extends CustomEngineOptions {
  readonly environment: ExecutionEnvironment;
  readonly input?: Partial<SessionInput> | undefined;
  /** Variables to which the configuration refers. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly model?: unknown;
  readonly host?: RecordingHost | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly resumeFrom?: Checkpoint | undefined;
}

/** Result of a run. */
export interface EngineRun {
  readonly result: SessionResult | undefined;
  readonly error: EngineError | undefined;
  readonly host: RecordingHost;
  readonly board: Board;
}

/** An input of one user message. */
const ASK: SessionInput = { messages: [{ role: "user", content: "Review the change." }] };

/** Runs the engine that a custom block describes. */
export async function runEngine(custom: unknown, options: RunOptions): Promise<EngineRun> {
  const { environment, input, env = {}, model, host = recordingHost(), signal, resumeFrom, ...made } = options;
  const loaded = loadEngineConfig({ name: "mine", model, custom }, { env });
  if (loaded.custom === undefined) throw new Error("It is no custom engine.");
  const engine = createEngine(loaded.custom, made);
  const board = createBoard();
  board.set(SESSION_INPUT, { ...ASK, ...input });
  const deps = createDependencies();
  deps.set(DEPENDENCY.environment, environment);
  const run = {
    ...{ id: "run-1", attributes: {}, deps, signal: signal ?? new AbortController().signal },
    ...(resumeFrom === undefined
      ? {}
      : { resumeFrom, resume: { attempt: 2, startedAt: resumeFrom.timestamp, signal: "crash" } }),
  };
  let error: EngineError | undefined;
  try {
    await engine.execute(run, host, board);
  } catch (thrown) {
    error = toEngineError(thrown);
  }
  return { result: board.get(SESSION_RESULT), error, host, board };
}
