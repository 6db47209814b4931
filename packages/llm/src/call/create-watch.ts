import type { Schedule } from "./schedule.ts";

/** Limits of one call. */
export interface WatchLimits {
  /** Maximum time until the first content, and between two chunks of content, in milliseconds. */
  requestMs: number;
  /** Maximum time without any byte after the first content, in milliseconds. */
  silenceMs: number;
  /** Returns the time in milliseconds. */
  now: () => number;
  /** Schedules timers. */
  schedule: Schedule;
}

/** Enforces the time limits of one model call. */
export interface Watch {
  /**
   * Must be called when bytes arrive. Bytes alone do not prove progress, because proxies can send comments without
   * content forever.
   */
  readonly received: () => void;
  /** Pauses the time limits while the consumer processes a chunk. */
  readonly pause: () => void;
  /**
   * Restarts the time limits when the consumer has processed a chunk. `hadContent`: true if the response has contained
   * content so far. From then on, the limit `silenceMs` on the time between bytes also applies.
   */
  readonly resume: (hadContent: boolean) => void;
  /** Stops the time limits. */
  readonly end: () => void;
}

/**
 * Starts the time limits of one model call. When a limit is exceeded, `expire` is called with the limit and a flag that
 * says whether content had arrived. A chunk of the response only records the time and leaves the timer unchanged,
 * because setting a timer for each chunk would be expensive. If a chunk has extended the deadline, the timer fires
 * before the deadline and is then set again for the remaining time.
 */
export function createWatch(limits: WatchLimits, expire: (answering: boolean, timeoutMs: number) => void): Watch {
  const { requestMs, silenceMs, now, schedule } = limits;
  let answering = false;
  let paused = false;
  let waitingSince = now();
  let receivedAt = waitingSince;
  let ringsAt = Number.POSITIVE_INFINITY;
  let cancel = (): void => undefined;

  function dueAt(): number {
    const content = waitingSince + requestMs;
    return answering ? Math.min(content, receivedAt + silenceMs) : content;
  }
  function ring(): void {
    ringsAt = Number.POSITIVE_INFINITY;
    if (paused) return; // set again when the reader comes back
    const due = dueAt();
    if (now() < due) {
      setTimer(due);
      return;
    }
    const isSilence = answering && receivedAt + silenceMs <= waitingSince + requestMs;
    expire(answering, isSilence ? silenceMs : requestMs);
  }
  function setTimer(due: number): void {
    if (due >= ringsAt) return;
    cancel();
    ringsAt = due;
    // A delay of 2^31 ms or more would fire immediately. The timer for a longer delay fires earlier and is then set
    // again.
    cancel = schedule(ring, Math.min(Math.max(1, Math.ceil(due - now())), 2_147_483_647));
  }
  // The timer is set for the earliest possible expiry. Resetting the timer when a response starts would cost more.
  setTimer(waitingSince + Math.min(requestMs, silenceMs));
  return {
    received() {
      receivedAt = now();
    },
    pause() {
      paused = true;
    },
    resume(hadContent) {
      paused = false;
      answering ||= hadContent;
      waitingSince = now();
      receivedAt = waitingSince;
      setTimer(dueAt());
    },
    end() {
      paused = true;
      cancel();
    },
  };
}
