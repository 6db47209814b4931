const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1_000;

/** How many requests a caller may send. */
export interface RateLimit {
  /** Requests a minute, over time. */
  readonly perMinute: number;
  /** Most requests at once. */
  readonly burst: number;
}

/** Counts the requests of callers. */
export interface RateMeter {
  /** Counts one; 0 where it may pass, else the seconds after which the next one may. */
  take(owner: string): number;
}

/** Makes the meter of a server; `monotonic` measures in milliseconds. Owners are those of tokens, so few. */
export function createRateMeter({ perMinute, burst }: RateLimit, monotonic: () => number): RateMeter {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(owner) {
      const nowMs = monotonic();
      const bucket = buckets.get(owner) ?? { tokens: burst, atMs: nowMs };
      buckets.set(owner, bucket);
      bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) * perMinute) / MS_PER_MINUTE);
      bucket.atMs = nowMs;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return 0;
      }
      return Math.ceil(((1 - bucket.tokens) * MS_PER_MINUTE) / perMinute / MS_PER_SECOND);
    },
  };
}
