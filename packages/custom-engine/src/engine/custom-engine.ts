import {
  ARTIFACT_ORIGINS,
  ATTRIBUTE,
  type Board,
  DEPENDENCY,
  DROPPED_ARTIFACTS,
  type EffectJournal,
  ENGINE_FILES,
  type Engine,
  EngineError,
  type ExecutionEnvironment,
  type Host,
  isEffectJournal,
  isExecutionEnvironment,
  type Run,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionMessage,
  type SessionResult,
} from "@switchyard/contracts";
import {
  assertRunning,
  attributeOf,
  createBoard,
  createCheckpoint,
  defineEngine,
  errorOfSignal,
  getDependency,
  interruptedError,
  type ModelAccess,
  type OpenModelAccess,
  watchInterrupts,
} from "@switchyard/engine";
import { createMasker, type Masker, type Secret, secret } from "@switchyard/secrets";
import { createCallInput } from "../call/call-input.ts";
import type { CallSecrets } from "../call/command-line-rules.ts";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { confineArtifacts } from "../result/confine-artifacts.ts";
import { type CallOutcome, toCallOutcome } from "../result/to-call-outcome.ts";
import { renderTemplate } from "../template/render-template.ts";
import { createHttpTransport, type HttpTransportOptions } from "../transport/http/http-transport.ts";
import { createLocalTransport } from "../transport/local/local-transport.ts";
import type { Call, PreparedCall, Transport } from "../transport/transport.ts";
import { type ConversationState, callsOf, mergeResults, readState, writeState } from "./conversation.ts";
import { secretsOf, wrapKey } from "./engine-secrets.ts";
import { createEventPublisher, type EventPublisher } from "./event-publisher.ts";
import { openAccessOf } from "./model-access.ts";

/** Millionths of a US dollar in one dollar. */
const MICROS = 1_000_000;

/** Options for `createCustomEngine`. */
export interface CustomEngineOptions extends HttpTransportOptions {
  /**
   * Value of the template variable `${api_key}`. The key is sent to the engine only if the configuration refers to it.
   */
  readonly apiKey?: string | Secret | undefined;
  /**
   * Opens the access of a run to models, which provides `${model_base_url}` and `${model_token}`. Called once per
   * execution, if the configuration refers to one of them. The access is closed when the execution ends. `undefined`:
   * no access.
   */
  readonly openModelAccess?: OpenModelAccess | undefined;
  /** Returns the current time for the engine's events, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Returns ids for the engine's events. Default: random ids. */
  readonly createId?: (() => string) | undefined;
}

/** An engine that is defined by a configuration. */
export interface CustomEngine extends Engine {
  /** Secrets of the engine, which sessions mask everywhere. */
  readonly secrets: readonly Secret[];
}

/** State shared by the calls of a run. */
interface Job {
  readonly config: CustomEngineConfig;
  readonly options: CustomEngineOptions;
  readonly transport: Transport;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  readonly input: SessionInput;
  readonly environment: ExecutionEnvironment;
  /** API key, wrapped in a `Secret` until a call needs the value; `undefined` if there is none. */
  readonly apiKey: Secret | undefined;
  /** Access to models. `undefined` if the configuration does not refer to it. */
  readonly modelAccess: ModelAccess | undefined;
  readonly startedMs: number;
}

/**
 * Creates an engine from a configuration. The command or service is untrusted and receives only what the configuration
 * passes to it. Execution rejects with `template.*`, `transport.*`, `result.*` and `config.*` errors; the run's board
 * (its shared state) then contains a partial result. See custom-engine: minimum integration contract.
 */
export function createCustomEngine(config: CustomEngineConfig, options: CustomEngineOptions = {}): CustomEngine {
  const { transport: carrier } = config;
  const transport =
    carrier.transport === "local" ? createLocalTransport(carrier) : createHttpTransport(carrier, options);
  const apiKey = wrapKey(options.apiKey);
  const engine = defineEngine(
    async (run, host, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const input = board.get(SESSION_INPUT);
      if (input === undefined)
        throw new EngineError("input.invalid", {
          path: "of the session",
          expected: "SessionInput",
          problem: "there is none",
        });
      const modelAccess = await openAccessOf(config, options.openModelAccess, {
        ...{ run, host },
        // Services are called from this machine, whatever the environment.
        environment: carrier.transport === "local" ? environment : undefined,
      });
      const job = { config, options, transport, run, host, board, input, environment, apiKey, modelAccess };
      try {
        await converse({ ...job, startedMs: performance.now() });
      } finally {
        await modelAccess?.close();
      }
    },
    {
      ...{
        name: config.name,
        supportsResume: true,
        emitsCheckpoint: true,
        keepsConversation: config.conversationMode === "stateful",
        requiredDependencies: [DEPENDENCY.environment],
      },
      ...{ now: options.now, createId: options.createId },
      canResume: ({ board }) => assertOutcomeKnown(config, readState(createBoard(board))),
    },
  );
  return { ...engine, secrets: secretsOf(config, apiKey) };
}

/**
 * Throws `transport.unknown_outcome` if an interrupted call must not be repeated, because it may have had effects. See
 * durability promise D4.
 */
function assertOutcomeKnown({ name, effects }: CustomEngineConfig, { isCalling, calls }: ConversationState): void {
  if (!isCalling || effects !== "unsafe") return;
  throw new EngineError("transport.unknown_outcome", { engine: name, call: calls + 1 });
}

/** Makes the remaining calls. */
async function converse(job: Job): Promise<void> {
  const { board, input, config } = job;
  const calls = callsOf(input, config.conversationMode);
  let state = readState(board);
  // The host continues a conversation of an earlier session.
  const isContinued = config.conversationMode === "stateful" && state.calls === 0 && input.session_id !== undefined;
  if (isContinued) state = { ...state, sessionId: input.session_id };
  for (let index = state.calls; index < calls.length; index += 1) {
    // A failed call ends the run, because later calls depend on its result.
    if (state.result !== undefined && state.result.exit_code !== 0) break;
    assertRunning(job.run, job.host);
    const isLast = index + 1 === calls.length;
    state = await callOnce(job, { state, messages: calls[index] ?? [], isLast });
  }
}

/** The next call of the custom engine in a run. */
interface PlannedCall {
  /** Progress of the run before this call. If the call is interrupted, it is repeated from this state. */
  readonly state: ConversationState;
  readonly messages: readonly SessionMessage[];
  readonly isLast: boolean;
}

async function callOnce(job: Job, { state, messages, isLast }: PlannedCall): Promise<ConversationState> {
  const { board, config, host } = job;
  const limits = limitsOf(job, state);
  const { call, events } = createCall(job, { state, messages, limits });
  using interrupts = watchInterrupts(job.run.signal, host.interrupts());
  const { signal: ended } = job.modelAccess ?? {};
  const signal = ended === undefined ? interrupts.signal : AbortSignal.any([interrupts.signal, ended]);
  const prepared = await job.transport.prepare({ ...call, signal });
  storeBoardKeys(board, prepared);
  await declareCall(job, state);
  const prompt = messages.findLast(({ role }) => role === "user")?.content ?? "";
  events.publish("user_input", { content: call.masker.mask(prompt) });
  const started = performance.now();
  let settled: CallOutcome;
  try {
    const answer = await prepared.run();
    settled = withoutUsage(job, toCallOutcome(answer, call, performance.now() - started));
  } finally {
    await events.settled();
  }
  const { result: confined, dropped } = await confineArtifacts(settled.result, call, prepared.engineFiles);
  if (dropped.length > 0) board.set(DROPPED_ARTIFACTS, [...(board.get(DROPPED_ARTIFACTS) ?? []), ...dropped]);
  await events.settled();
  const turn = state.calls + 1;
  const result = config.conversationMode === "batch" ? confined : mergeResults(state.result, confined, turn);
  board.set(SESSION_RESULT, result);
  await report(job, confined, events);
  if (interrupts.interrupt !== undefined) throw interruptedError(interrupts.interrupt);
  if (job.run.signal.aborted) throw errorOfSignal(job.run.signal, { cause: settled.error });
  if (ended?.aborted === true) throw ended.reason;
  if (settled.error !== undefined)
    throw limits.isCase && settled.error.code === "transport.timeout" ? timedOut(job, settled.error) : settled.error;
  const sessionId = sessionIdOf(job, confined, { turn, isLast });
  const usedMs = state.usedMs + (performance.now() - started);
  const next: ConversationState = { calls: turn, isCalling: false, usedMs, sessionId, result };
  journalOf(job)?.forget([callId(state)]);
  await storeState(job, next);
  return next;
}

/**
 * Removes the usage that the engine reports from its result if the host measures the usage itself. If the engine sent no
 * request to its access to models, it may have called models at another address, so its usage is kept.
 */
function withoutUsage({ modelAccess }: Job, outcome: CallOutcome): CallOutcome {
  if (modelAccess?.measuresUsage !== true || modelAccess.requestCount?.() === 0) return outcome;
  const { input_tokens: _, output_tokens: __, cost_usd: ___, ...result } = outcome.result;
  return { ...outcome, result };
}

/** Id of the next call in the journal of the run. */
function callId({ calls }: ConversationState): string {
  return `call-${calls + 1}`;
}

/** Returns the journal of a run that its host executes step by step. `undefined` if the host has none. */
function journalOf({ run: { deps } }: Pick<Job, "run">): EffectJournal | undefined {
  const key = DEPENDENCY.effectJournal;
  return deps.has(key) ? getDependency(deps, key, isEffectJournal) : undefined;
}

/**
 * Stores that the next call starts. Rejects with `transport.unknown_outcome` if an earlier process may have started
 * this call, and the call must not be repeated.
 */
async function declareCall(job: Job, state: ConversationState): Promise<void> {
  const journal = journalOf(job);
  if (journal === undefined) {
    if (!state.isCalling) await storeState(job, { ...state, isCalling: true });
    return;
  }
  const [id, { name, effects }] = [callId(state), job.config];
  if (journal.find(id).kind === "new") {
    journal.intend([{ id, name, effects }]);
    // The journal records the call, so the state on the board does not.
    await storeState(job, state);
  }
  assertOutcomeKnown(job.config, { ...state, isCalling: journal.find(id).kind !== "intended" });
  if (effects === "unsafe") journal.begin(id);
}

function timedOut({ input }: Job, cause: EngineError): EngineError {
  return new EngineError("run.timed_out", { timeoutMs: (input.timeout_seconds ?? 0) * 1000 }, { cause });
}

/** Time limit of one call of the custom engine. */
interface Limits {
  readonly timeoutMs?: number | undefined;
  /** True if the time limit is the remaining time of the whole run, not the engine's limit per call. */
  readonly isCase: boolean;
}

/** Longest delay of a timer, about 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Returns the smaller of the engine's time limit per call and the remaining time of the run. See custom-engine: process
 * and time bounds.
 */
function limitsOf({ config, input, startedMs }: Job, { usedMs }: ConversationState): Limits {
  const configuredMs = config.timeoutSeconds === undefined ? undefined : config.timeoutSeconds * 1000;
  const { timeout_seconds: seconds = 0 } = input;
  if (seconds === 0)
    return {
      timeoutMs: configuredMs === undefined ? undefined : Math.min(configuredMs, MAX_TIMEOUT_MS),
      isCase: false,
    };
  const ofThis = usedMs === 0 ? performance.now() - startedMs : 0;
  const remainingMs = Math.min(MAX_TIMEOUT_MS, Math.max(1, Math.ceil(seconds * 1000 - usedMs - ofThis)));
  return configuredMs !== undefined && configuredMs < remainingMs
    ? { timeoutMs: configuredMs, isCase: false }
    : { timeoutMs: remainingMs, isCase: true };
}

interface CallContext {
  readonly state: ConversationState;
  readonly messages: readonly SessionMessage[];
  readonly limits: Limits;
}

function createCall(job: Job, { state, messages, limits }: CallContext): { call: Call; events: EventPublisher } {
  const { config, environment, input, run, host, options } = job;
  const { apiKey, modelAccess } = job;
  const callInput = createCallInput({
    ...{
      config,
      input,
      messages,
      apiKey,
      modelAccess,
      sessionId: state.sessionId,
      workspace: environment.workingDirectory,
    },
    timeoutSeconds: limits.timeoutMs === undefined ? 0 : Math.ceil(limits.timeoutMs / 1000),
  });
  const secrets = secretsOfCall(job, callInput.values);
  const masker = maskerOf(secrets, state.sessionId);
  const events = createEventPublisher(
    host,
    {
      runId: run.id,
      actor: attributeOf(run, ATTRIBUTE.agentId) || config.name,
      attempt: run.resume?.attempt ?? 1,
      now: options.now ?? Date.now,
      createId: options.createId ?? (() => crypto.randomUUID()),
      source: config.name,
    },
    masker,
  );
  const call: Call = {
    ...callInput,
    ...{ config, environment, secrets, masker, signal: run.signal },
    ...(limits.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
    listener: {
      output: (stream, text) => events.output(stream, text),
      notify: (kind, message) => events.publish("warning", { message: masker.mask(message), kind }),
    },
  };
  return { call, events };
}

function secretsOfCall(
  { config, apiKey, modelAccess }: Job,
  values: Parameters<typeof renderTemplate>[1],
): CallSecrets {
  const env = Object.entries(config.env).map(([name, template]) => [name, secret(renderTemplate(template, values))]);
  return { apiKey, modelToken: modelAccess?.token, env: Object.fromEntries(env) };
}

/**
 * Maximum length of values to mask, in characters. Longer values are complete documents. They do not reappear in
 * output, and searching for them would be slow.
 */
const MAX_MASKED_CHARS = 64 * 1024;

function maskerOf({ apiKey, modelToken, env }: CallSecrets, sessionId: string | undefined): Masker {
  const texts = Object.values(env).map((value) => value.reveal());
  const short = texts.filter((value) => value.length <= MAX_MASKED_CHARS);
  const values = [...short, ...(sessionId === undefined ? [] : [sessionId])];
  return createMasker(values, { keys: [apiKey, modelToken].flatMap((key) => (key === undefined ? [] : [key])) });
}

function storeBoardKeys(board: Board, { engineFiles, origin }: PreparedCall): void {
  if (engineFiles.length > 0) board.set(ENGINE_FILES, [...engineFiles]);
  if (origin !== undefined) board.set(ARTIFACT_ORIGINS, [origin]);
}

/** Stores the progress before and after each call, so that a finished call is never repeated. */
async function storeState({ run, host, board, options }: Job, state: ConversationState): Promise<void> {
  const { calls, isCalling } = state;
  writeState(board, state);
  const step = isCalling ? `call ${calls + 1}` : `call ${calls} done`;
  await host.checkpoint(createCheckpoint(run, board, { step, iteration: calls, now: options.now }));
}

async function report(
  { host }: Job,
  result: Pick<SessionResult, "final_message" | "input_tokens" | "output_tokens" | "cost_usd" | "model">,
  events: EventPublisher,
): Promise<void> {
  events.publish("assistant_text_end", { content: result.final_message });
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0, cost_usd: cost, model } = result;
  if (inputTokens + outputTokens > 0 || cost !== undefined) {
    const usage = {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      ...(cost === undefined ? {} : { costMicros: Math.round(cost * MICROS) }),
      ...(model === undefined ? {} : { model }),
    };
    events.publish("usage_reported", { usage });
    await events.settled();
    await host.reportUsage(usage);
  }
  await events.settled();
}

/** Returns the session id for the next call. */
function sessionIdOf(
  { config, input }: Job,
  result: { session_id?: string | undefined },
  { turn, isLast }: { turn: number; isLast: boolean },
): string | undefined {
  if (config.conversationMode === "batch") return undefined;
  const { session_id: id } = result;
  if (id !== undefined && id !== "") return id;
  if (isLast) return undefined;
  const problem = `case ${input.case_id ?? "(unnamed)"} turn ${turn}: custom stateful engine returned no session_id; turn ${turn + 1} cannot resume`;
  throw new EngineError("result.invalid", { problem });
}
