import { createProfile, type ProviderProfile } from "@switchyard/agent";
import type { ProfileName } from "../model/profile-name.ts";
import type { ToolNames } from "../model/tool-names.ts";

interface ProfileChoice {
  /** Family of models the tools are made for. */
  profile: ProfileName;
  /** Whose names the tools have. */
  toolNames?: ToolNames;
  /** Whether `web_fetch` is one of them. */
  web?: boolean;
}

/** The profile whose tools are looked at: the one of a run with the same options. */
export async function profileOf({ profile, toolNames: naming, web }: ProfileChoice): Promise<ProviderProfile> {
  const webFetcher = web === true ? (await import("@switchyard/web")).createWebFetcher() : undefined;
  return createProfile(profile, { model: profile, naming, webFetcher });
}
