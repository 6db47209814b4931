import { createHash } from "node:crypto";
import { basename } from "node:path";
import { EngineError, messageOf, type RunCluster } from "@switchyard/contracts";
import { type ChangeTracker, type FileChanges, parseFileChanges } from "@switchyard/workspace";

const FOLDER = "snapshots";
/** Files that are no longer needed are removed once there are this many of them, or once they have this many bytes. */
const MAX_OLD = 64;
const MAX_OLD_BYTES = 8 * 1024 * 1024;

/** Changes of a workspace that are stored on the broker, or the reason why they are not. */
export interface StoredFiles {
  /** Name under which this document is stored. */
  readonly name: string;
  /** The changes. `undefined` if they could not be stored. */
  readonly changes?: FileChanges | undefined;
  /** Reason why the changes are not stored. */
  readonly problem?: string | undefined;
}

/** Options of `createStoredWorkspace`. */
export interface StoredWorkspaceOptions {
  /** Connection to the cluster. */
  readonly cluster: Pick<RunCluster, "putFile" | "removeFiles">;
  /** Id of the run. */
  readonly runId: string;
  /**
   * Number of the writer's lease, called epoch. It is part of all names, so that a writer that lost its lease cannot
   * replace or remove what its successor has stored.
   */
  readonly epoch: number;
  /** Finds the changes of the workspace. */
  readonly tracker: ChangeTracker;
  /** Stored changes to which the newest checkpoint refers. Default: none. */
  readonly newest?: StoredFiles | undefined;
  /** Called once if the changes cannot be stored. */
  readonly onProblem: (error: EngineError) => void;
}

/** Stores the changes of a run's workspace on the broker, so that another worker can continue the run. */
export interface StoredWorkspace {
  /** True if anything is stored on the broker. */
  readonly isStored: boolean;
  /**
   * Stores the current changes of the workspace, and resolves with the name under which they are stored. `undefined` if
   * the workspace is in its initial state. Rejects with `broker.*`.
   */
  store(): Promise<string | undefined>;
  /**
   * Removes stored data that the newest checkpoint no longer needs, if there is much of it. Call it after a checkpoint
   * was saved that contains the name which `store` last returned.
   */
  removeOld(): Promise<void>;
}

/** Resolves with stored changes. Rejects with `workspace.not_stored` if they are missing or damaged. */
export async function readStoredFiles(
  cluster: Pick<RunCluster, "readFile">,
  runId: string,
  name: string,
): Promise<StoredFiles> {
  const content = await cluster.readFile(runId, FOLDER, name);
  const fail = (problem: string): never => {
    throw new EngineError("workspace.not_stored", { runId, problem });
  };
  if (content === undefined) return fail("its stored changes are missing.");
  const text = Buffer.from(content).toString();
  const { problem } = Object(JSON.parse(text));
  if (typeof problem === "string") return { name, problem };
  const changes = parseFileChanges(text);
  return changes === undefined ? fail("its stored changes have an unknown format.") : { name, changes };
}

/** Resolves with the content of a file in stored changes. `undefined` if it is missing. */
export function readStoredContent(
  cluster: Pick<RunCluster, "readFile">,
  runId: string,
  name: string,
): Promise<Uint8Array | undefined> {
  return cluster.readFile(runId, FOLDER, name);
}

/**
 * Returns a function that resolves with the changes of a workspace, or with the reason why they cannot be stored. Only
 * the first reason is reported.
 */
function createCapture(
  { runId, tracker, onProblem }: StoredWorkspaceOptions,
  storeContent: (hash: string, content: Uint8Array) => Promise<string>,
): () => Promise<Pick<StoredFiles, "changes" | "problem">> {
  let isReported = false;
  return async () => {
    try {
      return { changes: await tracker.capture(storeContent) };
    } catch (error) {
      // If the broker fails, the checkpoint cannot be saved either. All other failures concern only the workspace.
      if (EngineError.is(error) && error.code.startsWith("broker.")) throw error;
      const problem = `${messageOf(error)}.`;
      if (!isReported) onProblem(new EngineError("workspace.not_stored", { runId, problem }, { cause: error }));
      isReported = true;
      return { problem };
    }
  };
}

/** Creates the object that stores the changes of a workspace. */
export function createStoredWorkspace(options: StoredWorkspaceOptions): StoredWorkspace {
  const { cluster, runId, epoch, newest } = options;
  /** Sizes of everything that is stored, in bytes, by name. */
  const stored = new Map<string, number>();
  /** Names under which file contents are stored, by the hash of the content. */
  const contents = new Map<string, string>();
  let needed = namesIn(newest);
  for (const name of needed) stored.set(name, 0);
  for (const { content, size } of filesIn(newest)) {
    contents.set(basename(content), content);
    stored.set(content, size);
  }

  async function put(name: string, content: Uint8Array): Promise<void> {
    await cluster.putFile(runId, FOLDER, { path: name, content });
    stored.set(name, content.length);
  }
  async function storeContent(hash: string, content: Uint8Array): Promise<string> {
    const known = contents.get(hash);
    if (known !== undefined) return known;
    const name = `${epoch}/content/${hash}`;
    await put(name, content);
    contents.set(hash, name);
    return name;
  }
  const capture = createCapture(options, storeContent);
  return {
    get isStored() {
      return stored.size > 0;
    },
    store: async () => {
      const { changes, problem } = await capture();
      if (changes !== undefined && changes.changed.length + changes.removed.length === 0) {
        needed = new Set();
        return undefined;
      }
      const text = JSON.stringify(changes ?? { problem });
      const name = `${epoch}/changes/${createHash("sha256").update(text).digest("hex")}`;
      if (!stored.has(name)) await put(name, Buffer.from(text));
      needed = namesIn({ name, changes });
      return name;
    },
    removeOld: async () => {
      const old = [...stored].filter(([name]) => !needed.has(name));
      const bytes = old.reduce((sum, [, size]) => sum + size, 0);
      if (old.length < MAX_OLD && bytes < MAX_OLD_BYTES) return;
      for (const [name] of old) {
        stored.delete(name);
        contents.delete(basename(name));
        await cluster.removeFiles(runId, FOLDER, name);
      }
    },
  };
}

function filesIn(files: StoredFiles | undefined): readonly { readonly content: string; readonly size: number }[] {
  return (files?.changes?.changed ?? []).flatMap((entry) => (entry.kind === "file" ? [entry] : []));
}

/** Returns the names of everything that belongs to stored changes. */
function namesIn(files: StoredFiles | undefined): Set<string> {
  return new Set(files === undefined ? [] : [files.name, ...filesIn(files).map(({ content }) => content)]);
}
