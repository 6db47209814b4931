import type { RegisteredTool, ToolEffects } from "@switchyard/contracts";
import {
  type Board,
  type Checkpoint,
  DEPENDENCY,
  EngineError,
  type Envelope,
  type Host,
  type Run,
  SESSION_INPUT,
  type Usage,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { createAgentEngine, createAnthropicProfile, type SessionConfig } from "../src/index.ts";
import { type FamilyClientOptions, familyClient } from "./family-client.ts";
import { stillEnvironment } from "./still-environment.ts";

/** What the agents of a family say, by what each was first asked; the agent at the root is asked "go". */
export interface FamilyScript {
  readonly scripts: FamilyClientOptions["scripts"];
  readonly config?: Partial<SessionConfig>;
}

/** What happened when a script was played. */
export interface PlayedFamily {
  readonly board: Board;
  /** What the last attempt rejected with. */
  readonly error: unknown;
  readonly attempts: number;
  /** Everything that can be told apart from outside, in the last attempt. */
  readonly moments: readonly string[];
  readonly checkpoints: readonly Checkpoint[];
  /** What was charged, by the id of the answer. */
  readonly usages: ReadonlyMap<string, Usage>;
  readonly envelopes: readonly Envelope[];
  /** Calls of unsafe tools that took effect. */
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

/** What outlives a process. */
class World {
  readonly files = new Map<string, string>();
  readonly ledger: string[] = [];
  readonly usages = new Map<string, Usage>();
  readonly envelopes: Envelope[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly #script: FamilyScript;

  constructor(script: FamilyScript) {
    this.#script = script;
  }

  async attempt(attempt: Attempt, number: number): Promise<{ board: Board; error: unknown }> {
    const board = createBoard();
    board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
    const engine = createAgentEngine({
      client: familyClient({
        scripts: this.#script.scripts,
        onCall: (input) => attempt.moment(`model asked by ${input}`),
      }),
      profile: createAnthropicProfile({ model: "claude" }),
      tools: this.#tools(attempt),
      config: { abortGraceMs: 1, ...this.#script.config },
    });
    const kept = this.checkpoints.at(-1);
    const deps = createDependencies([[DEPENDENCY.environment, stillEnvironment()]]);
    const fresh: Run = { id: "run-1", attributes: {}, deps, signal: new AbortController().signal };
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

  #host(attempt: Attempt): Host {
    return {
      publish: async (envelope) => {
        attempt.moment(`event ${envelope.headers["agent_id"]} ${envelope.type}`);
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
        // A disk takes its time: others go on meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
        attempt.moment("checkpoint written");
        this.checkpoints.push(JSON.parse(JSON.stringify(checkpoint)));
        attempt.moment("checkpoint kept");
      },
    };
  }

  #tools(attempt: Attempt): RegisteredTool[] {
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
    ];
  }
}

/** Most attempts of one run; beyond that it goes round in circles. */
const MAX_ATTEMPTS = 50;

/** Plays a script in as many processes as it takes: each is killed at its moment of `kills` (1-based). */
export async function playFamily(script: FamilyScript, kills: readonly number[] = []): Promise<PlayedFamily> {
  const world = new World(script);
  for (let number = 1; number <= MAX_ATTEMPTS; number += 1) {
    const attempt = new Attempt(kills[number - 1] ?? 0);
    const { board, error } = await world.attempt(attempt, number);
    if (attempt.isDead) continue;
    const { checkpoints, usages, envelopes, ledger, files } = world;
    return {
      ...{ board, error, attempts: number, moments: attempt.moments },
      ...{ checkpoints, usages, envelopes, ledger, files },
    };
  }
  throw new Error("The run never came to its end.");
}

const VARYING: readonly string[] = ["timestamp", "durationsMs", "duration_ms", "sessionId"];

/** Plain data without what differs between two runs that did the same: times, and ids that are made at random. */
function withoutVarying(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, field: unknown) => (VARYING.includes(name) ? undefined : field)));
}

/** Everything of a run that must not depend on whether it was cut off. promise D9. */
export function essenceOfFamily({ board, error, usages, files, ledger }: PlayedFamily): unknown {
  return withoutVarying({
    board: board.snapshot(),
    error: EngineError.is(error) ? error.code : error === undefined ? null : String(error),
    usages: [...usages].sort(([left], [right]) => (left < right ? -1 : 1)),
    files: [...files].sort(),
    ledger: [...ledger].sort(),
  });
}
