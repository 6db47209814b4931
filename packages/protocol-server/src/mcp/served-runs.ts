import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { ListedRun, RunStore, StoredRun } from "@switchyard/contracts";
import type { McpHost } from "./mcp-host.ts";

/** Runs that a client may access: runs in a folder, and runs that the client started. */
export interface ServedFolder {
  /** Folder, with links resolved. */
  readonly root: string;
  /**
   * Ids of the runs that the client started. They are accessible even if they work in a worktree outside of the folder.
   */
  readonly started: ReadonlySet<string>;
}

/** Entry of the run list whose record is readable. */
type SoundRun = Exclude<ListedRun, { readonly problem: unknown }>;

/** Data of a run that determines whether the client may access it. */
type ServedRun = Pick<StoredRun, "runId" | "record" | "request">;

/** Returns true if `path` is the given folder or is below it. Symbolic links in both paths must already be resolved. */
export function isBelow(path: string, root: string): boolean {
  const below = relative(root, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && resolve(root, below) === path;
}

/** Lists the newest runs that the client may access. Runs of other folders are hidden. */
export async function listServedRuns(host: McpHost, served: ServedFolder, limit: number): Promise<SoundRun[]> {
  const found: SoundRun[] = [];
  for await (const run of servedIn(host, await host.openStore(), served)) {
    if (found.push(run) >= limit) break;
  }
  return found;
}

/**
 * Finds a run that the client may access, by the run's id or a unique prefix of the id. Rejects with `run.not_found`
 * for all other runs.
 */
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
    // For a run in a container, only the stored request contains the local folder, so the request is loaded.
    const isKnown = host.workspaceOf(run) !== undefined;
    if (await isServed(host, isKnown ? run : await store.show(run.runId), served)) yield run;
  }
}

async function isServed(host: McpHost, run: ServedRun, served: ServedFolder): Promise<boolean> {
  if (served.started.has(run.runId)) return true;
  const folder = host.workspaceOf(run);
  return folder !== undefined && isBelow(await realpath(folder).catch(() => folder), served.root);
}
