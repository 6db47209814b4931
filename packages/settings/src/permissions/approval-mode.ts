/** Values of the option `--approve`, which selects the tool calls that need the user's approval. */
export const APPROVAL_MODES = ["never", "on-commands", "on-writes", "always"] as const;

/** Approval modes from the most permissive to the strictest. `plan` denies every change without asking. */
export const APPROVAL_STRICTNESS = ["never", "on-commands", "on-writes", "always", "plan"] as const;

/** Mode that determines which tool calls need the user's approval. */
export type ApprovalMode = (typeof APPROVAL_STRICTNESS)[number];

/** Returns true if a value is an approval mode. */
export function isApprovalMode(value: unknown): value is ApprovalMode {
  return APPROVAL_STRICTNESS.some((mode) => mode === value);
}
