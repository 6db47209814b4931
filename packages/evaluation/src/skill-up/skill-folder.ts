import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Field, fail } from "../suite/field.ts";
import { readScalar } from "../suite/scalar-fields.ts";

/** Maximum number of parent folders that are searched for the skill. */
const MAX_DEPTH = 10;

/** Folders from which the paths of an evaluation are resolved. */
export interface SkillFolder {
  /** Folder of the skill. Paths are relative to it. */
  readonly root: string;
  /** Folder of the evaluation file. Used for paths that do not exist in `root`. */
  readonly evals: string;
  /** Whether `root` contains a `SKILL.md`. */
  readonly isSkill: boolean;
}

/** Finds the folder of the skill that an evaluation file belongs to: the nearest one with a `SKILL.md`. */
export async function findSkillFolder(path: string): Promise<SkillFolder> {
  const evals = dirname(path);
  let root = evals;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    if ((await find(join(root, "SKILL.md"))) !== undefined) return { root, evals, isSkill: true };
    root = dirname(root);
  }
  return { root: dirname(evals), evals, isSkill: false };
}

/**
 * Resolves a path of the evaluation. Records a problem if the path does not exist or does not lead to a file or folder,
 * as `kind` requires.
 */
export async function readSkillPath(
  field: Field,
  folder: SkillFolder,
  kind: "file" | "folder",
): Promise<string | undefined> {
  const path = readScalar(field);
  if (path === undefined) return undefined;
  for (const base of [folder.root, folder.evals]) {
    const absolute = resolve(base, path);
    const found = await find(absolute);
    if (found === undefined) continue;
    if (found.isDirectory() !== (kind === "folder")) return fail(field, `names ${path}, which is not a ${kind}`);
    return absolute;
  }
  return fail(field, `names ${path}, which does not exist in ${folder.root}`);
}

async function find(path: string) {
  return stat(path).catch(() => undefined);
}
