import type { TurnStop } from "../outcome/decide-turn.ts";

/** Time limits of an agent, in milliseconds; 0 means no limit. See agent-adapter: timeouts. */
export interface AgentTimeouts {
  /** Time limit of a turn. Default: one hour. */
  readonly turnTimeoutMs: number;
  /**
   * Time limit from the start of a process to its first line of output. Also the time limit of a protocol handshake.
   * Default: one minute.
   */
  readonly startupTimeoutMs: number;
  /** Maximum time between two heartbeats. Every message from the agent counts as a heartbeat. Default: five minutes. */
  readonly stallTimeoutMs: number;
  /** Time between SIGTERM and SIGKILL. Default: five seconds. */
  readonly stopGraceMs: number;
  /**
   * Time that a process has to exit after it reported the result of its turn. After that, the process is ended, and the
   * result remains valid. 0: only the time limit of the turn applies. Default: five seconds.
   */
  readonly resultGraceMs: number;
}

/** Default time limits. */
export const DEFAULT_TIMEOUTS: AgentTimeouts = {
  turnTimeoutMs: 3_600_000,
  startupTimeoutMs: 60_000,
  stallTimeoutMs: 300_000,
  stopGraceMs: 5_000,
  resultGraceMs: 5_000,
};

/** Longest delay of a timer, in milliseconds. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Watches the time limits of one turn. */
export interface TurnClock extends Disposable {
  /** Aborts when the turn must end, because the turn was cancelled or reached a time limit. */
  readonly signal: AbortSignal;
  /** Why the turn must end; only the first reason is stored. `undefined` while the turn may continue. */
  readonly stop: TurnStop | undefined;
  /** True if the turn's result is known and the process is only expected to exit. */
  readonly isExitExpected: boolean;
  /**
   * True if the process did not exit within the grace period after it reported its result. `stop` is `undefined` in
   * this case.
   */
  readonly isGraceOver: boolean;
  /** Ends the time limit for the agent's first output. */
  responded(): void;
  /** Restarts the time limit between two heartbeats. */
  alive(): void;
  /**
   * Starts the grace period for the exit of the process, which replaces the other limits. Later calls do not extend the
   * grace period.
   */
  expectExit(): void;
  /**
   * Pauses the time limits, because the agent waits for the user. When every object that this method returned has been
   * disposed of, the limits continue with the time that was left.
   */
  pause(): Disposable;
  /** Ends the grace period without ending the process: the turn continues with its other limits. */
  expectOutput(): void;
}

/** Starts the clock of a turn. */
export function startTurnClock(timeouts: AgentTimeouts, cancelled: readonly (AbortSignal | undefined)[]): TurnClock {
  const { turnTimeoutMs, startupTimeoutMs, stallTimeoutMs, resultGraceMs } = timeouts;
  const controller = new AbortController();
  let stop: TurnStop | undefined;
  let [isExitExpected, isGraceOver] = [false, false];
  const timers = createTimers();

  function end(reason: TurnStop): void {
    if (stop !== undefined || isGraceOver) return;
    // Once the result of a turn is known, reaching a time limit does not make the turn fail. It only ends the wait for
    // the exit of the process.
    if (isExitExpected && reason.kind !== "cancelled") isGraceOver = true;
    else stop = reason;
    controller.abort();
  }
  const limit = (name: string, timeoutMs: number, kind: "turn_timeout" | "silence"): void =>
    timers.arm(name, timeoutMs, () => end({ kind, timeoutMs }));
  const watchSilence = (): void => {
    if (!isExitExpected) limit("stall", stallTimeoutMs, "silence");
  };
  const cancellation = onAbort(cancelled, () => end({ kind: "cancelled" }));
  limit("turn", turnTimeoutMs, "turn_timeout");
  limit("startup", startupTimeoutMs, "silence");
  watchSilence();
  return {
    signal: controller.signal,
    get stop() {
      return stop;
    },
    get isExitExpected() {
      return isExitExpected;
    },
    get isGraceOver() {
      return isGraceOver;
    },
    responded: () => timers.clear("startup"),
    alive: watchSilence,
    pause: timers.pause,
    expectExit() {
      if (isExitExpected || controller.signal.aborted) return;
      isExitExpected = true;
      timers.clear("startup");
      timers.clear("stall");
      limit("grace", resultGraceMs, "silence");
    },
    expectOutput() {
      if (!isExitExpected || controller.signal.aborted) return;
      isExitExpected = false;
      timers.clear("grace");
      watchSilence();
    },
    [Symbol.dispose]() {
      timers.clearAll();
      cancellation[Symbol.dispose]();
    },
  };
}

/** Calls a function when one of the signals aborts, or now if one has aborted, until the returned object is disposed of. */
function onAbort(signals: readonly (AbortSignal | undefined)[], listener: () => void): Disposable {
  for (const signal of signals) {
    signal?.addEventListener("abort", listener, { once: true });
    if (signal?.aborted === true) listener();
  }
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) signal?.removeEventListener("abort", listener);
    },
  };
}

interface Timer {
  readonly onTime: () => void;
  /** Time that is left, in milliseconds, when the timer starts or continues. */
  leftMs: number;
  startedAt: number;
  handle: ReturnType<typeof setTimeout> | undefined;
}

/** Creates timers by name, which can be paused together. */
function createTimers() {
  const timers = new Map<string, Timer>();
  let pauses = 0;
  function start(timer: Timer): void {
    timer.startedAt = performance.now();
    timer.handle = setTimeout(timer.onTime, Math.min(timer.leftMs, MAX_TIMER_MS));
  }
  function clear(name: string): void {
    clearTimeout(timers.get(name)?.handle);
    timers.delete(name);
  }
  return {
    clear,
    /** Restarts a timer; 0 milliseconds stops it. While timers are paused, it does not run. */
    arm(name: string, timeoutMs: number, onTime: () => void): void {
      clear(name);
      if (timeoutMs <= 0) return;
      const timer: Timer = { onTime, leftMs: timeoutMs, startedAt: 0, handle: undefined };
      timers.set(name, timer);
      if (pauses === 0) start(timer);
    },
    /** Pauses all timers until each returned object has been disposed of. */
    pause(): Disposable {
      if (pauses === 0) {
        for (const timer of timers.values()) {
          clearTimeout(timer.handle);
          timer.leftMs = Math.max(1, timer.leftMs - (performance.now() - timer.startedAt));
        }
      }
      pauses += 1;
      return {
        [Symbol.dispose](): void {
          pauses -= 1;
          if (pauses === 0) for (const timer of timers.values()) start(timer);
        },
      };
    },
    clearAll(): void {
      for (const name of [...timers.keys()]) clear(name);
    },
  };
}
