import {
  type Board,
  type Checkpoint,
  DEPENDENCY,
  type Engine,
  EngineError,
  type Envelope,
  type Host,
  type RegisteredTool,
  type Run,
  SESSION_INPUT,
  type ToolEffects,
  type Usage,
} from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { stillEnvironment } from "@switchyard/testkit";

/** What happened when a run was played. */
export interface PlayedRun {
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
  /** Calls of unsafe tools that took effect, in order. */
  readonly ledger: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/** One process: everything it does is a moment, at one of which it may be killed; nothing happens behind that. */
export class Attempt {
  readonly moments: string[] = [];
  readonly #killAt: number;
  isDead = false;

  constructor(killAt: number) {
    this.#killAt = killAt;
  }

  /** Notes something that can be told apart from outside. Throws when the process is killed there, or was before. */
  moment(label: string): void {
    if (this.isDead) throw new Error("killed before");
    this.moments.push(label);
    if (this.moments.length !== this.#killAt) return;
    this.isDead = true;
    throw new Error(`killed at ${label}`);
  }
}

/** A tool whose calls are two moments: it begins, it took effect. */
export function momentTool(
  attempt: Attempt,
  name: string,
  { effects, act }: { effects?: ToolEffects; act: (args: Readonly<Record<string, unknown>>, id: string) => string },
): RegisteredTool {
  return {
    definition: { name, description: name, parameters: { type: "object" } },
    effects,
    execute: async (args, _, { callId }) => {
      attempt.moment(`${name} begins`);
      const said = act(args, callId);
      attempt.moment(`${name} took effect`);
      await Promise.resolve();
      return said;
    },
  };
}

/** What runs in a process of its own. */
export interface PlayedProcess {
  readonly engine: Engine;
  /** What it is given besides the environment. */
  readonly deps?: readonly (readonly [string, unknown])[];
}

/** A run that is played in as many processes as it takes. */
export interface PlayedPlan {
  /** Starts a process, with the tools of the world: `look` reads, `put` may be repeated, `spend` may not. */
  start(attempt: Attempt, tools: readonly RegisteredTool[]): PlayedProcess;
  /** How an event is called among the moments. */
  labelOf(envelope: Envelope): string;
  /** Whether the disk takes its time, so that others go on meanwhile. */
  readonly isDiskSlow?: boolean;
}

/** What outlives a process. */
class World {
  readonly files = new Map<string, string>();
  readonly ledger: string[] = [];
  readonly usages = new Map<string, Usage>();
  readonly envelopes: Envelope[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly #plan: PlayedPlan;

  constructor(plan: PlayedPlan) {
    this.#plan = plan;
  }

  async attempt(attempt: Attempt, number: number): Promise<{ board: Board; error: unknown }> {
    const board = createBoard();
    board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
    const { engine, deps: more = [] } = this.#plan.start(attempt, this.#tools(attempt));
    const deps = createDependencies([[DEPENDENCY.environment, stillEnvironment()], ...more]);
    const fresh: Run = { id: "run-1", attributes: { mark: "kept" }, deps, signal: new AbortController().signal };
    const kept = this.checkpoints.at(-1);
    const resume = { attempt: number, startedAt: kept?.originalStartedAt ?? "", signal: "crash" };
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
        attempt.moment(`event ${this.#plan.labelOf(envelope)}`);
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
        if (this.#plan.isDiskSlow === true) {
          await new Promise((resolve) => setImmediate(resolve));
          attempt.moment("checkpoint written");
        }
        this.checkpoints.push(JSON.parse(JSON.stringify(checkpoint)));
        attempt.moment("checkpoint kept");
      },
    };
  }

  #tools(attempt: Attempt): RegisteredTool[] {
    return [
      momentTool(attempt, "look", { effects: "readonly", act: ({ key }) => this.files.get(String(key)) ?? "nothing" }),
      momentTool(attempt, "put", {
        effects: "idempotent",
        act: ({ key, value }) => {
          this.files.set(String(key), String(value));
          return "put";
        },
      }),
      momentTool(attempt, "spend", {
        act: (_, id) => {
          this.ledger.push(id);
          return "spent";
        },
      }),
    ];
  }
}

/** Most attempts of one run; beyond that it goes round in circles. */
const MAX_ATTEMPTS = 50;

/**
 * Plays a run in as many processes as it takes: each is killed at its moment of `kills` (1-based), the ones behind come
 * to the end. Each goes on from the last checkpoint, or begins afresh where there is none.
 */
export async function playRun(plan: PlayedPlan, kills: readonly number[]): Promise<PlayedRun> {
  const world = new World(plan);
  for (let number = 1; number <= MAX_ATTEMPTS; number += 1) {
    const attempt = new Attempt(kills[number - 1] ?? 0);
    const { board, error } = await world.attempt(attempt, number);
    if (attempt.isDead) continue;
    const { checkpoints, usages, envelopes, ledger, files } = world;
    const played = { checkpoints, usages, envelopes, ledger, files };
    return { board, error, attempts: number, moments: attempt.moments, ...played };
  }
  throw new Error("The run never came to its end.");
}

/** Names of fields that differ between two runs that did the same: times, and ids that are made at random. */
const VARYING: readonly string[] = ["timestamp", "durationsMs", "duration_ms", "sessionId"];

function withoutVarying(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, field: unknown) => (VARYING.includes(name) ? undefined : field)));
}

/** Everything of a run that must not depend on whether it was cut off, and `more`. promise D9. */
export function essenceOfRun({ board, error, usages, files, ledger }: PlayedRun, more: object = {}): unknown {
  return withoutVarying({
    board: board.snapshot(),
    error: EngineError.is(error) ? error.code : error === undefined ? null : String(error),
    usages: [...usages].sort(([left], [right]) => (left < right ? -1 : 1)),
    files: [...files],
    ledger,
    ...more,
  });
}
