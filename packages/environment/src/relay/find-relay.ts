import { findProgram } from "../client/find-program.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { RelayProgram } from "./relay-command.ts";
import { RELAY_INTERPRETERS } from "./relay-sources.ts";

/**
 * Resolves with an interpreter of this machine that runs the relay, a program that passes connections out of an
 * environment: one on the PATH, otherwise this process's Node.
 */
export async function findRelay(host: HostVariables): Promise<RelayProgram> {
  for (const interpreter of RELAY_INTERPRETERS) {
    const path = await findProgram(interpreter, host);
    if (path !== undefined) return { interpreter, path };
  }
  return { interpreter: "node", path: process.execPath };
}
