import type { Schedule } from "./schedule.ts";

/** Limits of one call. */
export interface WatchLimits {
  /** Until the first content, and from one piece of content to the next, in milliseconds. */
  requestMs: number;
  /** Without a byte once there was content, in milliseconds. */
  silenceMs: number;
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
}

/** Starts a watch. `expire` is told whether content had arrived, and which limit has passed. */
export function createWatch(limits: WatchLimits, expire: (answering: boolean, timeoutMs: number) => void): Watch {
  const { requestMs, silenceMs, schedule } = limits;
  const start = (timeoutMs: number): (() => void) => schedule(() => expire(answering, timeoutMs), timeoutMs);
  let answering = false;
  let paused = false;
  let cancelContent = start(requestMs);
  let cancelSilence = (): void => undefined;
  function heard(): void {
    if (paused || !answering) return;
    cancelSilence();
    cancelSilence = start(silenceMs);
  }
  return {
    heard,
    pause() {
      paused = true;
      cancelContent();
      cancelSilence();
    },
    resume(hadContent) {
      paused = false;
      answering ||= hadContent;
      cancelContent = start(requestMs);
      heard();
    },
  };
}
