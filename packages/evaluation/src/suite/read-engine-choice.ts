import { resolve } from "node:path";
import { isRecord } from "../files/is-record.ts";
import type { EngineChoice } from "./eval-suite.ts";
import { below, type Field, fail, readText, required } from "./field.ts";
import { checkFile } from "./parse-files.ts";
import { readName } from "./read-name.ts";

/** Matches texts that are file paths: those with a separator or an extension. */
const FILE = /[/\\]|\.(?:ya?ml|json)$/iu;

/** Reads an engine: its name, the path of its file, or a block with its settings. */
export async function readEngineChoice(field: Field, directory: string): Promise<EngineChoice | undefined> {
  const { value, path } = field;
  if (typeof value === "string") {
    const spec = await readSpec(field, directory);
    return spec === undefined ? undefined : { spec, field: path };
  }
  if (!isRecord(value)) return fail(field, "must be the name of an engine, the path of its file, or a map");
  const { id: _, file, ...block } = value;
  const id = readName(below(field, "id", value["id"]));
  if (file === undefined) return { id, spec: block, field: path };
  for (const name of Object.keys(block)) fail(below(field, name, undefined), "does not go with file");
  const spec = await readSpec(below(field, "file", file), directory);
  return spec === undefined ? undefined : { id, spec, field: path };
}

async function readSpec(field: Field, directory: string): Promise<string | undefined> {
  const name = required(field, readText);
  if (name === undefined || !isEngineFile(name)) return name;
  return checkFile(field, resolve(directory, name));
}

/** True if an engine name is the path of a file. */
export function isEngineFile(name: string): boolean {
  return FILE.test(name);
}
