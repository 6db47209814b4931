/** Which tool calls wait for somebody's permission. */
export const APPROVAL_MODES = ["never", "on-commands", "on-writes", "always"] as const;

/** One of them. */
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/** Whether a value is one of them. */
export function isApprovalMode(value: unknown): value is ApprovalMode {
  return APPROVAL_MODES.some((mode) => mode === value);
}
