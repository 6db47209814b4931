import { unwatchFile, watchFile } from "node:fs";
import type { Caller } from "./caller.ts";
import { readTokens } from "./read-tokens.ts";
import type { TokenSet } from "./token-set.ts";

/** Polling interval, in milliseconds. */
const INTERVAL_MS = 1_000;

/** Tokens from a token file. The file is read again when it changes. */
export interface WatchedTokens extends TokenSet {
  /** Stops watching the file. */
  close(): void;
}

/** Options for watching a token file. */
export interface WatchTokensOptions {
  /** Called if a changed file is invalid. The previous tokens stay valid. */
  readonly onError: (error: unknown) => void;
  /** Polling interval, in milliseconds. Default: 1,000. */
  readonly intervalMs?: number | undefined;
}

/**
 * Reads a token file and watches it for changes. After a change, removed tokens are rejected and new ones are accepted.
 * If the first read fails, rejects with the errors of `readTokens`.
 */
export async function watchTokens(
  path: string,
  { onError, intervalMs = INTERVAL_MS }: WatchTokensOptions,
): Promise<WatchedTokens> {
  let current = await readTokens(path);
  const onChange = (): void => {
    readTokens(path).then((tokens) => {
      current = tokens;
    }, onError);
  };
  // The file is polled, because file system events miss replaced files, links and network folders.
  watchFile(path, { interval: intervalMs, persistent: false }, onChange);
  return {
    callerOf(authorization) {
      const tokens = current;
      const caller = tokens.callerOf(authorization);
      if (caller === undefined) return undefined;
      return {
        ...caller,
        isRevoked: () => current !== tokens && !current.callers.some((other) => isSame(other, caller)),
      };
    },
    get callers() {
      return current.callers;
    },
    close: () => unwatchFile(path, onChange),
  };
}

/** Returns whether two callers have the same token, with the same owner and roles. */
function isSame(one: Caller, other: Caller): boolean {
  const isEqual = one.subject === other.subject && one.owner === other.owner && one.roles.size === other.roles.size;
  return isEqual && [...one.roles].every((role) => other.roles.has(role));
}
