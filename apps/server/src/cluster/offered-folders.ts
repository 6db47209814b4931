import { EngineError, type FolderRule, type RunRecord } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { endOrphanedProcesses } from "@switchyard/runner";
import { lockWorkspace } from "@switchyard/workspace";
import { LOCAL_CALLER } from "../guard/caller.ts";
import { allowsFolder } from "../scheduler/run-needs.ts";

/** Default owners of a folder that a worker offers: only `local`, the owner of all runs of servers without tokens. */
const DEFAULT_OWNERS: readonly string[] = [LOCAL_CALLER.owner];

/** How long a folder is not offered that could not be locked, in milliseconds. */
const BUSY_MS = 500;

/** Folder that a worker offers as a workspace. */
export interface WorkerFolder {
  /** Absolute path. */
  readonly path: string;
  /**
   * Owners whose runs may work in the folder. The list `["*"]` allows all owners. Default: `["local"]`, the owner of
   * all runs of servers without tokens. Runs of several owners in one folder can read and change the files of each
   * other.
   */
  readonly owners?: readonly string[] | undefined;
}

/** A folder of the worker in which one run works. Disposing this object allows other runs to use the folder. */
interface TakenFolder extends AsyncDisposable {
  /** Absolute path. */
  readonly path: string;
}

/** Folders that a worker offers as workspaces. */
export interface OfferedFolders {
  /** All folders. */
  readonly all: readonly FolderRule[];
  /** Returns the folders in which no run of this worker works. */
  free(): readonly FolderRule[];
  /** Returns the path of the folder that a run requires. Throws `workspace.no_folder` like `take`. */
  pathOf(record: RunRecord): string | undefined;
  /**
   * Locks the folder that a run requires. Resolves with `undefined` if the run requires no folder, and with `busy` if
   * another run works in it. Rejects with `workspace.no_folder` if the worker does not offer the folder, or not to the
   * owner of the run. Also rejects with `workspace.not_found` and `run.store_failed`.
   */
  take(record: RunRecord): Promise<TakenFolder | "busy" | undefined>;
}

/** Options of `openOfferedFolders`. */
interface OfferedFoldersOptions {
  /** Folders by name. Default: none. */
  readonly folders?: Readonly<Record<string, WorkerFolder>> | undefined;
  /** State folder of the worker, which contains the locks. */
  readonly stateDirectory: string;
  /** Environment variables of the host. Default: those of this process. */
  readonly env?: HostVariables | undefined;
  /** Called when a run no longer uses a folder. */
  readonly onFree: () => void;
}

/** Creates the folders that a worker offers. */
export function openOfferedFolders({
  folders = {},
  stateDirectory,
  env = process.env,
  onFree,
}: OfferedFoldersOptions): OfferedFolders {
  const used = new Set<string>();
  const byName = new Map(Object.entries(folders));
  const all = [...byName].map(([name, { owners = DEFAULT_OWNERS }]) => ({ name, owners }));
  const pathOf = ({ owner = "", placement }: RunRecord): string | undefined => {
    const name = placement?.workspace?.folder;
    if (name === undefined) return undefined;
    const path = byName.get(name)?.path;
    if (path === undefined || !allowsFolder(all, { name, owner }))
      throw new EngineError("workspace.no_folder", { name });
    return path;
  };
  return {
    ...{ all, pathOf },
    free: () => all.filter(({ name }) => !used.has(name)),
    take: async (record) => {
      const { run_id: runId, placement } = record;
      const [name, path] = [placement?.workspace?.folder, pathOf(record)];
      if (name === undefined || path === undefined) return undefined;
      if (used.has(name)) return "busy";
      used.add(name);
      const free = (): void => {
        used.delete(name);
        onFree();
      };
      let locked: AsyncDisposable | undefined;
      try {
        locked = await lockFolder(path, { runId, stateDirectory, env });
      } finally {
        // Other runs that need the folder could not lock it either.
        if (locked === undefined) setTimeout(free, BUSY_MS).unref();
      }
      if (locked === undefined) return "busy";
      return {
        path,
        [Symbol.asyncDispose]: async () => {
          await locked[Symbol.asyncDispose]();
          free();
        },
      };
    },
  };
}

/** Locks a folder for a run. Resolves with `undefined` if another run has locked it. */
async function lockFolder(
  path: string,
  { runId, stateDirectory, env }: { runId: string; stateDirectory: string; env: HostVariables },
): Promise<AsyncDisposable | undefined> {
  const onTakeover = async (root: string, earlierId: string): Promise<void> => {
    const environment = { type: "local", root, env } as const;
    await endOrphanedProcesses(earlierId, { stateDirectory, environment }).catch(() => 0);
  };
  try {
    return await lockWorkspace(path, { state: stateDirectory, runId, onTakeover });
  } catch (error) {
    if (EngineError.is(error, "workspace.locked") || EngineError.is(error, "run.leased")) return undefined;
    throw error;
  }
}
