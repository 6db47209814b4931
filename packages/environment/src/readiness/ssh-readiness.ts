import { clientErrorLine } from "../client/client-error-line.ts";
import { createClientProgram } from "../client/client-program.ts";
import { findProgram } from "../client/find-program.ts";
import type { MissingPart } from "../local/sandbox/sandbox-readiness.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { ReadinessFindings } from "./readiness-findings.ts";

const TIMEOUT_MS = 10_000;

const CLIENT: MissingPart = {
  program: "ssh",
  problem: "There is no `ssh` on the PATH",
  install: [
    { system: "Debian and Ubuntu", command: "sudo apt-get install openssh-client" },
    { system: "Fedora", command: "sudo dnf install openssh-clients" },
    { system: "Alpine", command: "sudo apk add openssh-client" },
  ],
};

/** Checks whether the OpenSSH client is installed. Does not check whether the remote machine is reachable. */
export async function findSshParts(host: HostVariables): Promise<ReadinessFindings> {
  const path = await findProgram("ssh", host);
  if (path === undefined) return { found: [], missing: [CLIENT] };
  // ssh prints its version to standard error.
  const { stderr } = await createClientProgram(path, host).run(["-V"], { timeoutMs: TIMEOUT_MS });
  return { found: [path, clientErrorLine(stderr).split(",")[0] ?? ""].filter((phrase) => phrase !== ""), missing: [] };
}
