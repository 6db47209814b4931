import type { DiscoveredRuntimes } from "@switchyard/runtimes";
import { discoverRuntimes } from "@switchyard/runtimes";
import { settingsFolder } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";

/** Where runtime packages are looked for. */
export interface FindOptions {
  /** Whether the current project is trusted: its packages and those of its dependencies. */
  trustWorkspace?: boolean;
}

/** Finds runtime packages in the user's folder, and in the current project where it is trusted. architecture: decision 20. */
export function findRuntimes(context: CommandContext, { trustWorkspace }: FindOptions): Promise<DiscoveredRuntimes> {
  return findRuntimesIn(context, trustWorkspace === true ? context.workingDirectory : undefined);
}

/** Finds runtime packages in the user's folder and in a project that is trusted. */
export function findRuntimesIn(context: CommandContext, project: string | undefined): Promise<DiscoveredRuntimes> {
  return discoverRuntimes({ user: settingsFolder(context), project });
}
