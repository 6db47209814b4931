import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { ListedRun, RunStore, StoredRun } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun, placeOfRuns } from "../runs/open-runs.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Which folder is served, and which runs were made for its client. */
export interface ServedFolder extends StoreOptions {
  /** The folder, with all links followed. */
  readonly root: string;
  /** Ids of the runs that this process has begun: in a worktree, or elsewhere, they work in no folder below. */
  readonly begun: ReadonlySet<string>;
}

/** A run that is not damaged. */
type SoundRun = Exclude<ListedRun, { readonly problem: unknown }>;

/** What is looked at of a run. */
type ToldRun = Pick<StoredRun, "runId" | "record" | "request">;

/** Whether a folder is another one or below it; both with all links followed. */
export function isBelow(path: string, root: string): boolean {
  const below = relative(root, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && resolve(root, below) === path;
}

async function isServed(run: ToldRun, served: ServedFolder): Promise<boolean> {
  if (served.begun.has(run.runId)) return true;
  const folder = hostWorkspaceOf(run);
  return folder !== undefined && isBelow(await realpath(folder).catch(() => folder), served.root);
}

async function* servedIn(store: RunStore, served: ServedFolder): AsyncGenerator<SoundRun, void, undefined> {
  for (const run of await store.list()) {
    if ("problem" in run) continue;
    // Of a run in a container only what it was asked to do says which folder of this machine it had.
    const isHere = hostWorkspaceOf(run) !== undefined;
    if (await isServed(isHere ? run : await store.show(run.runId), served)) yield run;
  }
}

/** The newest runs that a client may know of: what was said in other folders is none of its business. */
export async function listServedRuns(
  context: CommandContext,
  served: ServedFolder,
  limit: number,
): Promise<SoundRun[]> {
  const found: SoundRun[] = [];
  for await (const run of servedIn(await openRunStore(context, served), served)) {
    if (found.push(run) >= limit) break;
  }
  return found;
}

/** One of them, by its id or the beginning of it. Rejects with `run.not_found` for all others. */
export async function findServedRun(context: CommandContext, served: ServedFolder, id: string): Promise<StoredRun> {
  const store = await openRunStore(context, served);
  const known = {
    list: () => listServedRuns(context, served, Number.POSITIVE_INFINITY),
    show: async (runId: string) => {
      const run = await store.show(runId);
      if (await isServed(run, served)) return run;
      throw new EngineError("run.not_found", { runId, stateDirectory: placeOfRuns(context, served) });
    },
  };
  return findRun(context, known, { ...served, id, command: "mcp" });
}
