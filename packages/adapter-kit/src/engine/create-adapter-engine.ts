import {
  type AdapterCapabilities,
  type AgentAdapter,
  type AgentMcpServer,
  type AgentSession,
  ATTRIBUTE,
  type Board,
  type ControlSource,
  DEPENDENCY,
  type Engine,
  EngineError,
  type ExecutionEnvironment,
  type Host,
  isControlSource,
  isExecutionEnvironment,
  type ModelRoute,
  NO_USAGE,
  type Run,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  toEngineError,
  type Usage,
} from "@switchyard/contracts";
import {
  attributeOf,
  createCheckpoint,
  defineEngine,
  errorOfSignal,
  getDependency,
  interruptedError,
  type ModelAccess,
  type ModelAccessRequest,
  type OpenModelAccess,
  type WatchedInterrupts,
  watchInterrupts,
} from "@switchyard/engine";
import type { Secret } from "@switchyard/secrets";
import { createPermissionAsker } from "./ask-permission.ts";
import { type ConversationState, readConversation, writeConversation } from "./conversation-state.ts";
import { type CurrentSession, openCurrentSession } from "./current-session.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { createEventPublisher, type EventPublisher } from "./event-publisher.ts";
import { writeImages } from "./image-files.ts";
import { isSessionLost, type LostSession, lostSessionNotice, stateWithoutSession } from "./lost-session.ts";
import { promptOf, resumedPrompt } from "./prompt-of.ts";
import { reportBypass } from "./report-bypass.ts";
import { type FinishedTurn, runTurn, type TurnContext } from "./run-turn.ts";
import { createUsageReporter } from "./usage-reporter.ts";

/** Options for `createAdapterEngine`. */
export interface AdapterEngineOptions {
  /** Name for messages. Default: the adapter's kind. */
  readonly name?: string | undefined;
  /** Secrets that sessions mask everywhere: the values of the agent's credentials. */
  readonly secrets?: readonly Secret[] | undefined;
  /** MCP servers that are passed to the agent, if it supports MCP. */
  readonly mcpServers?: Readonly<Record<string, AgentMcpServer>> | undefined;
  /**
   * True to ask the agent's questions, and its requests for permissions, through the host. Otherwise a question ends
   * the run with `adapter.turn_input_required`, and requested permissions are denied. Default: false.
   */
  readonly asksUser?: boolean | undefined;
  /**
   * Opens access to models for each run, for example through a model gateway. Called only if the adapter can redirect
   * the model calls of its agent. The agent then receives the address and token that this function returns, and no API
   * keys. Default: the agent calls models directly.
   */
  readonly openModelAccess?: OpenModelAccess | undefined;
  /** Returns the current time for the engine's events, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Returns ids for the engine's events. Default: random ids. */
  readonly createId?: (() => string) | undefined;
}

/** An engine that drives an agent's command. */
export interface AdapterEngine extends Engine {
  /** Capabilities of the agent. */
  readonly agent: AdapterCapabilities;
  /** Destination of the agent's model calls. `undefined` if the adapter does not report it. */
  readonly modelRoute?: ModelRoute | undefined;
  /** Secrets of the engine, which sessions mask everywhere. */
  readonly secrets: readonly Secret[];
}

/** State shared by the turns of a run. */
interface AdapterJob {
  readonly adapter: AgentAdapter;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  readonly input: SessionInput;
  readonly environment: ExecutionEnvironment;
  readonly control: ControlSource | undefined;
  readonly events: EventPublisher;
  readonly options: AdapterEngineOptions;
  /** Access to models. `undefined` if the agent calls models directly. */
  readonly modelAccess: ModelAccess | undefined;
  /** Called with the usage that the agent reported, also if the run fails. */
  readonly onEnd: (used: Usage) => void;
}

/** Maximum number of questions per run; an agent that asks more is considered stuck. */
const MAX_QUESTIONS = 20;

/**
 * Creates an engine from an adapter. The engine sends the conversation to the agent turn by turn and publishes the
 * agent's output as events of the event table. Every checkpoint contains the agent's session id, so a resumed run
 * continues in the same session. An interrupted turn is never repeated silently: the next prompt informs the agent
 * about it. Steering and follow-up messages are separate turns. Execution rejects with `adapter.*` errors. See
 * agent-adapter: contract.
 */
export function createAdapterEngine(adapter: AgentAdapter, options: AdapterEngineOptions = {}): AdapterEngine {
  const name = options.name ?? adapter.kind;
  const engine = defineEngine(
    async (run, host, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const input = board.get(SESSION_INPUT);
      if (input === undefined) {
        const details = { path: "of the session", expected: "SessionInput", problem: "it is missing" };
        throw new EngineError("input.invalid", details);
      }
      const control = run.deps.has(DEPENDENCY.control)
        ? getDependency(run.deps, DEPENDENCY.control, isControlSource)
        : undefined;
      const events = createEventPublisher(host, {
        ...{ runId: run.id, actor: attributeOf(run, ATTRIBUTE.agentId) || name, attempt: run.resume?.attempt ?? 1 },
        ...{ now: options.now ?? Date.now, createId: options.createId ?? (() => crypto.randomUUID()), source: name },
      });
      try {
        const modelAccess = await openAccess(adapter, options, { run, host, environment });
        let used: Usage = NO_USAGE;
        const onEnd = (total: Usage): void => {
          used = total;
        };
        try {
          const job = { adapter, run, host, board, input, environment, control, events, options, modelAccess };
          await converse({ ...job, onEnd });
        } finally {
          await modelAccess?.close();
          await reportBypass(modelAccess, used, { host, events });
        }
      } finally {
        await events.settled();
      }
    },
    {
      ...{ name, supportsResume: true, emitsCheckpoint: true, acceptsSteering: true },
      ...{ emitsUserPrompt: options.asksUser === true, requiredDependencies: [DEPENDENCY.environment] },
      ...{ now: options.now, createId: options.createId },
    },
  );
  const { capabilities: agent, modelRoute } = adapter;
  return { ...engine, agent, modelRoute, secrets: options.secrets ?? [] };
}

/** Opens access to models for a run. Resolves with `undefined` if the agent calls models directly. */
async function openAccess(
  { modelRoute: route }: AgentAdapter,
  { openModelAccess }: AdapterEngineOptions,
  request: Omit<ModelAccessRequest, "route">,
): Promise<ModelAccess | undefined> {
  if (route === undefined || route.directReason !== undefined) return undefined;
  return await openModelAccess?.({ ...request, route });
}

/**
 * Sends the remaining prompts to the agent. The session is always stopped exactly once.
 */
async function converse(job: AdapterJob): Promise<void> {
  const { board, events, host, run } = job;
  using interrupts = watchInterrupts(run.signal, host.interrupts());
  await using images = await writeImages(job.input, job.environment, { board, runId: run.id });
  const opening = openingState(job, readConversation(board), images.paths);
  if (opening.prompts.length === 0) return;
  const budget = new AbortController();
  using deadline = startDeadline(job.input, opening);
  const isReported = job.modelAccess?.measuresUsage !== true;
  const usage = createUsageReporter(isReported ? { host, events } : undefined, () => budget.abort());
  const { session, state } = await openSession(job, opening, { signal: interrupts.signal, images: images.paths });
  try {
    const turnContext: TurnContext = {
      ...{ session, events, usage, storeState: (now) => storeState(job, now) },
      signal: AbortSignal.any([interrupts.signal, budget.signal, deadline.signal, ...accessSignals(job)]),
      maxTurns: job.input.max_turns === 0 ? undefined : job.input.max_turns,
      askPermission:
        job.options.asksUser === true ? createPermissionAsker(host, job.options.name ?? job.adapter.kind) : undefined,
    };
    const replace = async (lost: LostSession): Promise<ConversationState> => {
      const next = replaceSession(job, lost, images.paths);
      await session.replace();
      usage.beginSession();
      return next;
    };
    await takeTurns(job, turnContext, { state, interrupts, deadline, replace });
  } finally {
    job.onEnd(usage.total());
    await session.stop();
    events.publish("session_end", { session_id: session.id, state: "CLOSED" });
  }
}

/**
 * Returns a list with the signal that aborts when the run may make no further model call, for example because its
 * budget is used up. The list is empty if the model access has no such signal.
 */
function accessSignals({ modelAccess }: AdapterJob): readonly AbortSignal[] {
  return modelAccess?.signal === undefined ? [] : [modelAccess.signal];
}

/** State with which a run's turns begin, and the ways to interrupt the run or to replace its session. */
interface Opening {
  readonly state: ConversationState;
  readonly interrupts: WatchedInterrupts;
  readonly deadline: Deadline;
  /** Starts a new session in place of one that the agent no longer has. Resolves with the state to continue with. */
  readonly replace: (lost: LostSession) => Promise<ConversationState>;
}

async function takeTurns(
  job: AdapterJob,
  turnContext: TurnContext,
  { state: opening, interrupts, deadline, replace }: Opening,
): Promise<void> {
  let state = opening;
  let questions = 0;
  while (state.prompts.length > 0) {
    const finished = await runTurn(turnContext, state);
    const { error } = finished.result;
    if (state.sessionId !== "" && isSessionLost(error)) {
      state = await replace({ state, error });
      continue;
    }
    state = await settleTurn(job, finished);
    if (interrupts.interrupt !== undefined) throw interruptedError(interrupts.interrupt);
    if (job.run.signal.aborted) throw errorOfSignal(job.run.signal, { cause: finished.result.error });
    if (deadline.signal.aborted) throw deadline.error(finished.result.error);
    for (const signal of accessSignals(job)) signal.throwIfAborted();
    await turnContext.usage.settled();
    questions += finished.result.exitReason === "turn_input_required" ? 1 : 0;
    state = await nextPrompts(job, state, { finished, mayAsk: questions <= MAX_QUESTIONS });
  }
}

/**
 * Returns the state with which a run starts or resumes. The prompt of an interrupted turn is sent again, with a
 * warning.
 */
function openingState(
  { input, run, adapter }: AdapterJob,
  stored: ConversationState,
  images: readonly string[],
): ConversationState {
  if (stored.isRunning) {
    const [prompt = "", ...later] = stored.prompts;
    return { ...stored, isRunning: false, prompts: [resumedPrompt(prompt), ...later] };
  }
  if (run.resumeFrom !== undefined && stored.turns > 0) return stored;
  const known = adapter.capabilities.resume === "none" ? "" : (input.session_id ?? "");
  return { ...stored, sessionId: known, prompts: [promptOf(input, known !== "", images)] };
}

/**
 * Opens the agent session of a run. Resumes the earlier session if the agent still has it, otherwise starts a new one.
 */
async function openSession(
  job: AdapterJob,
  state: ConversationState,
  { signal, images }: { readonly signal: AbortSignal; readonly images: readonly string[] },
): Promise<{ readonly session: CurrentSession; readonly state: ConversationState }> {
  const open = (resumeSessionId: string): Promise<CurrentSession> =>
    openCurrentSession(job.adapter, (id) => startSession(job, id, signal), resumeSessionId);
  try {
    return { session: await open(state.sessionId), state };
  } catch (error) {
    if (state.sessionId === "" || !isSessionLost(error)) throw error;
    const next = replaceSession(job, { state, error }, images);
    return { session: await open(""), state: next };
  }
}

async function startSession(job: AdapterJob, resumeSessionId: string, signal: AbortSignal): Promise<AgentSession> {
  const { adapter, environment, events, modelAccess, options, run, host } = job;
  try {
    return await adapter.startSession({
      ...{ environment, workspacePath: environment.workingDirectory, signal },
      ...(resumeSessionId === "" ? {} : { resumeSessionId }),
      ...(options.mcpServers === undefined ? {} : { mcpServers: options.mcpServers }),
      ...(modelAccess === undefined ? {} : { modelAccess }),
    });
  } catch (thrown) {
    if (resumeSessionId !== "" && isSessionLost(thrown)) throw thrown;
    const interrupt = host.interrupts()?.tryReceive();
    if (interrupt !== undefined) throw interruptedError(interrupt, { cause: thrown });
    if (run.signal.aborted) throw errorOfSignal(run.signal, { cause: thrown });
    const error = toEngineError(thrown);
    events.publish("processing_end", { outcome: "failed", error: error.toWire() });
    throw error;
  }
}

/** Publishes that a lost session is replaced by a new one. Returns the state for the new session. */
function replaceSession(job: AdapterJob, lost: LostSession, images: readonly string[]): ConversationState {
  const payload = { session_id: lost.state.sessionId, message: lostSessionNotice(lost) };
  job.events.publish("session_replaced", payload);
  return stateWithoutSession(lost.state, promptOf(job.input, false, images));
}

/**
 * Stores the result of a turn on the run's board (shared run state) and in a checkpoint, from which the run can resume.
 */
async function settleTurn(job: AdapterJob, finished: FinishedTurn): Promise<ConversationState> {
  const { state, result } = finished;
  const isMeasured = result.usageMeasured && job.modelAccess?.measuresUsage !== true;
  job.board.set(SESSION_RESULT, {
    exit_code: result.exitReason === "turn_completed" ? 0 : 1,
    ...{ final_message: state.finalMessage, engine: job.options.name ?? job.adapter.kind, turns: state.turns },
    ...(state.model === "" ? {} : { model: state.model }),
    ...(isMeasured ? { input_tokens: state.inputTokens, output_tokens: state.outputTokens } : {}),
    ...(state.sessionId === "" ? {} : { session_id: state.sessionId }),
    ...{ duration_ms: state.durationMs, transcript: [...state.transcript] },
  });
  await storeState(job, state);
  return state;
}

/** Resolves with the next prompts: the answer to a question, and user messages that arrived during the turn. */
async function nextPrompts(
  job: AdapterJob,
  state: ConversationState,
  { finished, mayAsk }: { readonly finished: FinishedTurn; readonly mayAsk: boolean },
): Promise<ConversationState> {
  const { error, exitReason } = finished.result;
  const answers: string[] = [];
  if (exitReason === "turn_input_required" && mayAsk && job.options.asksUser === true) {
    answers.push(await askQuestion(job, error));
  } else if (error !== undefined) throw error;
  const texts = (job.control?.drain() ?? []).map(({ text }) => text);
  const next = { ...state, prompts: [...state.prompts, ...answers, ...texts] };
  const { max_turns: limit = 0 } = job.input;
  if (limit > 0 && next.prompts.length > 0 && state.turns >= limit) {
    job.events.publish("turn_limit", { limit: "max_turns", count: state.turns });
    return { ...next, prompts: [] };
  }
  if (answers.length + texts.length > 0) await storeState(job, next);
  return next;
}

/**
 * Asks the user and resolves with the answer, which is sent to the agent as text. The answer grants no permission. See
 * agent-adapter: refusal posture.
 */
async function askQuestion({ host, run, options }: AdapterJob, question: EngineError | undefined): Promise<string> {
  const text = String(question?.details["problem"] ?? "");
  try {
    const source = options.name;
    const reply = await host.askUser(
      { parts: [{ type: "text", text }], ...(source === undefined ? {} : { source }) },
      { signal: run.signal },
    );
    return reply.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  } catch (error) {
    if (EngineError.is(error, "prompt.unavailable") && question !== undefined) throw question;
    throw error;
  }
}

/** Stores the progress of the run. */
async function storeState({ run, host, board, options }: AdapterJob, state: ConversationState): Promise<void> {
  writeConversation(board, state);
  const step = state.isRunning ? `turn ${state.turns + 1}` : `turn ${state.turns} done`;
  await host.checkpoint(createCheckpoint(run, board, { step, iteration: state.turns, now: options.now }));
}
