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

/** A setting as a case writes it; a list of steps is one turn. */
interface CaseSetting extends Partial<Omit<AdapterSetting, "turns">> {
  readonly turns?: readonly (AgentTurn | readonly AgentStep[])[] | undefined;
}

/** How a case runs an agent. */
export interface CaseRun {
  /** What the agent is asked, turn by turn; one by default. */
  readonly prompts?: readonly string[] | undefined;
  /** What differs in the start of the session. */
  readonly start?: Partial<StartAgentSessionOptions> | undefined;
  /** Cancels the turn: before it begins, or once the agent hangs by its signal or by stopping the session. */
  readonly cancel?: "before" | "signal" | "stop" | undefined;
}

/** A turn that was run. */
export interface TurnRun {
  readonly result: TurnResult;
  readonly events: readonly AgentEvent[];
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
}

/** What a run came to. */
export interface AdapterRun {
  readonly turns: readonly TurnRun[];
  /** Why the session could not be started. */
  readonly startError: unknown;
  readonly received: readonly ReceivedTurn[];
  readonly subject: AdapterSubject;
  /** Id of the session when it was stopped. */
  readonly sessionId: string;
  /** Processes that were alive when it was stopped. */
  readonly survivors: readonly number[];
}

/** Where the cases of adapters are tried. */
export interface AdapterBench {
  /** Makes an adapter with its agent. */
  open(setting?: CaseSetting): Promise<AdapterSubject>;
  /** Makes an adapter, and runs a session of it from its start to its end. */
  run(setting?: CaseSetting, run?: CaseRun): Promise<AdapterRun>;
  /** Gives everything back. */
  dispose(): Promise<void>;
}

/** What an agent does that works as it should. */
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

/** The bench of a factory. */
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

/** The usual start of a session. */
export function startOf({ environment }: AdapterSubject): StartAgentSessionOptions {
  return { environment, workspacePath: environment.workingDirectory };
}

/** Runs a session from its start to its end. */
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

/** Runs turns and collects their events, whichever way they come. */
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
    const mine = events;
    const began = performance.now();
    const onEvent = (event: AgentEvent): void => {
      called += 1;
      mine.push(event);
    };
    const result = await adapter.runTurn(session, { ...turn, onEvent });
    const tookMs = performance.now() - began;
    if (stream !== undefined) {
      assert.equal(called, 0, "an adapter with a stream calls back as well");
      await becomes(() => mine.some(({ type }) => LAST.includes(type)), "The last event of the turn");
    }
    return { result, events: mine, tookMs };
  };
}

/** Events that end a turn. */
export const LAST: readonly string[] = ["turn_completed", "turn_failed", "turn_cancelled", "turn_input_required"];

/** Leaves the case out where the agent is without one of these. */
export function needs({ subject }: AdapterRun, ...abilities: readonly AgentAbility[]): void {
  for (const ability of abilities) applies(subject.lacks?.[ability] === undefined, subject.lacks?.[ability] ?? "");
}

/** The only turn of a run. Fails when there was none. */
export function turnOf({ turns, startError }: AdapterRun): TurnRun {
  const [turn] = turns;
  if (turn === undefined) assert.fail(`The session could not be started: ${String(startError)}`);
  return turn;
}

/** The only turn of a run, which was completed. */
export function completedOf(run: AdapterRun): TurnRun {
  const turn = turnOf(run);
  const { exitReason, error } = turn.result;
  assert.equal(exitReason, "turn_completed", `The turn ended as ${exitReason}: ${error?.message}`);
  assert.equal(error, undefined, "A completed turn has an error.");
  return turn;
}

/** The only turn of a run, which failed with that code; its event and its error say the same. */
export function failedOf(run: AdapterRun, code: string): TurnRun {
  const turn = turnOf(run);
  const { exitReason, error } = turn.result;
  assert.equal(exitReason, "turn_failed", `The turn ended as ${exitReason}.`);
  assert.equal(error?.code, code, `The turn failed with ${error?.code}: ${error?.message}`);
  assert.equal(turn.events.at(-1)?.type, "turn_failed", "The last event of a failed turn is another one.");
  return turn;
}

/** Fails unless the session was refused with that code, before the agent was started. */
export function assertRefusedStart(run: AdapterRun, code: string): void {
  assert.notEqual(run.startError, undefined, "The session was started.");
  const found = findEngineError(run.startError);
  assert.equal(found?.code, code, `The start failed with ${String(run.startError)}`);
  assert.equal(run.received.length, 0, "The agent was started all the same.");
}

/** The events of one type. */
export function ofType({ events }: TurnRun, type: AgentEvent["type"]): readonly AgentEvent[] {
  return events.filter((event) => event.type === type);
}
