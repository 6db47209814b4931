import { EngineError } from "@switchyard/contracts";
import { createAnthropicProfile } from "./anthropic-profile.ts";
import { createGeminiProfile } from "./gemini-profile.ts";
import { createOpenAiProfile } from "./openai-profile.ts";
import type { ProfileOptions } from "./profile-options.ts";
import type { ProviderProfile } from "./provider-profile.ts";

const FACTORIES: Readonly<Record<string, (options: ProfileOptions) => ProviderProfile>> = {
  openai: createOpenAiProfile,
  anthropic: createAnthropicProfile,
  gemini: createGeminiProfile,
};

/** Names of the built-in model families. */
export const PROFILE_FAMILIES: readonly string[] = Object.keys(FACTORIES);

/** Creates a profile for a model family. Throws `model.unknown_provider` if the family is unknown. See loop: §3.2. */
export function createProfile(family: string, options: ProfileOptions): ProviderProfile {
  const create = Object.hasOwn(FACTORIES, family) ? FACTORIES[family] : undefined;
  if (create === undefined)
    throw new EngineError("model.unknown_provider", { provider: family, known: PROFILE_FAMILIES });
  return create(options);
}
