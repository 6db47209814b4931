import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Data encoded in the name of a lease folder. The folder represents the right to write to a run. */
export interface LeaseName {
  /** Epoch of the lease. Each new writer of the run gets a higher epoch. */
  readonly epoch: number;
  /** Token of the process that holds the lease. `undefined` if the lease was released. */
  readonly token?: string | undefined;
  /** True while the new lease holder copies the logs. After that, the previous writer can no longer change them. */
  readonly isTaking: boolean;
}

/** A lease folder that was found in a run folder. */
export interface FoundLease extends LeaseName {
  /** Absolute path. */
  readonly path: string;
}

const LEASE = /^\.lease-(\d{1,15})(?:-([A-Za-z0-9_-]{1,80}))?(\.taking)?$/;
const READS = 5;

/** Returns the path of a lease folder in a run folder. */
export function leasePath(folder: string, { epoch, token, isTaking }: LeaseName): string {
  return join(folder, `.lease-${epoch}${token === undefined ? "" : `-${token}`}${isTaking ? ".taking" : ""}`);
}

function parseLeaseName(name: string): LeaseName | undefined {
  const [, epoch, token, taking] = LEASE.exec(name) ?? [];
  return epoch === undefined ? undefined : { epoch: Number(epoch), token, isTaking: taking !== undefined };
}

/** Resolves with the newest lease of a run; `undefined` if it has none. Throws file system errors. */
export async function findLease(folder: string): Promise<FoundLease | undefined> {
  // While a process renames a folder, a listing may contain neither the old nor the new name.
  for (let read = 0; read < READS; read += 1) {
    let newest: FoundLease | undefined;
    for (const name of await readdir(folder)) {
      const parsed = parseLeaseName(name);
      if (parsed !== undefined && parsed.epoch >= (newest?.epoch ?? 0))
        newest = { ...parsed, path: join(folder, name) };
    }
    if (newest !== undefined) return newest;
  }
  return undefined;
}
