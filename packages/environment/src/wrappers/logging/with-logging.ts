import type { ExecutionEnvironment, SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { EnvironmentCall, WrapperOptions } from "../wrap-environment.ts";
import { wrapEnvironment } from "../wrap-environment.ts";
import type { EnvironmentLogEntry, LoggedCall, LoggedOutcome } from "./log-entry.ts";
import { toLoggedCall } from "./to-logged-call.ts";

/** Is told what an environment does. What it throws, or what it gives back rejects with, is not looked at. */
export type EnvironmentLog = (entry: EnvironmentLogEntry) => void | Promise<void>;

/** How a log is kept. */
export interface LoggingOptions extends WrapperOptions {
  /** Milliseconds since some fixed moment; the monotonic clock of the process by default. */
  readonly monotonic?: (() => number) | undefined;
}

/** A call that was started. */
interface OpenCall {
  readonly logged: LoggedCall;
  readonly startedAt: number;
  /** What is known about its end beside that it is done. */
  ended?: Partial<LoggedOutcome>;
  /** A process, whose end is told by itself. */
  isProcess?: boolean;
}

/**
 * An environment that tells a log of every operation before it is done and when it has ended: paths, commands, exit
 * codes, durations; never contents, input or the values of variables. loop: §4.4.
 */
export function withLogging(
  environment: ExecutionEnvironment,
  log: EnvironmentLog,
  options: LoggingOptions = {},
): ExecutionEnvironment {
  const { monotonic = () => performance.now(), keepOpen } = options;
  const open = new WeakMap<EnvironmentCall, OpenCall>();
  let calls = 0;
  const finish = ({ logged, startedAt, ended }: OpenCall, outcome: Partial<LoggedOutcome> = {}): void => {
    const durationMs = monotonic() - startedAt;
    tell(log, { type: "finished", ...logged, outcome: "done", durationMs, ...ended, ...outcome });
  };
  return wrapEnvironment(environment, {
    suffix: "logging",
    keepOpen,
    async around(call, run) {
      calls += 1;
      const opened: OpenCall = { logged: toLoggedCall(call, calls), startedAt: monotonic() };
      open.set(call, opened);
      tell(log, { type: "started", ...opened.logged });
      try {
        const result = await run();
        if (opened.isProcess !== true) finish(opened);
        return result;
      } catch (error) {
        finish(opened, { outcome: "failed", error: nameOf(error) });
        throw error;
      }
    },
    async command(call, run) {
      const result = await run(call.options ?? {});
      const { exitCode, signal, timedOut, aborted, durationMs } = result;
      const opened = open.get(call);
      if (opened !== undefined) opened.ended = { exitCode, signal, timedOut, aborted, durationMs };
      return result;
    },
    async spawned(call, run) {
      const process = await run();
      const opened = open.get(call);
      if (opened !== undefined) {
        opened.isProcess = true;
        void whenExited(process, (outcome) => finish(opened, outcome));
      }
      return process;
    },
  });
}

async function whenExited(process: SpawnedProcess, tellOf: (outcome: Partial<LoggedOutcome>) => void): Promise<void> {
  try {
    const { exitCode, signal } = await process.exited;
    tellOf({ exitCode, signal });
  } catch (error) {
    tellOf({ outcome: "failed", error: nameOf(error) });
  }
}

/** Messages may hold anything; a code or a name does not. */
function nameOf(error: unknown): string {
  if (EngineError.is(error)) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

function tell(log: EnvironmentLog, entry: EnvironmentLogEntry): void {
  try {
    const told = log(entry);
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // A log that fails is no reason for work to fail.
  }
}
