/** Shells that there is a completion for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];
