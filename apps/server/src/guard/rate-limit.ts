const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1_000;
/** Maximum number of tracked senders. Beyond it, the least recently active senders are forgotten. */
const MAX_SENDERS = 10_000;

/** Rate limit of requests from one caller or one address. */
export interface RateLimit {
  /** Sustained requests per minute. */
  readonly perMinute: number;
  /** Maximum burst, in requests. */
  readonly burst: number;
}

/** Counts requests per sender, which is a caller or an address, and limits their rate. */
export interface RateMeter {
  /**
   * Counts a request. Returns 0 if the request is allowed, otherwise the number of seconds until the next request is
   * allowed.
   */
  take(sender: string): number;
  /** Number of tracked senders. */
  readonly size: number;
}

/**
 * Creates a token bucket rate limiter with one bucket for each sender. `monotonic` returns milliseconds. Memory use is
 * limited.
 */
export function createRateMeter({ perMinute, burst }: RateLimit, monotonic: () => number): RateMeter {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    get size() {
      return buckets.size;
    },
    take(sender) {
      const nowMs = monotonic();
      const bucket = buckets.get(sender) ?? { tokens: burst, atMs: nowMs };
      // Deletes the bucket and adds it again, so that the map is ordered by last use.
      buckets.delete(sender);
      buckets.set(sender, bucket);
      const [[oldest] = []] = buckets;
      if (buckets.size > MAX_SENDERS && oldest !== undefined) buckets.delete(oldest);
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
