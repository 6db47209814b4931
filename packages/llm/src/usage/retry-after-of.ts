import { retryAfterMs } from "../failure/retry-after.ts";

/** HTTP headers as Node.js represents them. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns when to retry according to a provider's response headers, in milliseconds from `nowMs`. `undefined` if the
 * headers state no time.
 */
export function retryAfterOf(headers: NodeHeaders, nowMs: number): number | undefined {
  const get = (name: string): string | null => {
    const value = headers[name];
    return value === undefined ? null : typeof value === "string" ? value : value.join(", ");
  };
  return retryAfterMs({ get }, nowMs);
}
