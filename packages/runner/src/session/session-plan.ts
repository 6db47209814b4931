import {
  type Board,
  type Capabilities,
  type Checkpoint,
  DEPENDENCY,
  type Dependencies,
  type Engine,
  EngineError,
  type ExecutionEnvironment,
  type Host,
  type RunStore,
  type SessionInput,
} from "@switchyard/contracts";
import { capabilitiesOf, composeHost, createDependencies } from "@switchyard/engine";
import type { Masker } from "@switchyard/secrets";
import { type ControlQueue, createControlQueue } from "../control/control-queue.ts";
import { SYSTEM_TIMER, type Timer } from "../control/timer.ts";
import { createDeferredHost, type DeferredHost } from "../host/deferred-host.ts";
import { withOutputPrompt } from "../output/output-prompt.ts";
import { assertInput, assertRunnable, resolveEngine } from "../preflight/check-session.ts";
import { openWorkspace, type WorkspaceLocation } from "../preflight/open-workspace.ts";
import { attributesFromSession, boardFromSession } from "./board-from-session.ts";
import { sessionMasker } from "./session-masker.ts";
import type { SessionOptions } from "./session-options.ts";

/** Which run an attempt belongs to, and where that is kept. */
export interface PlannedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Run that dispatched it. */
  readonly parentRunId?: string | undefined;
  /** Whose it is. */
  readonly owner?: string | undefined;
  /** Where it goes on; nothing for a fresh start. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Keeps it. */
  readonly store: RunStore;
}

/** Everything that is known before an attempt begins; nothing of it has happened yet. */
export interface SessionPlan extends Omit<PlannedRun, "checkpoint"> {
  /** Where the engine goes on when it is begun next; nothing for a fresh start. */
  checkpoint?: Checkpoint | undefined;
  input: SessionInput;
  options: SessionOptions;
  engineName: string;
  engine: Engine;
  /** What the engine claims, asked once: later it might say something else, or throw. */
  capabilities: Capabilities;
  environment: ExecutionEnvironment;
  /** Whether the environment is closed when the session is over. */
  ownsEnvironment: boolean;
  /** What is known of its place. */
  location: WorkspaceLocation;
  board: Board;
  deps: Dependencies;
  attributes: Readonly<Record<string, string>>;
  control: ControlQueue;
  /** What the engine sees; its inside is bound when the run exists. */
  host: Host;
  base: DeferredHost;
  masker: Masker;
  now: () => number;
  timer: Timer;
  createId: () => string;
}

/** Preflight looks at no signal. */
const NEVER: AbortSignal = new AbortController().signal;

/** Opens where runs are kept: the store that was given, or files in the state folder. */
export async function openSessionStore({
  store,
  stateDirectory,
}: Pick<SessionOptions, "store" | "stateDirectory">): Promise<RunStore> {
  if (store !== undefined) return store;
  if (stateDirectory === undefined) {
    throw new EngineError("config.invalid", { field: "stateDirectory", problem: "it is no path of a folder" });
  }
  const { openFileStore } = await import("@switchyard/stores/file");
  return openFileStore({ directory: stateDirectory });
}

/** The environment that the engine sees. */
export function environmentOfEngine(
  environment: ExecutionEnvironment,
  { wrapEnvironment }: Pick<SessionOptions, "wrapEnvironment">,
): ExecutionEnvironment {
  return wrapEnvironment === undefined ? environment : wrapEnvironment(environment);
}

/** Checks all that can be checked before anything runs: flow steps 1 to 5. Rejects with the first problem. */
export async function planSession(
  given: SessionInput,
  options: SessionOptions,
  planned: PlannedRun,
): Promise<SessionPlan> {
  await assertInput(given);
  const { name: engineName, engine } = await resolveEngine(options);
  const workspace = await openWorkspace(options);
  try {
    const { environment } = workspace;
    const input = { ...given, workspace: environment.workingDirectory };
    const board = boardFromSession(withOutputPrompt(input, options.output));
    const control = createControlQueue(board);
    const deps = options.deps?.clone() ?? createDependencies();
    deps.set(DEPENDENCY.environment, environmentOfEngine(environment, options));
    deps.set(DEPENDENCY.control, control.source);
    const attributes = { "agent.id": engineName, ...attributesFromSession(input), ...options.attributes };
    const preview = { id: planned.runId, attributes, deps, resumeFrom: planned.checkpoint, signal: NEVER };
    assertRunnable({ name: engineName, engine }, preview, options);
    const base = createDeferredHost();
    return {
      ...planned,
      capabilities: { ...capabilitiesOf(engine) },
      ...{ input, options, engineName, engine, environment, board, control, deps, base },
      ownsEnvironment: workspace.isOwned,
      location: workspace.location,
      attributes: Object.freeze(attributes),
      host: composeHost(base.host, ...(options.middlewares ?? [])),
      masker: sessionMasker({ engine, secrets: options.secrets }),
      now: options.now ?? Date.now,
      timer: options.timer ?? SYSTEM_TIMER,
      createId: options.createId ?? (() => crypto.randomUUID()),
    };
  } catch (error) {
    if (workspace.isOwned) await workspace.environment[Symbol.asyncDispose]();
    throw error;
  }
}
