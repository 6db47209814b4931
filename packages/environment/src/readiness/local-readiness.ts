import { findProgram } from "../client/find-program.ts";
import { findPlatformShell } from "../local/process/platform-shell.ts";
import { findRipgrep } from "../local/search/ripgrep-program.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { ReadinessFindings } from "./readiness-findings.ts";

/** Checks for the shell, and for the optional programs ripgrep and git. Neither of them has to be installed. */
export async function findLocalParts(host: HostVariables): Promise<ReadinessFindings> {
  const [shell = ""] = findPlatformShell(undefined)("").argv;
  const git = await findProgram("git", host);
  const ripgrep = await findRipgrep(undefined);
  return {
    found: [
      shell,
      ripgrep === undefined ? "no ripgrep: searches are slower" : "ripgrep",
      git === undefined ? "no git: changes are not listed" : "git",
    ],
    missing: [],
  };
}
