/** Model families that have a profile, which is a set of tools and a system prompt. */
export const PROFILE_NAMES = ["openai", "anthropic", "gemini"] as const;

/** Name of a model family. */
export type ProfileName = (typeof PROFILE_NAMES)[number];
