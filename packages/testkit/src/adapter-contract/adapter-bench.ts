import assert from "node:assert/strict";
import {
  type AgentAdapter,
  type AgentEvent,
  type AgentSession,
  findEngineError,
  type StartAgentSessionOptions,
  type TurnResult,
} from "@switchyard/contracts";
import { applies } from "../contract/define-contract.ts";
import { becomes, outcomeOf } from "../contract/expectations.ts";
import type { AdapterFactory, AdapterSetting, AdapterSubject, AgentAbility } from "./adapter-subject.ts";
import type { AgentStep, AgentTurn, ReceivedTurn } from "./agent-script.ts";

/** Options of a simulated agent as written in a conformance case. An array of steps stands for one turn. */
interface CaseSetting extends Partial<Omit<AdapterSetting, "turns">> {
  readonly turns?: readonly (AgentTurn | readonly AgentStep[])[] | undefined;
}

/** Options of the agent session in a conformance case. */
export interface CaseRun {
  /** Prompts, one per turn. Default: one prompt. */
  readonly prompts?: readonly string[] | undefined;
  /** Start options that replace the session's default start options. */
  readonly start?: Partial<StartAgentSessionOptions> | undefined;
  /**
   * When and how the turn is cancelled. `before`: by an abort signal before the turn starts. `signal` and `stop`: while
   * the agent hangs, by the abort signal or by stopping the session.
   */
  readonly cancel?: "before" | "signal" | "stop" | undefined;
}

/** A finished turn. */
export interface TurnRun {
  readonly result: TurnResult;
  readonly events: readonly AgentEvent[];
  /** Duration in milliseconds. */
  readonly durationMs: number;
}

/** Outcome of a run. */
export interface AdapterRun {
  readonly turns: readonly TurnRun[];
  /** Error if the session could not start. */
  readonly startError: unknown;
  readonly received: readonly ReceivedTurn[];
  readonly subject: AdapterSubject;
  /** Session id at the time when the session was stopped. */
  readonly sessionId: string;
  /** Ids of the agent's processes that were still alive after the session was stopped. */
  readonly survivors: readonly number[];
}

/** Test bench for the conformance cases of agent adapters. */
export interface AdapterBench {
  /** Creates an adapter with a simulated agent. */
  open(setting?: CaseSetting): Promise<AdapterSubject>;
  /** Creates an adapter with a simulated agent and runs a complete session. */
  run(setting?: CaseSetting, run?: CaseRun): Promise<AdapterRun>;
  /** Releases all resources. */
  dispose(): Promise<void>;
}

/** Steps of a simulated agent that works correctly. */
export const WORKS: readonly AgentStep[] = [
  { do: "start", model: "contract-model" },
  { do: "say", text: "It is done." },
  { do: "end", kind: "success" },
];

function isSteps(turn: AgentTurn | readonly AgentStep[]): turn is readonly AgentStep[] {
  return Array.isArray(turn);
}

function toSetting({ turns = [WORKS], config = {}, variables = {} }: CaseSetting): AdapterSetting {
  return { turns: turns.map((turn) => (isSteps(turn) ? { steps: turn } : turn)), config, variables };
}

/** Opens a test bench for the adapters that a factory creates. */
export async function openAdapterBench(factory: AdapterFactory): Promise<AdapterBench> {
  const opened: AdapterSubject[] = [];
  const open = async (setting: CaseSetting = {}): Promise<AdapterSubject> => {
    const subject = await factory(toSetting(setting));
    opened.push(subject);
    return subject;
  };
  return {
    open,
    run: async (setting, run = {}) => runSession(await open(setting), run),
    async dispose() {
      await Promise.all(opened.map((subject) => subject.dispose()));
    },
  };
}

/** Returns the default options for starting a session. */
export function startOf({ environment }: AdapterSubject): StartAgentSessionOptions {
  return { environment, workspacePath: environment.workingDirectory };
}

/** Runs a session from start to end. */
export async function runSession(subject: AdapterSubject, run: CaseRun = {}): Promise<AdapterRun> {
  const { adapter } = subject;
  const { prompts = ["Do it."], start = {}, cancel } = run;
  const started = await outcomeOf(() => adapter.startSession({ ...startOf(subject), ...start }));
  if ("error" in started) {
    const { error: startError } = started;
    const [received, survivors] = [subject.received(), await subject.survivors()];
    return { turns: [], startError, received, subject, sessionId: "", survivors };
  }
  const session = started.value;
  const listen = createListener(adapter, session);
  const turns: TurnRun[] = [];
  try {
    for (const prompt of prompts) {
      const controller = new AbortController();
      if (cancel === "before") controller.abort();
      const turn = listen({ prompt, signal: controller.signal });
      if (cancel === "signal" || cancel === "stop") {
        await Promise.race([subject.whenHanging(), turn]);
        if (cancel === "signal") controller.abort();
        else await adapter.stopSession(session);
      }
      turns.push(await turn);
    }
  } finally {
    await adapter.stopSession(session);
  }
  const [received, survivors] = [subject.received(), await subject.survivors()];
  return { turns, startError: undefined, received, subject, sessionId: session.id, survivors };
}

type Listener = (turn: { readonly prompt: string; readonly signal?: AbortSignal }) => Promise<TurnRun>;

/** Creates a function that runs a turn and collects its events, from all sources of events. */
export function createListener(adapter: AgentAdapter, session: AgentSession): Listener {
  const stream = adapter.eventStream?.(session);
  let events: AgentEvent[] = [];
  let called = 0;
  async function read(pulled: AsyncIterable<AgentEvent>): Promise<void> {
    for await (const event of pulled) events.push(event);
  }
  if (stream !== undefined) void read(stream).catch(() => {});
  return async (turn) => {
    events = [];
    const received = events;
    const began = performance.now();
    const onEvent = (event: AgentEvent): void => {
      called += 1;
      received.push(event);
    };
    const result = await adapter.runTurn(session, { ...turn, onEvent });
    const durationMs = performance.now() - began;
    if (stream !== undefined) {
      assert.equal(called, 0, "an adapter with a stream calls back as well");
      await becomes(() => received.some(({ type }) => LAST.includes(type)), "The last event of the turn");
    }
    return { result, events: received, durationMs };
  };
}

/** Types of events that end a turn. */
export const LAST: readonly string[] = ["turn_completed", "turn_failed", "turn_cancelled", "turn_input_required"];

/** Skips the conformance case if the agent lacks one of the given features. */
export function needs({ subject }: AdapterRun, ...abilities: readonly AgentAbility[]): void {
  for (const ability of abilities) applies(subject.lacks?.[ability] === undefined, subject.lacks?.[ability] ?? "");
}

/** Returns the only turn of a run. Fails if there was none. */
export function turnOf({ turns, startError }: AdapterRun): TurnRun {
  const [turn] = turns;
  if (turn === undefined) assert.fail(`The session could not be started: ${String(startError)}`);
  return turn;
}

/** Returns the only turn of a run and asserts that it completed. */
export function completedOf(run: AdapterRun): TurnRun {
  const turn = turnOf(run);
  const { exitReason, error } = turn.result;
  assert.equal(exitReason, "turn_completed", `The turn ended as ${exitReason}: ${error?.message}`);
  assert.equal(error, undefined, "A completed turn has an error.");
  return turn;
}

/** Returns the only turn of a run and asserts that its last event and its error have the given code. */
export function failedOf(run: AdapterRun, code: string): TurnRun {
  const turn = turnOf(run);
  const { exitReason, error } = turn.result;
  assert.equal(exitReason, "turn_failed", `The turn ended as ${exitReason}.`);
  assert.equal(error?.code, code, `The turn failed with ${error?.code}: ${error?.message}`);
  assert.equal(turn.events.at(-1)?.type, "turn_failed", "The last event of a failed turn is another one.");
  return turn;
}

/** Asserts that the session was rejected with the given code before the agent started. */
export function assertRefusedStart(run: AdapterRun, code: string): void {
  assert.notEqual(run.startError, undefined, "The session was started.");
  const found = findEngineError(run.startError);
  assert.equal(found?.code, code, `The start failed with ${String(run.startError)}`);
  assert.equal(run.received.length, 0, "The agent was started although it must not be.");
}

/** Returns the events of one type. */
export function ofType({ events }: TurnRun, type: AgentEvent["type"]): readonly AgentEvent[] {
  return events.filter((event) => event.type === type);
}
