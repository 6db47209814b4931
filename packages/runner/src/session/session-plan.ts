import {
  type Board,
  DEPENDENCY,
  type Dependencies,
  type Engine,
  type ExecutionEnvironment,
  type Host,
  type SessionInput,
} from "@switchyard/contracts";
import { assertRunId, composeHost, createDependencies } from "@switchyard/engine";
import { createMasker, isSecret, type Masker, type Secret } from "@switchyard/secrets";
import { createLateHost, type LateHost } from "../host/late-host.ts";
import { assertInput, assertOptions, assertRunnable, resolveEngine } from "../preflight/check-session.ts";
import { openWorkspace } from "../preflight/open-workspace.ts";
import { createRunId } from "../run-store/run-id.ts";
import { attributesFromSession, boardFromSession } from "./board-from-session.ts";
import { type ControlQueue, createControlQueue } from "./control-queue.ts";
import type { StartSessionOptions } from "./start-session-options.ts";
import { SYSTEM_TIMER, type Timer } from "./timer.ts";

/** Everything that is known before a session begins; nothing of it has happened yet. */
export interface SessionPlan {
  runId: string;
  input: SessionInput;
  options: StartSessionOptions;
  engineName: string;
  engine: Engine;
  environment: ExecutionEnvironment;
  /** Whether the environment is closed when the session is over. */
  ownsEnvironment: boolean;
  board: Board;
  deps: Dependencies;
  attributes: Readonly<Record<string, string>>;
  control: ControlQueue;
  /** What the engine sees; its inside is bound when the run exists. */
  host: Host;
  base: LateHost;
  masker: Masker;
  now: () => number;
  timer: Timer;
  createId: () => string;
}

/** Checks all that can be checked before anything runs: flow steps 1 to 5. Rejects with the first problem. */
export async function planSession(given: SessionInput, options: StartSessionOptions): Promise<SessionPlan> {
  assertOptions(options);
  await assertInput(given);
  const now = options.now ?? Date.now;
  const runId = options.runId ?? createRunId(now());
  assertRunId(runId);
  const { name: engineName, engine } = await resolveEngine(options);
  const workspace = await openWorkspace(options);
  try {
    const { environment } = workspace;
    const input = { ...given, workspace: environment.workingDirectory };
    const control = createControlQueue();
    const deps = options.deps?.clone() ?? createDependencies();
    deps.set(DEPENDENCY.environment, environment);
    deps.set(DEPENDENCY.control, control.source);
    assertRunnable({ name: engineName, engine }, deps, options);
    const base = createLateHost();
    return {
      ...{ runId, input, options, engineName, engine, environment, control, deps, base, now },
      ownsEnvironment: workspace.isOwned,
      board: boardFromSession(input),
      attributes: Object.freeze({ "agent.id": engineName, ...attributesFromSession(input), ...options.attributes }),
      host: composeHost(base.host, ...(options.middlewares ?? [])),
      masker: createMasker(options.secrets ?? [], { keys: secretsOf(engine) }),
      timer: options.timer ?? SYSTEM_TIMER,
      createId: options.createId ?? (() => crypto.randomUUID()),
    };
  } catch (error) {
    if (workspace.isOwned) await workspace.environment[Symbol.asyncDispose]();
    throw error;
  }
}

/** Keys that an engine says it may use, as the built-in agent does: nobody has to name them a second time. */
function secretsOf(engine: Engine): Secret[] {
  const secrets: unknown = "secrets" in engine ? engine.secrets : undefined;
  return Array.isArray(secrets) ? secrets.filter(isSecret) : [];
}
