import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isRecord } from "../files/is-record.ts";
import type { EvalFile } from "./eval-suite.ts";
import { type Field, fail, readEntries, readMap, readText, required } from "./field.ts";

/**
 * Reads the suite field `files`: a map whose keys are workspace paths. A value is a text, or `{ from: … }` with a path
 * relative to the suite file.
 */
export async function parseFiles(field: Field, directory: string): Promise<EvalFile[]> {
  const files: EvalFile[] = [];
  for (const { name, field: entry } of readEntries(field)) {
    const path = readWorkspacePath({ ...entry, value: name });
    const source = await parseSource(entry, directory);
    if (path !== undefined && source !== undefined) files.push({ path, source });
  }
  return files;
}

async function parseSource(field: Field, directory: string): Promise<EvalFile["source"] | undefined> {
  const { value } = field;
  if (typeof value === "string") return { content: value };
  if (!isRecord(value)) return fail(field, "must be a text, or a map with from");
  const fields = readMap(field, ["from"]);
  const from = fields === undefined ? undefined : await readPath(fields("from"), directory);
  return from === undefined ? undefined : { from };
}

/** Reads the path of an existing file or folder, relative to the suite file. Returns it as an absolute path. */
async function readPath(field: Field, directory: string): Promise<string | undefined> {
  const path = required(field, readText);
  if (path === undefined) return undefined;
  const found = await find(resolve(directory, path));
  return found === undefined ? fail(field, `names ${path}, which does not exist`) : found.path;
}

/** Reads the path of an existing folder. Returns it as an absolute path. */
export async function readFolder(field: Field, directory: string): Promise<string | undefined> {
  const path = readText(field);
  if (path === undefined) return undefined;
  const found = await find(resolve(directory, path));
  if (found === undefined) return fail(field, `names ${path}, which does not exist`);
  return found.isFolder ? found.path : fail(field, `names ${path}, which is not a folder`);
}

/** Checks that a file exists. Adds a problem of the field if it does not. */
export async function checkFile(field: Field, path: string): Promise<string | undefined> {
  const found = await find(path);
  if (found === undefined) return fail(field, `names ${path}, which does not exist`);
  return found.isFolder ? fail(field, `names ${path}, which is a folder`) : path;
}

async function find(path: string): Promise<{ path: string; isFolder: boolean } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? undefined : { path, isFolder: found.isDirectory() };
}

/** Reads a relative path that stays inside the workspace. */
export function readWorkspacePath(field: Field): string | undefined {
  const path = readText(field);
  if (path === undefined) return undefined;
  const parts = path.split(/[/\\]/u);
  const isInside = !/^(?:[/\\]|[A-Za-z]:)/u.test(path) && !parts.includes("..") && !path.includes("\0");
  if (!isInside) return fail(field, "must be a path inside the workspace: relative, without ..");
  const normalized = parts.filter((part) => part !== "" && part !== ".").join("/");
  return normalized === "" ? fail(field, "must name a file in the workspace") : normalized;
}
