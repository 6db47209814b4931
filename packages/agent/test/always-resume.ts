import {
  type Board,
  type Checkpoint,
  type ControlSource,
  DEPENDENCY,
  type Dependencies,
  type Engine,
  type Envelope,
  type Host,
  isControlSource,
  isExecutionEnvironment,
  type Run,
} from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { createMemoryCheckpointStore } from "@switchyard/stores/memory";

/** How engines are thrown away. */
export interface AlwaysResumeOptions {
  /** Whether the process may end at a checkpoint; at each of them by default. */
  readonly mayEnd?: ((checkpoint: Checkpoint) => boolean) | undefined;
  /** Told of every engine that begins, with its number. */
  readonly onLife?: ((number: number) => void) | undefined;
}

/** Everything after the end of a life is refused with this. */
class Ended extends Error {}

const BEGINNINGS: readonly string[] = ["run_start", "session_start"];

/** What a store gives of a checkpoint that it was handed. */
async function throughStore(checkpoint: Checkpoint): Promise<Checkpoint> {
  const store = createMemoryCheckpointStore();
  await store.save(checkpoint);
  return (await store.load(checkpoint.execId)) ?? checkpoint;
}

/** One engine from its beginning to its end, which is the first checkpoint that may be it. */
class Life {
  readonly #host: Host;
  readonly #number: number;
  readonly #attempt: number;
  readonly #options: AlwaysResumeOptions;
  kept: Checkpoint | undefined;

  constructor(host: Host, { number, attempt, ...options }: AlwaysResumeOptions & { number: number; attempt: number }) {
    this.#host = host;
    this.#number = number;
    this.#attempt = attempt;
    this.#options = options;
  }

  #assertAlive(): void {
    if (this.kept !== undefined) throw new Ended("this process is over");
  }

  host(): Host {
    const inner = this.#host;
    return {
      publish: async (envelope) => {
        this.#assertAlive();
        // To its caller it is one run: the beginnings of the later lives are none.
        if (this.#number > 1 && BEGINNINGS.includes(envelope.type)) return;
        const told: Envelope = { ...envelope, attempt: this.#attempt };
        await inner.publish(told);
      },
      interrupts: () => inner.interrupts(),
      askUser: async (prompt, options) => {
        this.#assertAlive();
        return inner.askUser(prompt, options);
      },
      reportUsage: async (usage) => {
        this.#assertAlive();
        await inner.reportUsage(usage);
      },
      checkpoint: async (checkpoint) => {
        this.#assertAlive();
        await inner.checkpoint(checkpoint);
        if (this.#options.mayEnd?.(checkpoint) === false) return;
        this.kept = await throughStore(checkpoint);
        this.#assertAlive();
      },
    };
  }

  dependencies(deps: Dependencies): Dependencies {
    const own = deps.clone();
    const environment = deps.get(DEPENDENCY.environment);
    if (isExecutionEnvironment(environment)) own.set(DEPENDENCY.environment, this.#guarded(environment));
    const control = deps.get(DEPENDENCY.control);
    if (isControlSource(control)) own.set(DEPENDENCY.control, this.#control(control));
    return own;
  }

  /** Every method refuses to work after the end. */
  #guarded<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          this.#assertAlive();
          return Reflect.apply(value, target, args);
        };
      },
    });
  }

  /** A process that is over neither hears nor takes anything. */
  #control(source: ControlSource): ControlSource {
    return {
      drain: () => (this.kept === undefined ? source.drain() : []),
      onMessage: (listener) =>
        source.onMessage(() => {
          if (this.kept === undefined) listener();
        }),
    };
  }
}

function runFrom(run: Run, checkpoint: Checkpoint | undefined, number: number): Run {
  if (checkpoint === undefined) return run;
  const { originalStartedAt: startedAt = checkpoint.timestamp, timestamp: checkpointAt } = checkpoint;
  return { ...run, resumeFrom: checkpoint, resume: { attempt: number, startedAt, signal: "crash", checkpointAt } };
}

/**
 * An engine that is a new one after every checkpoint: the old one is left for good, what it still asks of the host or
 * of the environment is refused, and the next begins with nothing but the checkpoint, on a board of its own. To its
 * caller it is one engine and one run.
 */
export function alwaysResume(createEngine: () => Engine, options: AlwaysResumeOptions = {}): Engine {
  const first = createEngine();
  const running = new Set<Engine>();

  async function live(run: Run, host: Host, board: Board): Promise<void> {
    let checkpoint: Checkpoint | undefined;
    for (let number = 1; ; number += 1) {
      options.onLife?.(number);
      const engine = number === 1 ? first : createEngine();
      const life = new Life(host, { ...options, number, attempt: run.resume?.attempt ?? 1 });
      const own = number === 1 ? createBoard(board.snapshot()) : createBoard();
      const deps = life.dependencies(run.deps);
      running.add(engine);
      try {
        await engine.execute({ ...runFrom(run, checkpoint, number), deps }, life.host(), own);
      } catch (error) {
        if (life.kept === undefined) throw error;
      } finally {
        running.delete(engine);
        if (life.kept === undefined) board.restoreFrom(own.snapshot());
      }
      if (life.kept === undefined) return;
      checkpoint = life.kept;
    }
  }

  return {
    ...first,
    async execute(run, host, board) {
      await live(run, host, board);
      return board;
    },
    suggestCheckpoint: () => {
      for (const engine of running) engine.suggestCheckpoint?.();
    },
  };
}
