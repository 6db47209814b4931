import {
  type Checkpoint,
  DEPENDENCY,
  type Dependencies,
  EngineError,
  type Run,
  SESSION_INPUT,
  type SessionInput,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { recordingHost, type ScriptStep, scriptedClient } from "@switchyard/testkit";
import { type AgentEngineOptions, createAnthropicProfile } from "../src/index.ts";
import { createEngine } from "./create-engine.ts";
import type { Workspace } from "./open-workspace.ts";

/** Options for a run of the engine under test. */
export interface RunSetup extends Partial<AgentEngineOptions> {
  readonly steps: readonly ScriptStep[];
  readonly input?: Partial<SessionInput>;
  readonly dependencies?: readonly (readonly [string, unknown])[];
  readonly host?: ReturnType<typeof recordingHost>;
  readonly signal?: AbortSignal | undefined;
  /** Checkpoint from which the run resumes. It is serialized and parsed first, as by a store. */
  readonly from?: Checkpoint | undefined;
}

function runOf(deps: Dependencies, { signal, from }: Pick<RunSetup, "signal" | "from">): Run {
  const run: Run = {
    id: "run-1",
    attributes: { "agent.id": "agent" },
    deps,
    signal: signal ?? new AbortController().signal,
  };
  if (from === undefined) return run;
  const startedAt = from.originalStartedAt ?? from.timestamp;
  const resume = { attempt: 2, startedAt, signal: "crash", checkpointAt: from.timestamp };
  return { ...run, resume, resumeFrom: JSON.parse(JSON.stringify(from)) };
}

/** Starts a run. Default input: `go`. */
export function startRun(
  workspace: Workspace,
  { steps, input, dependencies = [], host = recordingHost(), signal, from, ...options }: RunSetup,
) {
  const client = scriptedClient(steps);
  const engine = createEngine({ client, profile: createAnthropicProfile({ model: "claude" }), ...options });
  const board = createBoard();
  if (from === undefined) board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }], ...input });
  const deps = createDependencies([[DEPENDENCY.environment, workspace.environment], ...dependencies]);
  const execution = engine.execute(runOf(deps, { signal, from }), host, board);
  return { client, host, board, engine, execution };
}

/** Executes a run, and resolves with its checkpoints. */
export async function checkpointsOf(workspace: Workspace, setup: RunSetup): Promise<readonly Checkpoint[]> {
  const { host, execution } = startRun(workspace, setup);
  await execution;
  return host.checkpoints;
}

/** Resolves with the code of the error with which an execution rejects. `undefined` if it does not reject. */
export async function codeOf(execution: Promise<unknown>): Promise<string | undefined> {
  try {
    await execution;
    return undefined;
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
}
