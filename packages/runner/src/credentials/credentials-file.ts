import { readFile, stat } from "node:fs/promises";
import { EngineError, messageOf } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Permission bits of users other than the owner. */
const OTHERS = 0o077;
const MAX_BYTES = 1024 * 1024;

/**
 * Returns the key of a provider from a credentials file, which maps providers to keys or to objects with `api_key`.
 * Falls back to the file's entry `default`. `undefined` if the file does not exist. Rejects with `credentials.exposed`
 * if other users can read it, and with `credentials.invalid`. See custom-engine: API key.
 */
export async function keyInFile(path: string, provider: string): Promise<string | undefined> {
  const text = await readPrivate(path);
  if (text === undefined) return undefined;
  const { parse } = await import("yaml");
  const document = attempt(() => parse(text), path);
  if (document === null || document === undefined) return undefined;
  if (!isRecord(document)) throw new EngineError("credentials.invalid", { path, problem: "it is not a map" });
  return keyOf(document, provider, path) ?? keyOf(document, "default", path);
}

async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const { mode, size } = await stat(path);
    // Windows has no permission bits for other users.
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) throw new EngineError("credentials.exposed", { path });
    if (size > MAX_BYTES)
      throw new EngineError("credentials.invalid", { path, problem: `it exceeds the limit of ${MAX_BYTES} bytes` });
    return await readFile(path, "utf8");
  } catch (error) {
    if (EngineError.is(error)) throw error;
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw new EngineError("credentials.invalid", { path, problem: messageOf(error) }, { cause: error });
  }
}

function attempt(parse: () => unknown, path: string): unknown {
  try {
    return parse();
  } catch (error) {
    // The parser's message quotes the content, which is secret.
    throw new EngineError("credentials.invalid", { path, problem: "it is not valid YAML" }, { cause: error });
  }
}

function keyOf(document: Record<string, unknown>, name: string, path: string): string | undefined {
  const entry = Object.hasOwn(document, name) ? document[name] : undefined;
  const key = isRecord(entry) ? entry["api_key"] : entry;
  if (key === undefined || key === null || key === "") return undefined;
  if (typeof key === "string") return key.trim();
  throw new EngineError("credentials.invalid", { path, problem: `${name} is neither a text nor a map with api_key` });
}
