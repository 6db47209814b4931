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
}

/** The limits where nothing else is said. */
export const DEFAULT_TIMEOUTS: AgentTimeouts = {
  turnTimeoutMs: 3_600_000,
  startupTimeoutMs: 60_000,
  stallTimeoutMs: 300_000,
  stopGraceMs: 5_000,
};

/** Longest time that a timer measures. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Watches the limits of one turn. */
export interface TurnClock extends Disposable {
  /** Fires when the turn must end: cancelled, or out of time. */
  readonly signal: AbortSignal;
  /** What ended it, when something did; the first counts. */
  readonly stop: TurnStop | undefined;
  /** The agent has answered for the first time. */
  responded(): void;
  /** The agent gave a sign of life. */
  alive(): void;
}

/** Starts the clock of a turn. */
export function startTurnClock(timeouts: AgentTimeouts, cancelled: readonly (AbortSignal | undefined)[]): TurnClock {
  const controller = new AbortController();
  let stop: TurnStop | undefined;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function end(reason: TurnStop): void {
    if (stop !== undefined) return;
    stop = reason;
    controller.abort();
  }
  function arm(name: string, timeoutMs: number, kind: "turn_timeout" | "silence"): void {
    clearTimeout(timers.get(name));
    if (timeoutMs > 0) {
      timers.set(
        name,
        setTimeout(() => end({ kind, timeoutMs }), Math.min(timeoutMs, MAX_TIMER_MS)),
      );
    }
  }
  const onCancel = (): void => end({ kind: "cancelled" });
  for (const signal of cancelled) {
    signal?.addEventListener("abort", onCancel, { once: true });
    if (signal?.aborted === true) onCancel();
  }
  arm("turn", timeouts.turnTimeoutMs, "turn_timeout");
  arm("startup", timeouts.startupTimeoutMs, "silence");
  arm("stall", timeouts.stallTimeoutMs, "silence");
  return {
    signal: controller.signal,
    get stop() {
      return stop;
    },
    responded: () => clearTimeout(timers.get("startup")),
    alive: () => arm("stall", timeouts.stallTimeoutMs, "silence"),
    [Symbol.dispose]() {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const signal of cancelled) signal?.removeEventListener("abort", onCancel);
    },
  };
}
