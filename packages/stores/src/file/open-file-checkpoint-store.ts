import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type Checkpoint,
  type CheckpointDeleter,
  type CheckpointLister,
  type CheckpointStore,
  EngineError,
  messageOf,
} from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { createCheckpointEncoder } from "../codec/create-checkpoint-encoder.ts";
import { createSerial, type Serial } from "../codec/create-serial.ts";
import { decodeCheckpoint } from "../codec/decode-checkpoint.ts";
import { assertSafeFolder } from "./disk/assert-safe-folder.ts";
import { makeFolders } from "./disk/make-folders.ts";
import { readBytes } from "./disk/read-file.ts";
import { systemCodeOf, toStoreFailure } from "./disk/store-failure.ts";
import { NODE_FILES, type StoreFiles } from "./disk/store-files.ts";
import { writeLines } from "./log/append-log.ts";
import { LINE_END } from "./log/log-tail.ts";

const SUFFIX = ".jsonl";

/** Options for `openFileCheckpointStore`. */
export interface FileCheckpointStoreOptions {
  /** Folder in which the checkpoint files are stored. It is created with the first checkpoint. */
  readonly directory: string;
  /** Implementation of the operations that change the disk, which fault tests replace. Default: the real disk. */
  readonly files?: StoreFiles | undefined;
}

/** A store of checkpoints, without runs and leases. It can list and delete checkpoints. */
export type FileCheckpointStore = CheckpointStore & CheckpointLister & CheckpointDeleter;

function corrupt(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("checkpoint.corrupt", { path, problem }, { cause });
}

function* completeLines(bytes: Buffer, path: string): Generator<Buffer, void, undefined> {
  let start = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, start)) {
    yield bytes.subarray(start, at);
    start = at + 1;
  }
  // The file was written atomically, so missing content means that the file is damaged.
  if (start < bytes.length) throw corrupt(path, "its end is missing");
}

async function saveFile(
  files: StoreFiles,
  path: { folder: string; name: string },
  checkpoint: Checkpoint,
): Promise<void> {
  const { lines } = await createCheckpointEncoder(checkpoint.execId).encode(checkpoint);
  const final = join(path.folder, path.name);
  const temporary = join(path.folder, `.${path.name}-${randomBytes(6).toString("hex")}`);
  try {
    await makeFolders(files, path.folder);
    const file = await files.open(temporary, "new");
    try {
      await writeLines(file, lines);
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(temporary, final);
    await files.syncFolder(path.folder);
  } catch (error) {
    await files.remove(temporary).catch(() => undefined);
    throw toStoreFailure(error, final);
  }
}

/**
 * Opens a store of checkpoints only. Each run has one file, which is replaced atomically. Any number of processes may
 * use it; the last save wins. If each run has only one writer, use `openFileStore`, which writes only the changes since
 * the last checkpoint. Rejects with `store.foreign_folder` if another user can write to the folder. See engine:
 * CheckpointStore; durability promises D2, D3.
 */
export function openFileCheckpointStore({
  directory,
  files = NODE_FILES,
}: FileCheckpointStoreOptions): FileCheckpointStore {
  const folder = resolve(directory);
  const serials = new Map<string, Serial>();

  /** Runs the calls for one run in order. */
  async function inOrder(execId: string, task: (name: string) => Promise<void>): Promise<void> {
    assertRunId(execId);
    const serial = serials.get(execId) ?? createSerial();
    serials.set(execId, serial);
    const name = `${execId}${SUFFIX}`;
    await serial(async () => {
      await assertSafeFolder({ directory: folder, content: join(folder, name) });
      await task(name);
    });
  }
  return {
    save: (checkpoint) => inOrder(checkpoint.execId, (name) => saveFile(files, { folder, name }, checkpoint)),
    load: async (execId) => {
      assertRunId(execId);
      const path = join(folder, `${execId}${SUFFIX}`);
      await assertSafeFolder({ directory: folder, content: path });
      const bytes = await readBytes(path).catch((error: unknown) => {
        throw corrupt(path, messageOf(error), error);
      });
      if (bytes === undefined) return undefined;
      return (await decodeCheckpoint(completeLines(bytes, path), { runId: execId, path })).checkpoint;
    },
    list: async () => {
      await assertSafeFolder({ directory: folder, content: folder });
      const names = await readdir(folder).catch((error: unknown) => {
        if (systemCodeOf(error) === "ENOENT") return [];
        throw corrupt(folder, messageOf(error), error);
      });
      const stored = names.filter((name) => name.endsWith(SUFFIX) && !name.startsWith("."));
      return stored.map((name) => name.slice(0, -SUFFIX.length)).sort();
    },
    delete: (execId) =>
      inOrder(execId, async (name) => {
        try {
          await files.remove(join(folder, name));
          await files.syncFolder(folder);
        } catch (error) {
          if (systemCodeOf(error) !== "ENOENT") throw toStoreFailure(error, join(folder, name));
        }
      }),
  };
}
