import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openConfinedEnvironment } from "@switchyard/environment/local";
import { type FolderRules, pushCredentials } from "@switchyard/runtimes";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Opens a folder as an environment whose commands are confined by rules. `undefined` if this machine cannot confine
 * commands.
 */
export function confineFolder(
  { env, homeDirectory }: CommandContext,
  root: string,
  { writes, readOnly, hidesPushCredentials }: FolderRules,
): Promise<ExecutionEnvironment | undefined> {
  const agent = env["SSH_AUTH_SOCK"];
  const hidden = [
    ...(homeDirectory === undefined ? [] : pushCredentials(homeDirectory)),
    ...(agent === undefined || agent === "" ? [] : [agent]),
  ];
  return openConfinedEnvironment({ root, env, writes, readOnly, hidden: hidesPushCredentials ? hidden : [] });
}
