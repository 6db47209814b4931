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
import type { NetworkRequests } from "../preflight/open-configured-environment.ts";
import { openWorkspace, type WorkspaceLocation } from "../preflight/open-workspace.ts";
import { attributesFromSession, boardFromSession } from "./board-from-session.ts";
import { sessionMasker } from "./session-masker.ts";
import type { SessionOptions } from "./session-options.ts";

/** Run to which an attempt belongs, with the store of the run. */
export interface PlannedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Id of the run that dispatched this run, or from which this run was forked. */
  readonly parentRunId?: string | undefined;
  /** Owner of the run. */
  readonly owner?: string | undefined;
  /** Checkpoint to resume from. `undefined` for a fresh start. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Store of the run. */
  readonly store: RunStore;
}

/** Everything that is known about an attempt (execution of a run) before it starts. */
export interface SessionPlan extends Omit<PlannedRun, "checkpoint"> {
  /** Checkpoint from which the engine resumes when it is next started. `undefined` for a fresh start. */
  checkpoint?: Checkpoint | undefined;
  input: SessionInput;
  options: SessionOptions;
  engineName: string;
  engine: Engine;
  /** Capabilities of the engine. Read once, because a later call may return something else or throw. */
  capabilities: Capabilities;
  environment: ExecutionEnvironment;
  /** Whether the session closes the environment at its end. */
  ownsEnvironment: boolean;
  /** Facts about the location of the workspace. */
  location: WorkspaceLocation;
  /** Network requests of the environment. `undefined` unless a proxy decides on them. */
  requests?: NetworkRequests | undefined;
  board: Board;
  deps: Dependencies;
  attributes: Readonly<Record<string, string>>;
  control: ControlQueue;
  /** Host that is passed to the engine. Once the run exists, calls are forwarded to the host of the session. */
  host: Host;
  base: DeferredHost;
  masker: Masker;
  now: () => number;
  timer: Timer;
  createId: () => string;
}

/** Signal for preflight checks. It never aborts. */
const NEVER: AbortSignal = new AbortController().signal;

/** Returns the given store, or opens the file store in the state folder. */
export async function openSessionStore({
  store,
  stateDirectory,
}: Pick<SessionOptions, "store" | "stateDirectory">): Promise<RunStore> {
  if (store !== undefined) return store;
  if (stateDirectory === undefined) {
    throw new EngineError("config.invalid", { field: "stateDirectory", problem: "it is not the path of a folder" });
  }
  const { openFileStore } = await import("@switchyard/stores/file");
  return openFileStore({ directory: stateDirectory });
}

/** Returns the environment that is passed to the engine. */
export function environmentOfEngine(
  environment: ExecutionEnvironment,
  { wrapEnvironment }: Pick<SessionOptions, "wrapEnvironment">,
): ExecutionEnvironment {
  return wrapEnvironment === undefined ? environment : wrapEnvironment(environment);
}

/**
 * Performs all checks that are possible before the engine starts. Rejects with the first problem.
 */
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
      requests: workspace.requests,
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
