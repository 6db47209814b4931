import type { DiscoveredRuntimes } from "@switchyard/runtimes";
import { discoverRuntimes } from "@switchyard/runtimes";
import { settingsFolder } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";

/** Options that control where runtime packages are searched for. */
export interface FindOptions {
  /**
   * Whether to search the current project and its dependencies too, which means that the user trusts their code.
   * Default: false.
   */
  trustWorkspace?: boolean;
}

/**
 * Finds runtime packages in the user's folder, and in the current project if it is trusted. See architecture: decision
 * 20.
 */
export function findRuntimes(context: CommandContext, { trustWorkspace }: FindOptions): Promise<DiscoveredRuntimes> {
  const project = trustWorkspace === true ? context.workingDirectory : undefined;
  return discoverRuntimes({ user: settingsFolder(context), project });
}
