import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { HostVariables } from "../variables/select-variables.ts";

/** Search path used when the host's variables have no PATH. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Resolves with the absolute path of a program on the host's PATH, or `undefined`. Relative entries of PATH are
 * ignored.
 */
export async function findProgram(name: string, host: HostVariables): Promise<string | undefined> {
  const folders = (host["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

/** Validates the path of a program. Throws `config.invalid` if the path is not an executable file. */
export async function checkProgram(field: string, path: string): Promise<string> {
  if (!isAbsolute(path)) throw new EngineError("config.invalid", { field, problem: "it is not an absolute path" });
  if (await isProgram(path)) return path;
  throw new EngineError("config.invalid", { field, problem: `${path} is not a program that can be run` });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
