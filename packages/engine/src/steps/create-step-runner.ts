import {
  ATTRIBUTE,
  DEPENDENCY,
  type Dependencies,
  type Engine,
  EngineError,
  type Envelope,
  type ExecutionEnvironment,
  isoTime,
  NO_USAGE,
  type SessionInput,
} from "@switchyard/contracts";
import { createMasker, type Secret } from "@switchyard/secrets";
import { createDependencies } from "../dependencies/create-dependencies.ts";
import { capabilitiesOf } from "../engine/capabilities-of.ts";
import { asResumer } from "../engine/unwrap-engine.ts";
import { assertRunId } from "../subject/sanitise-id.ts";
import { StepExecution, type StepExecutionOptions } from "./execute-step.ts";
import { checkpointIn, parseStepState } from "./parse-step-state.ts";
import { toReply } from "./step-questions.ts";
import { STEP_STATE_FORMAT, type Step, type StepInput, type StepState } from "./step-state.ts";

/** Run whose environment is opened. */
export interface StepRun {
  /** Id of the run. */
  readonly id: string;
  /** Input of the run. */
  readonly session: SessionInput;
}

/** Options of {@link createStepRunner}. */
export interface StepRunnerOptions {
  /** Engine that executes the runs. */
  readonly engine: Engine;
  /** Name of the engine, which is the agent id in events. Default: `engine`. */
  readonly engineName?: string | undefined;
  /**
   * Environment in which the engine works, the dependency `DEPENDENCY.environment`. A function opens the environment of
   * one run; it is called for each step, and its environment is closed after the step.
   */
  readonly environment?: ExecutionEnvironment | ((run: StepRun) => Promise<ExecutionEnvironment>) | undefined;
  /** Further dependencies of the runs. */
  readonly deps?: Dependencies | undefined;
  /** Attributes of the runs. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** Secrets that are masked in events and results. The state is not masked, because a resume needs the original. */
  readonly secrets?: readonly (string | Secret)[] | undefined;
  /** Called with each stored event as soon as the engine publishes it. A repeated step publishes its events again. */
  readonly onEvent?: ((envelope: Envelope) => void) | undefined;
  /**
   * Maximum time to wait at the end of a step for effects that are still running, in milliseconds. The engine then has
   * the same time to stop. Default: 30,000.
   */
  readonly graceMs?: number | undefined;
  /** Returns the time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Creates ids of runs, claims and events. Must be unpredictable. Default: random UUIDs. */
  readonly createId?: (() => string) | undefined;
}

/** Executes runs step by step, for hosts (programs that embed the engine) that store the state after each step. */
export interface StepRunner {
  /**
   * Runs the engine until its next boundary: a checkpoint, a question or the end of the run. Without a state, starts a
   * new run. If the engine fails, the returned step contains the failure, so that the journal of its effects is not
   * lost.
   *
   * Rejects with `config.invalid` for a new run without a task, `run.invalid_id`, `run.finished` if the run has ended,
   * and `checkpoint.*` if the engine cannot continue from the state.
   */
  advance(state: StepState | undefined, input?: StepInput): Promise<Step>;
  /**
   * Creates a claim: a one-time permission to start effects, such as tool calls. With a claim, `advance` may start the
   * effects that have the status `intended` in the passed state. Only the process that created a claim can use the
   * claim, and only in one call of `advance`.
   *
   * Store the claim durably before you pass it to `advance`, and never store another claim for the same state. If the
   * process crashes during the step, another process repeats the step with the stored claim. This claim is not valid in
   * the other process, so the engine does not repeat the effects.
   */
  claim(): string;
}

const GRACE_MS = 30_000;

/** Id of the only effect (recorded action) of an engine that cannot resume: the execution of the engine. */
const WHOLE_RUN = "run";

/** Returns true if the engine can continue from a checkpoint. */
function canContinue(engine: Engine): boolean {
  const { supportsResume, emitsCheckpoint } = capabilitiesOf(engine);
  return supportsResume === true && emitsCheckpoint === true;
}

function sessionOf({ session, prompt }: StepInput): SessionInput {
  if (session !== undefined) return session;
  if (typeof prompt === "string" && prompt.trim() !== "") return { messages: [{ role: "user", content: prompt }] };
  throw new EngineError("config.invalid", { field: "prompt", problem: "a new run needs a task" });
}

/** Creates the state of a run before its first step. */
function firstState(input: StepInput, options: StepRunnerOptions): StepState {
  const { createId = () => crypto.randomUUID(), now = Date.now } = options;
  const runId = input.runId ?? createId();
  assertRunId(runId);
  return {
    ...{ format: STEP_STATE_FORMAT, run_id: runId, status: "working", step: 0, attempt: 1, seq: 0 },
    ...{ is_started: false, started_at: isoTime(now()), session: sessionOf(input), usage: NO_USAGE },
    ...{ effects: [], open_calls: [], questions: [], answers: {}, messages: [] },
  };
}

/** Adds the caller's input to the state before a step. */
function withInput(state: StepState, { answers = {}, messages = [] }: StepInput): StepState {
  const replies = Object.entries(answers).map(([id, answer]) => [id, toReply(answer)] as const);
  const isRetry = state.status === "failed";
  return {
    ...state,
    attempt: isRetry ? state.attempt + 1 : state.attempt,
    answers: { ...state.answers, ...Object.fromEntries(replies) },
    messages: [...state.messages, ...messages],
  };
}

/**
 * Returns the first step of a run whose engine cannot resume. This step only declares that the engine will be executed.
 */
function declareRun(state: StepState, name: string): Step {
  const effect = { id: WHOLE_RUN, name, effects: "unsafe" } as const;
  return {
    state: { ...state, step: 1, effects: [{ ...effect, status: "intended" }] },
    status: "working",
    events: [],
    effects: [{ ...effect, key: `${state.run_id}/${WHOLE_RUN}` }],
    needsClaim: true,
    questions: [],
  };
}

/**
 * Ends a run as `interrupted` instead of executing its engine. An earlier process may already have executed the engine,
 * and an engine that cannot resume must not be executed twice.
 */
function unknownRun(state: StepState, engine: string): Step {
  const error = new EngineError("transport.unknown_outcome", { call: 1, engine }).toWire();
  const ended = { ...state, status: "interrupted", step: state.step + 1, effects: [] } as const;
  return { state: ended, status: "interrupted", events: [], effects: [], needsClaim: false, questions: [], error };
}

/**
 * Creates a runner that executes runs of one engine step by step. Use it to run an engine inside a durable workflow,
 * which may repeat a step after a crash. No `unsafe` effect is executed twice, see {@link StepRunner.claim}.
 *
 * If the engine cannot resume, each run has two steps: the first declares the execution of the engine, the second
 * executes it. If the second step is repeated, the run ends as `interrupted` with the error
 * `transport.unknown_outcome`.
 */
export function createStepRunner(options: StepRunnerOptions): StepRunner {
  const { engine, engineName = "engine", createId = () => crypto.randomUUID(), now = Date.now } = options;
  const masker = createMasker(options.secrets ?? []);
  const claims = new Set<string>();
  const attributes = { [ATTRIBUTE.agentId]: engineName, ...options.attributes };

  function depsOf(environment: ExecutionEnvironment | undefined): Dependencies {
    const deps = options.deps?.clone() ?? createDependencies();
    if (environment !== undefined) deps.set(DEPENDENCY.environment, environment);
    return deps;
  }

  async function execute(state: StepState, how: Omit<StepExecutionOptions, "deps">): Promise<Step> {
    const { environment } = options;
    if (typeof environment !== "function") {
      return new StepExecution(state, { ...how, deps: depsOf(environment) }).run();
    }
    await using opened = await environment({ id: state.run_id, session: state.session });
    return await new StepExecution(state, { ...how, deps: depsOf(opened) }).run();
  }

  async function advance(given: StepState | undefined, input: StepInput = {}): Promise<Step> {
    const before = given === undefined ? firstState(input, options) : parseStepState(given);
    if (!["working", "waiting", "failed"].includes(before.status)) {
      throw new EngineError("run.finished", { runId: before.run_id });
    }
    const checkpoint = checkpointIn(before);
    if (checkpoint !== undefined) asResumer(engine)?.canResume(checkpoint);
    const hasClaim = input.claim !== undefined && claims.delete(input.claim);
    let state = withInput(before, input);
    const isStepwise = canContinue(engine);
    if (!isStepwise) {
      const whole = state.effects[0];
      if (whole === undefined) return declareRun(state, engineName);
      if (!hasClaim || whole.status !== "intended") return unknownRun(state, engineName);
      state = { ...state, effects: [{ ...whole, status: "started" }] };
    }
    const marks = { runId: state.run_id, actor: engineName, attempt: state.attempt, now, createId };
    const {
      state: next,
      events,
      ...visible
    } = await execute(state, {
      ...{ engine, attributes, isStepwise, hasClaim, marks, signal: input.signal },
      ...{ onEvent: options.onEvent, graceMs: options.graceMs ?? GRACE_MS },
      mask: (envelope) => masker.maskData(envelope),
    });
    return { ...masker.maskData(visible), state: next, events };
  }

  return {
    advance,
    claim: () => {
      const claim = createId();
      claims.add(claim);
      return claim;
    },
  };
}
