import { findProgram } from "../client/find-program.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { RelayProgram } from "./relay-command.ts";
import { RELAY_INTERPRETERS } from "./relay-sources.ts";

/**
 * Finds an interpreter on this machine for the relay, a program that passes connections out of an environment. Resolves
 * with the first interpreter on the PATH that can run the relay, otherwise with the Node executable of this process.
 */
export async function findRelay(host: HostVariables): Promise<RelayProgram> {
  for (const interpreter of RELAY_INTERPRETERS) {
    const path = await findProgram(interpreter, host);
    if (path !== undefined) return { interpreter, path };
  }
  return { interpreter: "node", path: process.execPath };
}
