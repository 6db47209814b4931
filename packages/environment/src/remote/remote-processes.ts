import { randomUUID } from "node:crypto";
import type { ExecOptions, ExecResult, SpawnedProcess, SpawnOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { PROCESS_MARK } from "../local/process/process-table.ts";
import { ABORTED_BEFORE_START, runCommand } from "../local/process/run-command.ts";
import { settlesWithin } from "../local/process/wait-until.ts";
import { endProcesses } from "./process/process-watch.ts";
import type { RemoteProcess } from "./process/remote-process.ts";
import { toSpawnedRemoteProcess } from "./process/spawned-remote-process.ts";
import type { RemoteProcessSettings } from "./process/start-remote-process.ts";
import { startRemoteProcess } from "./process/start-remote-process.ts";

/**
 * Format of a process mark: a random UUID. The mark is the value of an environment variable that identifies processes
 * of one environment.
 */
const MARK = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Maximum wait on close, in milliseconds, for commands that are still being started. */
const CLOSE_WAIT_MS = 30_000;

/** Starts remote processes and tracks running ones. */
export interface RemoteProcesses {
  /** Starts a program without input. The caller waits for its end and calls `release`. */
  start(argv: readonly string[], options: SpawnOptions): Promise<RemoteProcess>;
  /** Runs a program to completion. */
  run(argv: readonly string[], options: ExecOptions): Promise<ExecResult>;
  /** Starts a program and returns its streams. */
  spawn(argv: readonly string[], options: SpawnOptions): Promise<SpawnedProcess>;
  /**
   * Ends processes that an earlier environment left running when its host process exited. `mark` is the process mark of
   * that environment, which the environment variables of these processes contain. Resolves with the number of processes
   * that were found.
   */
  endMarked(mark: string): Promise<number>;
  /** Ends all started processes and resolves when they are gone. Later starts fail. */
  close(): Promise<void>;
}

/**
 * Creates the object that starts the processes of an environment. `id` is the process mark of the environment. An
 * environment variable of each process contains it.
 */
export function createRemoteProcesses(settings: RemoteProcessSettings, id: string): RemoteProcesses {
  const living = new Set<RemoteProcess>();
  const starting = new Set<Promise<unknown>>();
  let count = 0;
  let closed = false;
  const start = async (argv: readonly string[], options: SpawnOptions, hasInput: boolean): Promise<RemoteProcess> => {
    if (closed) throw new EngineError("environment.closed");
    // The command number is enclosed in dots, so that a search for the mark of command 1 does not match command 12.
    const pending = startRemoteProcess(settings, { argv, mark: `${id}.${++count}.`, hasInput }, options);
    starting.add(pending);
    try {
      const process = await pending;
      living.add(process);
      void process.finished.then(() => living.delete(process));
      return process;
    } finally {
      starting.delete(pending);
    }
  };
  const endAll = async (mark: string): Promise<number> => {
    const found = new Set<number>();
    const { killGraceMs } = settings.times;
    const onMarked = (marked: readonly number[]) => marked.forEach((pid) => void found.add(pid));
    await endProcesses(settings.watch, { mark: `${mark}.` }, { killGraceMs, onMarked });
    return found.size;
  };
  return {
    start: (argv, options) => start(argv, options, false),
    async run(argv, options) {
      if (options.signal?.aborted === true) return { ...ABORTED_BEFORE_START };
      const process = await startOrAborted(start(argv, options, options.stdin !== undefined), options.signal);
      if (process === undefined) return { ...ABORTED_BEFORE_START };
      const result = await runCommand(process, options, process.requestedMs);
      if (process.failure !== undefined && !result.aborted && !result.timedOut) throw process.failure;
      return result;
    },
    async spawn(argv, options) {
      options.signal?.throwIfAborted();
      return toSpawnedRemoteProcess(await start(argv, options, true), options.signal);
    },
    async endMarked(mark) {
      // The process mark was read from a file. An invalid mark must not select processes to end.
      if (!MARK.test(mark)) return 0;
      // If the remote environment runs inside the environment with this process mark, it must not end itself.
      if (settings.facts.variables[PROCESS_MARK]?.includes(`${mark}.`)) return 0;
      return endAll(mark);
    },
    async close() {
      closed = true;
      // If a process starts after this wait, it is found by the mark in its environment variables.
      await settlesWithin(
        Promise.allSettled(starting).then(() => {}),
        CLOSE_WAIT_MS,
      );
      await Promise.all([...living].map((process) => process.stop()));
      await endAll(id);
      await Promise.all([...living].map((process) => process.finished.then(() => process.release())));
    },
  };
}

/** Returns a new process mark: a random UUID that identifies the processes of one environment. */
export function createProcessMark(): string {
  return randomUUID();
}

/** Resolves with the started process. `undefined` if the caller's signal fired before the start. */
async function startOrAborted(
  starting: Promise<RemoteProcess>,
  signal: AbortSignal | undefined,
): Promise<RemoteProcess | undefined> {
  try {
    return await starting;
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) return undefined;
    throw error;
  }
}
