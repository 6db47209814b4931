import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Board, Checkpoint, Engine, Host, Run } from "@switchyard/contracts";
import type { EngineJob, JobOutcome, StepHost } from "./process/engine-job.ts";
import type { EngineProcess } from "./process/engine-process.ts";
import { ProcessSupply } from "./process/process-supply.ts";

/** Engine to run in separate processes, and conditions for ending them. */
export interface FreshProcessOptions {
  /** Path of a bundled program that serves the engine. */
  readonly program: string;
  /** Name of the engine in the program. */
  readonly engine: string;
  /** Options of the engine. Functions and objects with methods stay in this process and are called from the other. */
  readonly options: unknown;
  /** Returns whether the process may be ended at a checkpoint. Default: at each one. */
  readonly mayEnd?: ((checkpoint: Checkpoint) => boolean) | undefined;
  /** Maximum number of processes per run, in case an engine never completes. Default: 200. */
  readonly maxProcesses?: number | undefined;
  /** Called with the id of every process that works on the run. */
  readonly onProcess?: ((pid: number | undefined) => void) | undefined;
}

const BEGINNINGS: readonly string[] = ["run_start", "session_start"];

const MAX_PROCESSES = 200;

const SUPPLIES = new Map<string, ProcessSupply>();

function supplyOf(program: string): ProcessSupply {
  const supply = SUPPLIES.get(program) ?? new ProcessSupply(program);
  SUPPLIES.set(program, supply);
  return supply;
}

/** One run in as many processes as needed. */
class FreshRun {
  readonly #options: FreshProcessOptions;
  readonly #run: Run;
  readonly #host: Host;
  #process: EngineProcess | undefined;
  #number = 0;
  #isSuggested = false;

  constructor(options: FreshProcessOptions, { run, host }: { run: Run; host: Host }) {
    this.#options = options;
    this.#run = run;
    this.#host = host;
  }

  suggestCheckpoint(): void {
    this.#isSuggested = true;
    this.#process?.suggestCheckpoint();
  }

  /** Resolves with the outcome of the last process. */
  async play(board: Board): Promise<JobOutcome> {
    const directory = await mkdtemp(join(tmpdir(), "switchyard-fresh-process-"));
    try {
      const { maxProcesses = MAX_PROCESSES } = this.#options;
      while (this.#number < maxProcesses) {
        const outcome = await this.#playOn(directory, board);
        if (outcome !== undefined) return outcome;
      }
      throw new Error(`The run did not come to its end in ${maxProcesses} processes.`);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Resolves with the outcome of one process: the end of the run, or `undefined` after a checkpoint. */
  async #playOn(directory: string, board: Board): Promise<JobOutcome | undefined> {
    const process = supplyOf(this.#options.program).take();
    this.#process = process;
    this.#number += 1;
    this.#options.onProcess?.(process.pid);
    const isContinued = this.#number > 1;
    let end = (): void => {};
    const ended = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const job = { ...this.#job(), host: this.#stepHost(() => void process.kill().then(end)), directory };
    try {
      return await Promise.race([
        ended,
        process.run({ ...job, isContinued, board: isContinued ? undefined : board.snapshot() }),
      ]);
    } finally {
      await process.kill();
    }
  }

  #job(): Omit<EngineJob, "board" | "directory" | "isContinued" | "host"> {
    const { id, parentRunId, attributes, deps, signal, resume, resumeFrom } = this.#run;
    const { engine, options } = this.#options;
    return { engine, options, id, parentRunId, attributes, deps, signal, resume, resumeFrom };
  }

  /** Repeats the checkpoint request that the previous process could not handle. */
  #remind(): void {
    if (this.#isSuggested) this.#process?.suggestCheckpoint();
  }

  #stepHost(end: () => void): StepHost {
    const host = this.#host;
    const isFirst = this.#number === 1;
    return {
      publish: async (envelope) => {
        this.#remind();
        // The caller sees one run, so start events of later processes are dropped.
        if (isFirst || !BEGINNINGS.includes(envelope.type)) await host.publish(envelope);
      },
      interrupts: () => {
        this.#remind();
        return host.interrupts();
      },
      askUser: (prompt, options) => host.askUser(prompt, options),
      reportUsage: (usage) => host.reportUsage(usage),
      keep: async (checkpoint) => {
        this.#isSuggested = false;
        await host.checkpoint(checkpoint);
        return this.#options.mayEnd?.(checkpoint) ?? true;
      },
      end,
    };
  }
}

/** Returns the engine's members besides its runs, and those of active runs. */
function offersOf(engine: Engine, running: ReadonlySet<FreshRun>): Omit<Engine, "execute"> {
  const { capabilities, canResume, suggestCheckpoint } = engine;
  const suggest = (): void => {
    for (const fresh of running) fresh.suggestCheckpoint();
  };
  return {
    ...(capabilities === undefined ? {} : { capabilities: () => Reflect.apply(capabilities, engine, []) }),
    ...(canResume === undefined ? {} : { canResume: (from) => Reflect.apply(canResume, engine, [from]) }),
    ...(suggestCheckpoint === undefined ? {} : { suggestCheckpoint: suggest }),
  };
}

/**
 * Wraps an engine so that every run is executed by a sequence of processes. As soon as a checkpoint is stored in a file
 * store, the process is killed, and a new one resumes from the store alone. The caller sees the same engine and one
 * run. Everything shared by test and run (host, environment, model, functions in options) stays in the test's process.
 */
export function inFreshProcesses(engine: Engine, options: FreshProcessOptions): Engine {
  const running = new Set<FreshRun>();
  return {
    ...offersOf(engine, running),
    async execute(run, host, board) {
      const fresh = new FreshRun(options, { run, host });
      running.add(fresh);
      try {
        const outcome = await fresh.play(board);
        board.restoreFrom(outcome.board);
        if (!outcome.isOk) throw outcome.error;
        return board;
      } finally {
        running.delete(fresh);
      }
    },
  };
}
