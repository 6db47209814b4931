import { unwatchFile, watchFile } from "node:fs";
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
    callerOf: (authorization) => current.callerOf(authorization),
    close: () => unwatchFile(path, onChange),
  };
}
