import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../input/is-record.ts";
import { FILE_MODE } from "../run-files/run-files.ts";
import { systemCodeOf } from "../run-files/store-failure.ts";
import type { GitRepository } from "./git-repository.ts";

const FILE_NAME = "snapshot.json";

/** A snapshot as it is kept for a later attempt. */
export interface KeptSnapshot {
  /** The repository it is of. */
  readonly repository: GitRepository;
  /** Id of its tree. */
  readonly before: string;
}

/** Keeps a snapshot; whoever reads sees the whole of it or nothing. */
export async function keepSnapshot(scratch: string, kept: KeptSnapshot): Promise<void> {
  const path = join(scratch, FILE_NAME);
  await writeFile(`${path}.new`, JSON.stringify(kept), { mode: FILE_MODE });
  await rename(`${path}.new`, path);
}

/** The snapshot that was kept; nothing when there is none. Throws what cannot be read. */
export async function readKeptSnapshot(scratch: string): Promise<KeptSnapshot | undefined> {
  const text = await readFile(join(scratch, FILE_NAME), "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (isRecord(value) && typeof value["before"] === "string" && isRepository(value["repository"])) {
    return { before: value["before"], repository: value["repository"] };
  }
  throw new Error("it is no snapshot");
}

function isRepository(value: unknown): value is GitRepository {
  const fields = ["top", "objectFormat", "objects", "index", "exclude"];
  return isRecord(value) && fields.every((field) => typeof value[field] === "string");
}
