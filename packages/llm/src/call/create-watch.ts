import type { Schedule } from "./schedule.ts";

/** Limits of one call. */
export interface WatchLimits {
  /** Until the first content, and from one piece of content to the next, in milliseconds. */
  requestMs: number;
  /** Without a byte once there was content, in milliseconds. */
  silenceMs: number;
  /** Time in milliseconds. */
  now: () => number;
  /** Timers. */
  schedule: Schedule;
}

/** A watch over the limits of one call. */
export interface Watch {
  /** Bytes arrived: it is not silent. Whether they bring content is another matter, proxies send comments for ever. */
  readonly heard: () => void;
  /** Stops the watch: a piece is with the reader, and nobody waits for the provider. */
  readonly pause: () => void;
  /** Watches again. Once a piece had content, the limit on silence holds. */
  readonly resume: (hadContent: boolean) => void;
  /** Ends the watch. */
  readonly end: () => void;
}

/**
 * Starts a watch. `expire` is told whether content had arrived, and which limit has passed. One timer, which looks at
 * the time when it rings and is set again for what is left: a piece of an answer costs two looks at the clock.
 */
export function createWatch(limits: WatchLimits, expire: (answering: boolean, timeoutMs: number) => void): Watch {
  const { requestMs, silenceMs, now, schedule } = limits;
  let answering = false;
  let paused = false;
  let waitingSince = now();
  let heardAt = waitingSince;
  let ringsAt = Number.POSITIVE_INFINITY;
  let cancel = (): void => undefined;

  function dueAt(): number {
    const content = waitingSince + requestMs;
    return answering ? Math.min(content, heardAt + silenceMs) : content;
  }
  function ring(): void {
    ringsAt = Number.POSITIVE_INFINITY;
    if (paused) return; // set again when the reader comes back
    const due = dueAt();
    if (now() < due) {
      setTimer(due);
      return;
    }
    const isSilence = answering && heardAt + silenceMs <= waitingSince + requestMs;
    expire(answering, isSilence ? silenceMs : requestMs);
  }
  function setTimer(due: number): void {
    if (due >= ringsAt) return;
    cancel();
    ringsAt = due;
    // A long delay would ring at once (2^31 ms); it is looked at again before it is over.
    cancel = schedule(ring, Math.min(Math.max(1, Math.ceil(due - now())), 2_147_483_647));
  }
  // As soon as any limit can pass: setting a timer anew when an answer begins costs more than looking too early.
  setTimer(waitingSince + Math.min(requestMs, silenceMs));
  return {
    heard() {
      heardAt = now();
    },
    pause() {
      paused = true;
    },
    resume(hadContent) {
      paused = false;
      answering ||= hadContent;
      waitingSince = now();
      heardAt = waitingSince;
      setTimer(dueAt());
    },
    end() {
      paused = true;
      cancel();
    },
  };
}
