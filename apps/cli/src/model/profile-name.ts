/** Families of models that have tools and a prompt of their own. */
export const PROFILE_NAMES = ["openai", "anthropic", "gemini"] as const;

/** Name of such a family. */
export type ProfileName = (typeof PROFILE_NAMES)[number];
