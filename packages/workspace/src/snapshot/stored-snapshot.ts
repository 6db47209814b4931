import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitRepository } from "./git-repository.ts";

const FILE_NAME = "snapshot.json";
/** File mode of stored snapshots: only their owner can read them. */
const FILE_MODE = 0o600;
/** Mode of snapshot folders. */
export const FOLDER_MODE = 0o700;

function snapshotFile(scratch: string): string {
  return join(scratch, FILE_NAME);
}

/** Snapshot data that is stored in a file, so that a later attempt of the run can use it. */
export interface StoredSnapshot {
  /** Repository of the snapshot. */
  readonly repository: GitRepository;
  /** Id of its tree. */
  readonly before: string;
  /**
   * Existing paths that git ignores and that are therefore not part of the snapshot, relative to the repository.
   * Folders have a trailing `/`.
   */
  readonly ignored: readonly string[];
  /** Files that were excluded because they are too large or unreadable, relative to the workspace. */
  readonly tooLarge: readonly string[];
  /**
   * Permission bits of the workspace if it was an empty plain folder. Then the repository of the snapshot is created only
   * when the changes are computed. `undefined` for other workspaces.
   */
  readonly emptyMode?: number | undefined;
}

/** Stores a snapshot atomically. */
export async function storeSnapshot(scratch: string, snapshot: StoredSnapshot): Promise<void> {
  const path = snapshotFile(scratch);
  await mkdir(scratch, { recursive: true, mode: FOLDER_MODE });
  await writeFile(`${path}.new`, JSON.stringify(snapshot), { mode: FILE_MODE });
  await rename(`${path}.new`, path);
}

/** Reads the stored snapshot data. `undefined` if none is stored. Throws if the file is unreadable. */
export async function readStoredSnapshot(scratch: string): Promise<StoredSnapshot | undefined> {
  const text = await readFile(snapshotFile(scratch), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (isRecord(value) && typeof value["before"] === "string" && isRepository(value["repository"])) {
    const { before, repository } = { before: value["before"], repository: value["repository"] };
    const emptyMode = value["emptyMode"];
    return {
      ...{ before, repository, ignored: toPaths(value["ignored"]), tooLarge: toPaths(value["tooLarge"]) },
      ...(typeof emptyMode === "number" ? { emptyMode } : {}),
    };
  }
  throw new Error("it is not a snapshot");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function toPaths(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === "string") : [];
}

function isRepository(value: unknown): value is GitRepository {
  const fields = ["top", "objectFormat", "objects", "index", "exclude"];
  const isPlain = isRecord(value) ? value["isPlain"] : undefined;
  const isKind = isPlain === undefined || typeof isPlain === "boolean";
  return isRecord(value) && isKind && fields.every((field) => typeof value[field] === "string");
}
