/** Shells that have a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Shell that has a completion script. */
export type Shell = (typeof SHELLS)[number];
