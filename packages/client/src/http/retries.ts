import { ServerProblem } from "./server-problem.ts";

/** How requests that failed on the way are made again. */
export interface Retries {
  /** Most repetitions of one request, and most connections in a row of a stream that bring nothing. */
  readonly most: number;
  /** Waits that many milliseconds; rejects where the signal fires. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Chance between 0 and 1. */
  readonly random: () => number;
}

const FIRST_MS = 250;
const CAP_MS = 30_000;

/** The wait before a repetition, in milliseconds: what the server asks for, else longer each time and never all at once. */
export function retryDelayMs(tries: number, error: unknown, { random }: Pick<Retries, "random">): number {
  const asked = error instanceof ServerProblem ? error.retryAfterMs : undefined;
  const longest = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(tries - 1, 10));
  const own = longest * (0.5 + random() / 2);
  return Math.max(own, Math.min(asked ?? 0, CAP_MS));
}

/** Waits. Rejects with the signal's reason. */
export async function pause(ms: number, { sleep }: Pick<Retries, "sleep">, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await sleep(ms, signal);
  signal?.throwIfAborted();
}

/** Waits by the clock. */
export function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
