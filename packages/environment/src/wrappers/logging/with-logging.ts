import type { ExecutionEnvironment, SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { EnvironmentCall, WrapperOptions } from "../wrap-environment.ts";
import { wrapEnvironment } from "../wrap-environment.ts";
import type { EnvironmentLogEntry, LoggedCall, LoggedOutcome } from "./log-entry.ts";
import { toLoggedCall } from "./to-logged-call.ts";

/** Function that receives log entries. Exceptions and rejections of the function are ignored. */
export type EnvironmentLog = (entry: EnvironmentLogEntry) => void | Promise<void>;

/** Options for logging. */
export interface LoggingOptions extends WrapperOptions {
  /**
   * Function that returns the number of milliseconds since a fixed moment. Default: the monotonic clock of the process.
   */
  readonly monotonic?: (() => number) | undefined;
}

/** A call in progress. */
interface OpenCall {
  readonly logged: LoggedCall;
  readonly startedAt: number;
  /** Fields of the operation's outcome that are known before the call returns. */
  ended?: Partial<LoggedOutcome>;
  /** True if the call started a process. The exit of the process is logged separately. */
  isProcess?: boolean;
}

/**
 * Wraps an environment and logs every operation before and after it: paths, commands, exit codes and durations, but
 * never contents, input or values of variables. See loop: §4.4.
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
    emit(log, { type: "finished", ...logged, outcome: "done", durationMs, ...ended, ...outcome });
  };
  return wrapEnvironment(environment, {
    suffix: "logging",
    keepOpen,
    async around(call, run) {
      calls += 1;
      const opened: OpenCall = { logged: toLoggedCall(call, calls), startedAt: monotonic() };
      open.set(call, opened);
      emit(log, { type: "started", ...opened.logged });
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

async function whenExited(
  process: SpawnedProcess,
  reportOutcome: (outcome: Partial<LoggedOutcome>) => void,
): Promise<void> {
  try {
    const { exitCode, signal } = await process.exited;
    reportOutcome({ exitCode, signal });
  } catch (error) {
    reportOutcome({ outcome: "failed", error: nameOf(error) });
  }
}

/** Returns an error's code or name. Messages may contain anything, including secrets. */
function nameOf(error: unknown): string {
  if (EngineError.is(error)) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

function emit(log: EnvironmentLog, entry: EnvironmentLogEntry): void {
  try {
    const emitted = log(entry);
    if (emitted instanceof Promise) emitted.catch(() => undefined);
  } catch {
    // An error of the log function must not affect the operation.
  }
}
