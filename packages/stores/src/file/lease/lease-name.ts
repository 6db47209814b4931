import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** What the name of a lease folder says. */
export interface LeaseName {
  /** Rises with every writer. */
  readonly epoch: number;
  /** Who holds it; nobody when it was given back. */
  readonly token?: string | undefined;
  /** Whether its holder still makes copies of the logs, out of reach of the writer before. */
  readonly isTaking: boolean;
}

/** A lease folder that was found. */
export interface FoundLease extends LeaseName {
  /** Absolute path. */
  readonly path: string;
}

const LEASE = /^\.lease-(\d{1,15})(?:-([A-Za-z0-9_-]{1,80}))?(\.taking)?$/;
const READS = 5;

/** Path of a lease folder in a run folder. */
export function leasePath(folder: string, { epoch, token, isTaking }: LeaseName): string {
  return join(folder, `.lease-${epoch}${token === undefined ? "" : `-${token}`}${isTaking ? ".taking" : ""}`);
}

function parseLeaseName(name: string): LeaseName | undefined {
  const [, epoch, token, taking] = LEASE.exec(name) ?? [];
  return epoch === undefined ? undefined : { epoch: Number(epoch), token, isTaking: taking !== undefined };
}

/** The newest lease of a run; nothing when it has none. Throws what the file system throws. */
export async function findLease(folder: string): Promise<FoundLease | undefined> {
  // While a name changes, a folder may be listed without the old and without the new one.
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
