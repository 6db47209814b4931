import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { ListedRun, RunStore, StoredRun } from "@switchyard/contracts";
import type { McpHost } from "./mcp-host.ts";

/** Folder that is served, and the runs that a client started. */
export interface ServedFolder {
  /** Folder, with links resolved. */
  readonly root: string;
  /** Ids of the runs that the client started. Runs in a worktree do not work below the folder, but remain visible. */
  readonly started: ReadonlySet<string>;
}

/** A run that is not damaged. */
type SoundRun = Exclude<ListedRun, { readonly problem: unknown }>;

/** Parts of a run that decide whether the client may see it. */
type ServedRun = Pick<StoredRun, "runId" | "record" | "request">;

/** True if a folder is another one or below it. Both paths must have their links resolved. */
export function isBelow(path: string, root: string): boolean {
  const below = relative(root, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && resolve(root, below) === path;
}

/** Lists the newest runs of the folder. Runs of other folders are hidden from the client. */
export async function listServedRuns(host: McpHost, served: ServedFolder, limit: number): Promise<SoundRun[]> {
  const found: SoundRun[] = [];
  for await (const run of servedIn(host, await host.openStore(), served)) {
    if (found.push(run) >= limit) break;
  }
  return found;
}

/** Finds a run of the folder by its id or the beginning of it. Rejects with `run.not_found` for all others. */
export async function findServedRun(host: McpHost, served: ServedFolder, id: string): Promise<StoredRun> {
  const store = await host.openStore();
  const visible = {
    list: () => listServedRuns(host, served, Number.POSITIVE_INFINITY),
    show: async (runId: string) => {
      const run = await store.show(runId);
      if (await isServed(host, run, served)) return run;
      throw host.runNotFound(runId);
    },
  };
  return host.findRun(visible, id);
}

async function* servedIn(
  host: McpHost,
  store: RunStore,
  served: ServedFolder,
): AsyncGenerator<SoundRun, void, undefined> {
  for (const run of await store.list()) {
    if ("problem" in run) continue;
    // Only the request of a run in a container names its folder on this machine.
    const isKnown = host.workspaceOf(run) !== undefined;
    if (await isServed(host, isKnown ? run : await store.show(run.runId), served)) yield run;
  }
}

async function isServed(host: McpHost, run: ServedRun, served: ServedFolder): Promise<boolean> {
  if (served.started.has(run.runId)) return true;
  const folder = host.workspaceOf(run);
  return folder !== undefined && isBelow(await realpath(folder).catch(() => folder), served.root);
}
