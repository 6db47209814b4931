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
import { inertEnvironment } from "@switchyard/testkit";

/** Result of a run with simulated crashes. */
export interface PlayedRun {
  readonly board: Board;
  /** Error with which the last attempt rejected. `undefined` if it did not reject. */
  readonly error: unknown;
  readonly attempts: number;
  /**
   * Labels of all observable steps of the last attempt, in order: events, tool effects, usage reports and checkpoints.
   */
  readonly moments: readonly string[];
  /** Reported usage, by response id. */
  readonly usages: ReadonlyMap<string, Usage>;
  readonly envelopes: readonly Envelope[];
  /** Calls of unsafe tools that took effect, in order. */
  readonly ledger: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Attempt of a run in a simulated process. It consists of observable steps ("moments"), at one of which the process may
 * be killed. Nothing takes effect after that.
 */
export class Attempt {
  readonly moments: string[] = [];
  readonly #killAt: number;
  isDead = false;

  constructor(killAt: number) {
    this.#killAt = killAt;
  }

  /** Records an observable step. Throws if the simulated process is killed at this step or was killed before. */
  moment(label: string): void {
    if (this.isDead) throw new Error("killed before");
    this.moments.push(label);
    if (this.moments.length !== this.#killAt) return;
    this.isDead = true;
    throw new Error(`killed at ${label}`);
  }
}

/** Creates a tool whose calls have two observable steps: the start of the call and its effect. */
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
      const output = act(args, callId);
      attempt.moment(`${name} took effect`);
      await Promise.resolve();
      return output;
    },
  };
}

/** Engine and dependencies of one simulated process. */
export interface PlayedProcess {
  readonly engine: Engine;
  /** Dependencies of the run in addition to the environment. */
  readonly deps?: readonly (readonly [string, unknown])[];
}

/** Plan of a run that is repeated in new simulated processes until one of them completes it. */
export interface PlayedPlan {
  /**
   * Creates the engine of a simulated process with the given tools: `look` reads, `put` is safe to repeat, `spend` is
   * not.
   */
  start(attempt: Attempt, tools: readonly RegisteredTool[]): PlayedProcess;
  /** Returns the label of an event in the list of observable steps. */
  labelOf(envelope: Envelope): string;
  /** True if storing a checkpoint takes time, so that other agents continue during the write. */
  readonly isDiskSlow?: boolean;
}

/** State that survives a crash: files, effects, reported usage, events and checkpoints. */
class World {
  readonly files = new Map<string, string>();
  readonly ledger: string[] = [];
  readonly usages = new Map<string, Usage>();
  readonly envelopes: Envelope[] = [];
  /** The last checkpoint as JSON. It is parsed only when an attempt resumes from it, because most are replaced before. */
  #checkpoint: string | undefined;
  readonly #plan: PlayedPlan;

  constructor(plan: PlayedPlan) {
    this.#plan = plan;
  }

  async attempt(attempt: Attempt, number: number): Promise<{ board: Board; error: unknown }> {
    const board = createBoard();
    board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
    const { engine, deps: more = [] } = this.#plan.start(attempt, this.#tools(attempt));
    const deps = createDependencies([[DEPENDENCY.environment, inertEnvironment()], ...more]);
    const fresh: Run = { id: "run-1", attributes: { mark: "kept" }, deps, signal: new AbortController().signal };
    const checkpoint: Checkpoint | undefined =
      this.#checkpoint === undefined ? undefined : JSON.parse(this.#checkpoint);
    const resume = { attempt: number, startedAt: checkpoint?.originalStartedAt ?? "", signal: "crash" };
    const run = checkpoint === undefined ? fresh : { ...fresh, resumeFrom: checkpoint, resume };
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
        this.#checkpoint = JSON.stringify(checkpoint);
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

/** Maximum number of attempts of one run. More attempts mean that the run makes no progress. */
const MAX_ATTEMPTS = 50;

/**
 * Runs a plan with simulated crashes. `kills` contains the 1-based observable step at which each attempt is killed;
 * later attempts are not killed. Each attempt resumes from the last checkpoint, or starts from the beginning if there
 * is none.
 */
export async function playRun(plan: PlayedPlan, kills: readonly number[]): Promise<PlayedRun> {
  const world = new World(plan);
  for (let number = 1; number <= MAX_ATTEMPTS; number += 1) {
    const attempt = new Attempt(kills[number - 1] ?? 0);
    const { board, error } = await world.attempt(attempt, number);
    if (attempt.isDead) continue;
    const { usages, envelopes, ledger, files } = world;
    return { board, error, attempts: number, moments: attempt.moments, usages, envelopes, ledger, files };
  }
  throw new Error("The run never came to its end.");
}

/** Names of fields that differ between two runs with the same result: times and random ids. */
const VARYING: readonly string[] = ["timestamp", "durationsMs", "duration_ms", "sessionId"];

function withoutVarying(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, field: unknown) => (VARYING.includes(name) ? undefined : field)));
}

/**
 * Returns the parts of the result that must be the same with and without crashes, and the fields of `more`. promise D9.
 */
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
