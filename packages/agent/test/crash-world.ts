import type { RegisteredTool, ToolEffects } from "@switchyard/contracts";
import {
  type Board,
  type Checkpoint,
  type ControlMessage,
  DEPENDENCY,
  EngineError,
  type Envelope,
  type Host,
  type ModelRequest,
  type Part,
  type Run,
  SESSION_INPUT,
  type Usage,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { createAgentEngine, createAnthropicProfile, type SessionConfig } from "../src/index.ts";
import { controlSource } from "./control-source.ts";
import { conversationClient } from "./conversation-client.ts";
import { stillEnvironment } from "./still-environment.ts";

/** One call of a script. The name is that of a tool of the world, or of one that does not exist. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A session that is played: the calls of each answer; an answer without calls is a text. */
export interface Script {
  readonly rounds: readonly (readonly ScriptedCall[])[];
  readonly config?: Partial<SessionConfig>;
  readonly isParallel?: boolean;
  /** What a person says while the model is answering, by the number of the answer (0-based). */
  readonly said?: Readonly<Record<number, ControlMessage>>;
}

/** What happened when a script was played. */
export interface Played {
  readonly board: Board;
  /** What the last attempt rejected with. */
  readonly error: unknown;
  readonly attempts: number;
  /** Everything that can be told apart from outside, in the last attempt. */
  readonly moments: readonly string[];
  readonly checkpoints: readonly Checkpoint[];
  readonly requests: readonly ModelRequest[];
  /** What was charged, by the id of the answer. */
  readonly usages: ReadonlyMap<string, Usage>;
  readonly envelopes: readonly Envelope[];
  /** Calls of unsafe tools that took effect, in order. */
  readonly ledger: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/** One process: everything it does is a moment, at one of which it may be killed; nothing happens behind that. */
class Attempt {
  readonly moments: string[] = [];
  readonly #killAt: number;
  isDead = false;

  constructor(killAt: number) {
    this.#killAt = killAt;
  }

  moment(label: string): void {
    if (this.isDead) throw new Error("killed before");
    this.moments.push(label);
    if (this.moments.length !== this.#killAt) return;
    this.isDead = true;
    throw new Error(`killed at ${label}`);
  }
}

/** The world: what outlives a process. */
class World {
  readonly files = new Map<string, string>();
  readonly ledger: string[] = [];
  readonly usages = new Map<string, Usage>();
  readonly envelopes: Envelope[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async attempt(attempt: Attempt, number: number): Promise<{ board: Board; error: unknown }> {
    const control = controlSource();
    const board = createBoard();
    const kept: Checkpoint | undefined = this.checkpoints.at(-1);
    board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
    const engine = createAgentEngine({
      client: conversationClient({
        answers: this.#answers(),
        onCall: (moment, request) => {
          attempt.moment(`model ${moment}`);
          if (moment === "asked") this.#hear(request, control);
        },
      }),
      profile: createAnthropicProfile({
        model: "claude",
        ...(this.#script.isParallel === false ? { supportsParallelToolCalls: false } : {}),
      }),
      tools: this.#tools(attempt, control),
      config: { abortGraceMs: 1, ...this.#script.config },
    });
    const deps = createDependencies([
      [DEPENDENCY.environment, stillEnvironment()],
      [DEPENDENCY.control, control],
    ]);
    const fresh: Run = { id: "run-1", attributes: { mark: "kept" }, deps, signal: new AbortController().signal };
    const startedAt = kept?.originalStartedAt ?? "";
    const resume = { attempt: number, startedAt, signal: "crash" };
    const run = kept === undefined ? fresh : { ...fresh, resumeFrom: kept, resume };
    try {
      await engine.execute(run, this.#host(attempt), board);
      return { board, error: undefined };
    } catch (error) {
      return { board, error };
    }
  }

  #hear(request: ModelRequest, control: ReturnType<typeof controlSource>): void {
    this.requests.push(request);
    const said = this.#script.said?.[request.messages.filter(({ role }) => role === "assistant").length];
    if (said !== undefined) control.say(said);
  }

  #answers(): Part[][] {
    return this.#script.rounds.map((calls, round): Part[] => {
      if (calls.length === 0) return [{ type: "text", text: `answer ${round + 1}` }];
      return calls.map(({ name, args }, place) => {
        return { type: "tool_call", id: `call-${round}-${place}`, name, arguments: JSON.stringify(args) };
      });
    });
  }

  #host(attempt: Attempt): Host {
    return {
      publish: async (envelope) => {
        attempt.moment(`event ${envelope.type}`);
        this.envelopes.push(envelope);
      },
      interrupts: () => undefined,
      askUser: () => Promise.reject(new EngineError("prompt.unavailable")),
      reportUsage: async (usage) => {
        attempt.moment("usage");
        this.usages.set(usage.responseId ?? `unnamed ${this.usages.size}`, usage);
      },
      checkpoint: async (checkpoint) => {
        attempt.moment("checkpoint begins");
        this.checkpoints.push(JSON.parse(JSON.stringify(checkpoint)));
        attempt.moment("checkpoint kept");
      },
    };
  }

  #tools(attempt: Attempt, control: ReturnType<typeof controlSource>): RegisteredTool[] {
    const make = (
      name: string,
      effects: ToolEffects | undefined,
      act: (args: Readonly<Record<string, unknown>>, id: string) => string,
    ): RegisteredTool => ({
      definition: { name, description: name, parameters: { type: "object" } },
      effects,
      execute: async (args, _, { callId }) => {
        attempt.moment(`${name} begins`);
        const said = act(args, callId);
        attempt.moment(`${name} took effect`);
        await Promise.resolve();
        return said;
      },
    });
    return [
      make("look", "readonly", ({ key }) => this.files.get(String(key)) ?? "nothing"),
      make("put", "idempotent", ({ key, value }) => {
        this.files.set(String(key), String(value));
        return "put";
      }),
      make("spend", undefined, (_, id) => {
        this.ledger.push(id);
        return "spent";
      }),
      make("say", "idempotent", ({ steer, followUp }) => {
        if (steer !== undefined) control.say({ type: "steer", text: String(steer) });
        if (followUp !== undefined) control.say({ type: "follow_up", text: String(followUp) });
        return "said";
      }),
    ];
  }
}

/** Most attempts of one run; beyond that it goes round in circles. */
const MAX_ATTEMPTS = 50;

/**
 * Plays a script in as many processes as it takes: each is killed at its moment of `kills` (1-based), the ones behind
 * come to the end. Each goes on from the last checkpoint, or begins afresh where there is none.
 */
export async function play(script: Script, kills: readonly number[] = []): Promise<Played> {
  const world = new World(script);
  for (let number = 1; number <= MAX_ATTEMPTS; number += 1) {
    const attempt = new Attempt(kills[number - 1] ?? 0);
    const { board, error } = await world.attempt(attempt, number);
    if (attempt.isDead) continue;
    const { checkpoints, requests, usages, envelopes, ledger, files } = world;
    const played = { checkpoints, requests, usages, envelopes, ledger, files };
    return { board, error, attempts: number, moments: attempt.moments, ...played };
  }
  throw new Error("The run never came to its end.");
}

const TIMES: readonly string[] = ["timestamp", "durationsMs", "duration_ms"];

/** Plain data without what differs between two runs that did the same: times. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, field: unknown) => (TIMES.includes(name) ? undefined : field)));
}

/** Everything of a run that must not depend on whether it was cut off. promise D9. */
export function essenceOf({ board, error, requests, usages, files, ledger }: Played): unknown {
  const { messages, tools } = requests.at(-1) ?? {};
  return withoutTimes({
    board: board.snapshot(),
    error: EngineError.is(error) ? error.code : error === undefined ? null : String(error),
    lastRequest: { messages, tools },
    usages: [...usages].sort(([left], [right]) => (left < right ? -1 : 1)),
    files: [...files],
    ledger,
  });
}
