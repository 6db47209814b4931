/** Which tool calls wait for somebody's permission, as `--approve` names it. */
export const APPROVAL_MODES = ["never", "on-commands", "on-writes", "always"] as const;

/** From the one that lets everything run to the one that lets nothing change; `plan` asks nobody. */
export const APPROVAL_STRICTNESS = ["never", "on-commands", "on-writes", "always", "plan"] as const;

/** One of them. */
export type ApprovalMode = (typeof APPROVAL_STRICTNESS)[number];

/** Whether a value is one of them. */
export function isApprovalMode(value: unknown): value is ApprovalMode {
  return APPROVAL_STRICTNESS.some((mode) => mode === value);
}
