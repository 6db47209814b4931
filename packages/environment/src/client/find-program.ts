import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { HostVariables } from "../variables/select-variables.ts";

/** Where programs are looked for when the host's variables say nothing. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Absolute path of a program on the host's PATH, if it is there. Relative entries of PATH are passed over. */
export async function findProgram(name: string, host: HostVariables): Promise<string | undefined> {
  const folders = (host["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

/** Checks a program that is given by its path. Throws `config.invalid` when it is none. */
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
