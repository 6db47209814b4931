import { unwatchFile, watchFile } from "node:fs";
import { readTokens } from "./read-tokens.ts";
import type { TokenSet } from "./token-set.ts";

/** How often a file is looked at, in milliseconds. */
const INTERVAL_MS = 1_000;

/** The tokens of a file that may change. */
export interface WatchedTokens extends TokenSet {
  /** Looks at the file no more. */
  close(): void;
}

/** How a file of tokens is watched. */
export interface WatchTokensOptions {
  /** Told why a changed file was not taken over: the tokens that were read last go on to count. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two looks at the file; 1,000 by default. */
  readonly intervalMs?: number | undefined;
}

/**
 * Reads a file of tokens, and reads it again when it changes: a token that is in it no longer is refused from then on,
 * a new one is accepted. Rejects as `readTokens` does where it cannot be read in the first place.
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
  // By its state, not by notices of the system: files that are replaced, links and network folders are heeded as well.
  watchFile(path, { interval: intervalMs, persistent: false }, onChange);
  return {
    callerOf: (authorization) => current.callerOf(authorization),
    close: () => unwatchFile(path, onChange),
  };
}
