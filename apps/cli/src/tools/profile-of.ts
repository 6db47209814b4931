import { createProfile, type ProviderProfile } from "@switchyard/agent";
import type { ToolNames } from "@switchyard/settings";
import type { ProfileName } from "../model/profile-name.ts";

/** Options of the commands `tools list` and `tools call`. */
export interface ToolOptions {
  /** Model family that the tools are designed for. */
  profile: ProfileName;
  /** Set of tool names. */
  toolNames?: ToolNames;
  /** Whether `web_fetch` is available. */
  web?: boolean;
  /** Whether to print JSON. */
  json?: boolean;
}

/** Returns the profile (system prompt and tools) that a run with the same options would use. */
export async function profileOf({ profile, toolNames, web }: ToolOptions): Promise<ProviderProfile> {
  const webFetcher = web === true ? (await import("@switchyard/web")).createWebFetcher() : undefined;
  return createProfile(profile, { model: profile, toolNames, webFetcher });
}
