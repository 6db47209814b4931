import {
  ARTIFACT_ORIGINS,
  type Board,
  DROPPED_ARTIFACTS,
  ENGINE_FILES,
  type Engine,
  EngineError,
  type Host,
  type Run,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
  toEngineError,
} from "@switchyard/contracts";
import { assertRunning, createBoard } from "@switchyard/engine";
import { sessionResultFrom, type Timer } from "@switchyard/runner";
import type { AskModel } from "../model/ask-model.ts";
import type { EvalCase, EvalTurn } from "../suite/eval-suite.ts";
import { checkCondition } from "./check-condition.ts";
import { fillVariables } from "./fill-variables.ts";
import { historyOf, mergeTurn, turnMessages } from "./merge-turn.ts";
import { type SimulatedUserDecision, simulateUser } from "./simulated-user.ts";
import type { TurnRecord } from "./turn-record.ts";

const MS_PER_SECOND = 1_000;

/** Model of a simulated user. */
export interface SimulatedUserModel {
  /** Asks the model. */
  readonly ask: AskModel;
  /** Time limit of one message, in seconds. */
  readonly timeoutSeconds: number;
}

/** Options for `createConversationEngine`. */
export interface ConversationOptions {
  /** Evaluation case that contains the turns of the conversation. */
  readonly case: EvalCase;
  /** List to which a record is appended for each turn, in order, even if the engine fails. */
  readonly records: TurnRecord[];
  /** Model that plays the simulated user. `undefined` if the case needs none. */
  readonly simulatedUser?: SimulatedUserModel | undefined;
  /** Clock and timeouts. */
  readonly timer: Timer;
}

/**
 * Wraps an engine so that one session holds a whole conversation: the engine is executed once per user turn. An engine
 * that returns a `session_id` continues its own conversation; other engines receive the conversation so far. Between
 * turns, the condition of the turn is checked and values are captured. The session's result combines the results of all
 * turns.
 *
 * Rejects with the errors of the engine, and with `result.invalid` if the conversation cannot continue.
 */
export function createConversationEngine(inner: Engine, options: ConversationOptions): Engine {
  return {
    unwrap: () => inner,
    capabilities: () => ({ ...inner.capabilities?.(), supportsResume: false }),
    execute: async (run, host, board) => {
      const given = board.get(SESSION_INPUT) ?? { messages: [] };
      // The last message is not part of the input, because it is sent as the first turn of the conversation.
      const input = { ...given, messages: given.messages.slice(0, -1) };
      const talk: Talk = { inner, options, run, host, board, input, values: new Map() };
      await converse(talk);
      return board;
    },
  };
}

/** State of one conversation. */
interface Talk {
  readonly inner: Engine;
  readonly options: ConversationOptions;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  /** Input of the session, without the turns. */
  readonly input: SessionInput;
  /** Captured values by name. */
  readonly values: Map<string, string>;
  /** Input of the last turn, and its result. */
  last?: { readonly input: SessionInput; readonly result: SessionResult };
  /** Result of all turns so far. */
  merged?: SessionResult;
}

async function converse(talk: Talk): Promise<void> {
  const { options } = talk;
  const { turns = [], isOpenEnded, maxTurns = Number.POSITIVE_INFINITY } = options.case;
  for (const [index, turn] of turns.entries()) {
    const hasNext = index + 1 < turns.length || isOpenEnded === true;
    if (!(await takeTurn(talk, turn, { hasNext }))) return skipFrom(options, turns, index + 1);
  }
  while (isOpenEnded === true) {
    const decision = await decide(talk, "", true);
    if (decision.action === "stop") return;
    if (options.records.length >= maxTurns)
      throw failure(talk, `the simulated user wants to continue after the last of ${maxTurns} turns`);
    const turn = { content: decision.message, captures: [] };
    if (!(await takeTurn(talk, turn, { hasNext: true, isVerbatim: true }))) return;
  }
}

/** Marks the turns after a failed condition as skipped, unless the condition fails the whole trial. */
function skipFrom({ records }: ConversationOptions, turns: readonly EvalTurn[], from: number): void {
  if (turns[from - 1]?.condition?.onFail !== "skip_remaining") return;
  const reason = `The condition of turn ${from} did not hold.`;
  for (const { content = "" } of turns.slice(from)) {
    records.push({ content, response: "", transcript: [], status: "skipped", reason });
  }
}

/** Sends one user turn. Resolves with false if the conversation ends because the turn's condition does not hold. */
async function takeTurn(
  talk: Talk,
  turn: EvalTurn,
  { hasNext, isVerbatim = false }: { readonly hasNext: boolean; readonly isVerbatim?: boolean },
): Promise<boolean> {
  const { options, run, host } = talk;
  assertRunning(run, host);
  const content = isVerbatim ? (turn.content ?? "") : await contentOf(talk, turn);
  const input = nextInput(talk, content, turn);
  const answer = await execute(talk, input, turn).catch((error: unknown) => {
    const reason = toEngineError(error).message;
    options.records.push({ content, response: "", transcript: [], status: "error", reason });
    throw error;
  });
  const record = { content, response: answer.final_message, transcript: turnMessages(answer) };
  talk.last = { input, result: answer };
  talk.merged = mergeTurn(talk.merged, answer, { content, turn: options.records.length + 1 });
  talk.board.set(SESSION_RESULT, talk.merged);
  if (answer.exit_code !== 0) {
    const reason = `The engine ended with exit code ${answer.exit_code}.`;
    options.records.push({ ...record, status: "error", reason });
    return false;
  }
  const problem = turn.condition === undefined ? undefined : checkCondition(turn.condition, record.response);
  if (problem !== undefined) {
    options.records.push({ ...record, status: "failed", reason: problem });
    return false;
  }
  capture(talk, turn, record);
  options.records.push({ ...record, status: "completed" });
  if (hasNext) assertContinuable(talk, answer);
  return true;
}

async function contentOf(talk: Talk, { content, respond }: EvalTurn): Promise<string> {
  if (content === undefined) {
    const decision = await decide(talk, respond ?? "", false);
    return decision.action === "reply" ? decision.message : "";
  }
  const filled = fillVariables(content, talk.values);
  if ("text" in filled) return filled.text;
  const names = filled.missing.map((name) => `{{${name}}}`).join(", ");
  const reason = `it uses ${names}, which no earlier turn captured`;
  talk.options.records.push({ content, response: "", transcript: [], status: "error", reason });
  throw failure(talk, reason, talk.options.records.length);
}

async function decide(talk: Talk, instruction: string, mayStop: boolean): Promise<SimulatedUserDecision> {
  const { simulatedUser, records, case: one } = talk.options;
  if (simulatedUser === undefined) throw failure(talk, "no model is configured for the simulated user");
  const history = records.map(({ content, response }) => ({ user: content, agent: response }));
  const question = { scenario: one.scenario ?? "", instruction, history, mayStop };
  const { ask, timeoutSeconds } = simulatedUser;
  return simulateUser(ask, question, { timeoutSeconds, signal: talk.run.signal });
}

/** Returns the input of the next turn. An engine with a session receives only the new message. */
function nextInput({ input, last, inner }: Talk, content: string, { timeoutSeconds }: EvalTurn): SessionInput {
  const message = { role: "user" as const, content };
  const limit = timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds };
  if (last === undefined) return { ...input, ...limit, messages: [...input.messages, message] };
  // An engine that keeps no conversations may report an id all the same, but would not receive it.
  const sessionId = inner.capabilities?.().keepsConversation === false ? "" : (last.result.session_id ?? "");
  if (sessionId !== "") return { ...input, ...limit, messages: [message], session_id: sessionId };
  return { ...input, ...limit, messages: [...historyOf(last.input, last.result), message] };
}

/** Executes the engine for one turn on a separate board, and copies what the runner needs to the session's board. */
async function execute(talk: Talk, input: SessionInput, { timeoutSeconds }: EvalTurn): Promise<SessionResult> {
  const { inner, run, host, board, options } = talk;
  const turn = createBoard();
  turn.set(SESSION_INPUT, input);
  const ended = new AbortController();
  const expired = new AbortController();
  if (timeoutSeconds !== undefined) {
    const sleep = options.timer.sleep(timeoutSeconds * MS_PER_SECOND, { signal: ended.signal });
    // A rejected wait means that the turn ended before its time limit.
    sleep.then(
      () => expired.abort(new EngineError("run.timed_out", { timeoutMs: timeoutSeconds * MS_PER_SECOND })),
      () => undefined,
    );
  }
  try {
    const signal = AbortSignal.any([run.signal, expired.signal]);
    await inner.execute({ ...run, signal }, host, turn);
    return await sessionResultFrom(turn);
  } catch (error) {
    const partial = turn.get(SESSION_RESULT);
    if (partial !== undefined && talk.merged === undefined) board.set(SESSION_RESULT, partial);
    if (expired.signal.aborted && !run.signal.aborted) throw toEngineError(expired.signal.reason);
    throw error;
  } finally {
    ended.abort();
    copyKeys(turn, board);
  }
}

function copyKeys(from: Board, to: Board): void {
  for (const key of [ENGINE_FILES, ARTIFACT_ORIGINS]) {
    const added = from.get(key);
    if (added !== undefined) to.set(key, [...new Set([...(to.get(key) ?? []), ...added])]);
  }
  const dropped = from.get(DROPPED_ARTIFACTS);
  if (dropped !== undefined) to.set(DROPPED_ARTIFACTS, [...(to.get(DROPPED_ARTIFACTS) ?? []), ...dropped]);
}

function capture(talk: Talk, { captures }: EvalTurn, record: Omit<TurnRecord, "status">): void {
  for (const { name, extract, source } of captures) {
    const value = extract(record.response) ?? "";
    if (value === "") {
      const reason = `${source} found no value for ${name} in the response`;
      talk.options.records.push({ ...record, status: "error", reason });
      throw failure(talk, reason, talk.options.records.length);
    }
    talk.values.set(name, value);
  }
}

/** Throws if the engine stores conversations itself but returned no id to continue with. */
function assertContinuable(talk: Talk, { session_id: id = "" }: SessionResult): void {
  if (id !== "" || talk.inner.capabilities?.().keepsConversation !== true) return;
  const turn = talk.options.records.length;
  throw failure(talk, `custom stateful engine returned no session_id; turn ${turn + 1} cannot resume`, turn);
}

function failure({ options }: Talk, problem: string, turn = options.records.length + 1): EngineError {
  return new EngineError("result.invalid", { problem: `case ${options.case.id} turn ${turn}: ${problem}` });
}
