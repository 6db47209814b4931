import type { TurnStop } from "../outcome/decide-turn.ts";

/** Time limits of an agent, in milliseconds; 0 means none. agent-adapter: timeouts. */
export interface AgentTimeouts {
  /** A whole turn; one hour by default. */
  readonly turnTimeoutMs: number;
  /** From the start of a process to its first line, and for a handshake; one minute by default. */
  readonly startupTimeoutMs: number;
  /** Between two signs of life; five minutes by default. */
  readonly stallTimeoutMs: number;
  /** From SIGTERM to SIGKILL; five seconds by default. */
  readonly stopGraceMs: number;
  /**
   * Time that a process has to exit after it has reported the result of its turn. Past it the process is ended and the
   * result stands. Default: five seconds; 0 leaves it to the turn's own limit.
   */
  readonly resultGraceMs: number;
}

/** The limits where nothing else is said. */
export const DEFAULT_TIMEOUTS: AgentTimeouts = {
  turnTimeoutMs: 3_600_000,
  startupTimeoutMs: 60_000,
  stallTimeoutMs: 300_000,
  stopGraceMs: 5_000,
  resultGraceMs: 5_000,
};

/** Longest time that a timer measures. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Watches the limits of one turn. */
export interface TurnClock extends Disposable {
  /** Fires when the turn must end: cancelled, or out of time. */
  readonly signal: AbortSignal;
  /** What ended it, when something did; the first counts. */
  readonly stop: TurnStop | undefined;
  /** True if the turn's result is known and the process is only expected to exit. */
  readonly isExitExpected: boolean;
  /** True if the process did not exit within the grace period after its result; `stop` is `undefined` then. */
  readonly isGraceOver: boolean;
  /** The agent has answered for the first time. */
  responded(): void;
  /** The agent gave a sign of life. */
  alive(): void;
  /** Starts the grace period in place of the other limits. Later calls do not extend it. */
  expectExit(): void;
  /** Ends the grace period: the turn continues, with its other limits. */
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
    // A turn whose result is known cannot run out of time any more.
    if (isExitExpected && reason.kind !== "cancelled") isGraceOver = true;
    else stop = reason;
    controller.abort();
  }
  const limit = (name: string, timeoutMs: number, kind: "turn_timeout" | "silence"): void =>
    timers.arm(name, timeoutMs, () => end({ kind, timeoutMs }));
  const watchSilence = (): void => {
    if (!isExitExpected) limit("stall", stallTimeoutMs, "silence");
  };
  const onCancel = (): void => end({ kind: "cancelled" });
  for (const signal of cancelled) {
    signal?.addEventListener("abort", onCancel, { once: true });
    if (signal?.aborted === true) onCancel();
  }
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
      for (const signal of cancelled) signal?.removeEventListener("abort", onCancel);
    },
  };
}

/** Timers by name. */
function createTimers() {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const clear = (name: string): void => clearTimeout(timers.get(name));
  return {
    clear,
    /** Restarts a timer; 0 milliseconds stop it. */
    arm(name: string, timeoutMs: number, onTime: () => void): void {
      clear(name);
      if (timeoutMs > 0) timers.set(name, setTimeout(onTime, Math.min(timeoutMs, MAX_TIMER_MS)));
    },
    clearAll(): void {
      for (const name of timers.keys()) clear(name);
    },
  };
}
