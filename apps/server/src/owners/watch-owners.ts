import { unwatchFile, watchFile } from "node:fs";
import { readFile } from "node:fs/promises";
import { EngineError, messageOf } from "@switchyard/contracts";
import { parseEngineFile } from "@switchyard/runner";
import type { OwnerQuota } from "../scheduler/owner-quota.ts";
import { type OwnerQuotas, parseOwners } from "./parse-owners.ts";

/** Polling interval, in milliseconds. */
const INTERVAL_MS = 1_000;

/** Options of `watchOwners`. */
export interface WatchOwnersOptions {
  /** Limits of owners for which the file sets none. Default: unlimited. */
  readonly defaults?: OwnerQuota | undefined;
  /** Called if a changed file is invalid. The previous quotas stay valid. */
  readonly onError: (error: unknown) => void;
  /** Polling interval, in milliseconds. Default: 1,000. */
  readonly intervalMs?: number | undefined;
}

/** Quotas of owners, which may change. */
export interface WatchedOwners {
  /** Returns the quota of an owner; see `ServerOptions.quotaOf`. */
  readonly quotaOf: (owner: string) => OwnerQuota;
  /** Calls a listener after quotas have changed; see `ServerOptions.onQuotasChanged`. */
  readonly onQuotasChanged: (listener: () => void) => void;
  /** Stops watching the file. */
  readonly close: () => void;
}

/**
 * Reads a file with the quotas of owners, and watches it for changes. Without a file, all owners have the default quota.
 * Rejects with `config.invalid` if the file is invalid.
 */
export async function watchOwners(
  path: string | undefined,
  { defaults = {}, onError, intervalMs = INTERVAL_MS }: WatchOwnersOptions,
): Promise<WatchedOwners> {
  if (path === undefined) {
    return { quotaOf: () => defaults, onQuotasChanged: () => undefined, close: () => undefined };
  }
  let current = await readOwners(path);
  const listeners = new Set<() => void>();
  const onChange = (): void => {
    readOwners(path).then((quotas) => {
      current = quotas;
      for (const listener of listeners) listener();
    }, onError);
  };
  // The file is polled, because file system events miss replaced files, links and network folders.
  watchFile(path, { interval: intervalMs, persistent: false }, onChange);
  return {
    quotaOf: (owner) => ({ ...defaults, ...(current.owners.get(owner) ?? current.standard) }),
    onQuotasChanged: (listener) => void listeners.add(listener),
    close: () => unwatchFile(path, onChange),
  };
}

async function readOwners(path: string): Promise<OwnerQuotas> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new EngineError("config.invalid", { field: path, problem: messageOf(cause) }, { cause });
  });
  return parseOwners(await parseEngineFile(text, path), path);
}
