import { isoTime, type RetryNotice, toEngineError } from "@switchyard/contracts";
import { BackgroundTable } from "../background/background-table.ts";
import { beginState } from "../checkpoint/begin-state.ts";
import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import { storeState } from "../checkpoint/store-state.ts";
import { EventEmitter } from "../events/event-emitter.ts";
import { buildSessionPrompt } from "../prompt/build-session-prompt.ts";
import { reuseEarlierPrompt } from "../prompt/earlier-prompt.ts";
import { commandTable } from "../skills/expand-command.ts";
import { childOptions } from "../subagents/child-options.ts";
import type { ChildSession } from "../subagents/child-session.ts";
import { type Lineage, lineageOf, parentModelOf } from "../subagents/lineage.ts";
import type { SessionSubagents } from "../subagents/session-subagents.ts";
import { Subagents } from "../subagents/subagents.ts";
import { ModelFallbacks } from "../turn-retry/model-fallbacks.ts";
import { TurnRetries, type TurnRetriesContext } from "../turn-retry/turn-retries.ts";
import { ActiveTimer } from "./active-timer.ts";
import { createRegistry } from "./create-registry.ts";
import { createSessionConfig, type SessionConfig } from "./session-config.ts";
import type { SessionCore } from "./session-core.ts";
import type { SessionOptions } from "./session-options.ts";

/** Dependencies of a session's core (its internal state). */
export interface CoreDependencies<TSession extends ChildSession> {
  /** Signal that aborts when the session is aborted. */
  readonly signal: AbortSignal;
  /** Called before the first event. */
  readonly announce: () => void;
  /** Creates the session of a subagent. */
  readonly createSession: (options: SessionOptions) => TSession;
}

/** Returns the stored session state from which a session resumes. `undefined` for a new session. */
function beginningOf({ snapshot, resumeFrom }: SessionOptions): SessionOptions["resumeFrom"] {
  return resumeFrom ?? snapshot?.boundary;
}

/**
 * Returns whether the stored state from which a session starts was saved while an input was being processed. The
 * session then resumes this input.
 */
export function startsMidInput({ snapshot, resumeFrom }: SessionOptions): boolean {
  if (snapshot !== undefined) return snapshot.state === "processing";
  return resumeFrom !== undefined && resumeFrom.kind !== "settled";
}

/**
 * Options and dependencies of a session that is being created. `core` returns the session's core (internal state), and
 * must only be called once the core exists.
 */
interface CoreContext<TSession extends ChildSession> {
  readonly options: SessionOptions;
  readonly surroundings: CoreDependencies<TSession>;
  readonly core: () => SessionCore;
}

/**
 * Creates the registry of a session's subagents. If the session resumes from a stored state, the registry contains the
 * subagents of that state.
 */
function createSubagents<TSession extends ChildSession>({
  options,
  surroundings,
  core,
}: CoreContext<TSession>): Subagents<TSession> {
  const lineage = lineageOf(options);
  return new Subagents({
    core,
    name: lineage?.agentId ?? (options.agentId ?? "agent").replace(/[.*>]/g, "_"),
    createSession: (subagent, sessionOptions) =>
      surroundings.createSession(childOptions(options, core(), { subagent, lineage: sessionOptions })),
    lineage,
    from: beginningOf(options)?.children,
  });
}

function createPrompt({ options, surroundings, core }: CoreContext<ChildSession>): SessionCore["buildSystemPrompt"] {
  return () => {
    const { config, registry, now } = core();
    const { earlierPrompt } = options;
    const { signal } = surroundings;
    const built = buildSessionPrompt({ ...options, model: config.model, registry, now, signal });
    return earlierPrompt === undefined ? built : built.then((prompt) => reuseEarlierPrompt(earlierPrompt, prompt));
  };
}

/**
 * Returns the active time in a stored session state. The session and its subagents share one timer, but their states
 * were stored at different times. The largest value is therefore the most recent.
 */
function activeMsAt(boundary: SessionBoundary | undefined): number {
  if (boundary === undefined) return 0;
  const children = (boundary.children ?? []).map((child) => activeMsAt(child.boundary));
  return Math.max(boundary.progress.activeMs ?? 0, ...children);
}

/**
 * Emits an event when the model client retries a single call. Retries of complete turns are reported by other events.
 */
function emitCallRetry(events: EventEmitter, now: () => number, { attempt, delayMs, error }: RetryNotice): void {
  events.emit("model_call_retried", {
    ...{ attempt, delay_ms: delayMs, error: toEngineError(error).toWire(), level: "call" },
    retry_at: isoTime(now() + delayMs),
  });
}

/**
 * Creates the retry state for the session's model and its fallback models. A subagent starts with its parent's current
 * model, unless it was spawned with another model.
 */
function turnRetriesOf(
  options: SessionOptions,
  config: SessionConfig,
  context: Pick<TurnRetriesContext, "signal" | "isKnown">,
): TurnRetries {
  const { profile, turnRetry = {}, fallbackModels = [] } = options;
  const sessionOptions = {
    provider: profile.provider,
    get model() {
      return config.model ?? profile.model;
    },
  };
  const models = new ModelFallbacks(sessionOptions, fallbackModels, parentModelOf(options));
  return new TurnRetries(turnRetry, { ...context, models });
}

const never = (): boolean => false;

const NO_ATTRIBUTES: SessionCore["attributes"] = {};

/** Core (internal state) of a session, and the registry of its subagents. */
export interface CreatedCore<TSession extends ChildSession> {
  readonly core: SessionCore;
  readonly subagents: Subagents<TSession>;
}

/** Creates the core (internal state) of a session, without reading or requesting anything. Throws `config.invalid`. */
export function createCore<TSession extends ChildSession>(
  options: SessionOptions,
  surroundings: CoreDependencies<TSession>,
): CreatedCore<TSession> {
  const context: CoreContext<TSession> = { options, surroundings, core: () => core };
  const subagents = createSubagents(context);
  const core = assembleCore(context, { subagents, ...createParts(context) });
  storeInitialState(core, options);
  return { core, subagents };
}

/** Parts of a core that are created first, because others are created from them. */
interface CoreParts {
  readonly subagents: SessionSubagents;
  readonly now: () => number;
  readonly config: SessionConfig;
  /** State with which the session begins. */
  readonly begin: ReturnType<typeof beginState>;
  /** Position among the subagents. `undefined`: the session is not a subagent. */
  readonly lineage: Lineage | undefined;
  /** Number of sessions above this one. 0: the session is not a subagent. */
  readonly depth: number;
  readonly events: EventEmitter;
  readonly background: BackgroundTable;
}

function createParts({ options, surroundings }: CoreContext<ChildSession>): Omit<CoreParts, "subagents"> {
  const { environment, now = Date.now } = options;
  const [config, begin, lineage] = [createSessionConfig(options.config), beginState(options), lineageOf(options)];
  const { announce, signal } = surroundings;
  const events = new EventEmitter({ sessionId: begin.id, now, announce, relay: lineage?.relay });
  const background = new BackgroundTable({ environment, now, signal, conversation: begin.conversation });
  return { now, config, begin, lineage, depth: lineage?.depth ?? 0, events, background };
}

function assembleCore(context: CoreContext<ChildSession>, parts: CoreParts): SessionCore {
  const { options } = context;
  const { signal } = context.surroundings;
  const { now, config, begin, lineage, depth, events, background } = parts;
  // The properties are listed one by one, because V8 would turn a spread object of this size into a slow dictionary.
  return {
    id: begin.id,
    profile: options.profile,
    environment: options.environment,
    client: options.client,
    config,
    registry: createRegistry(options, depth < config.maxSubagentDepth),
    toolSource: options.toolSource,
    conversation: begin.conversation,
    events,
    emit: events.emit,
    now,
    signal,
    steering: begin.steering,
    followUps: begin.followUps,
    isQuestion: options.isQuestion ?? never,
    reportUsage: options.reportUsage,
    onBoundary: options.onBoundary,
    beforeEffect: options.beforeEffect,
    effectJournal: options.effectJournal,
    background,
    spool: options.outputSpool,
    agentId: lineage?.agentId,
    depth,
    root: lineage?.root ?? context.core,
    subagents: parts.subagents,
    buildSystemPrompt: createPrompt(context),
    approve: options.approve,
    hooks: options.hooks,
    callExtension: options.callExtension,
    attributes: options.attributes ?? NO_ATTRIBUTES,
    askUser: options.askUser,
    activeTimer: lineage?.root().activeTimer.ofMember() ?? ActiveTimer.ofRoot(now, activeMsAt(beginningOf(options))),
    firstTurn: begin.firstTurn,
    compaction: options.compaction,
    commands: commandTable(options.commands),
    emitRetry: (notice) => emitCallRetry(events, now, notice),
    turnRetries: turnRetriesOf(options, config, { signal, isKnown: begin.conversation.modelTurns > 0 }),
    toolRun: undefined,
    warnings: new Set(),
    compactAbove: 0,
    state: begin.state,
    toolQuestions: 0,
    isCostUnknown: begin.isCostUnknown,
    rounds: begin.rounds,
    storedTurnCount: begin.storedTurnCount,
    storedUsage: begin.conversation.unrecordedUsage,
    isBoundarySuggested: begin.isBoundarySuggested,
    hasInheritedCalls: begin.hasInheritedCalls,
    systemPrompt: begin.systemPrompt,
    isContextHigh: begin.isContextHigh,
    warnedPattern: begin.warnedPattern,
    storedState: begin.storedState,
  };
}

/** Records the initial state as the last stored state. Only needed for sessions with a parent or subagents. */
function storeInitialState(core: SessionCore, options: SessionOptions): void {
  const beginning = beginningOf(options);
  if (lineageOf(options) === undefined && beginning?.children === undefined) return;
  storeState(core, beginning?.kind ?? "suggested");
}
