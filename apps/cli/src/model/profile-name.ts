/** Model families that have their own tools and prompt. */
export const PROFILE_NAMES = ["openai", "anthropic", "gemini"] as const;

/** Name of a model family. */
export type ProfileName = (typeof PROFILE_NAMES)[number];
