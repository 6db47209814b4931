import type { ApprovalMode } from "./approval-mode.ts";
import { PERMISSION_MODES } from "./permission-mode.ts";

/** Conditions that determine the default approval mode. */
export interface DefaultConditions {
  /** Whether the user gave rules that allow calls. */
  readonly hasRules: boolean;
  /** Whether the user can be asked. */
  readonly isAttended: boolean;
}

/**
 * Returns the approval mode of a run for which the user chose no mode. A project's settings may be stricter, but not
 * less strict.
 */
export function defaultApproval({ hasRules, isAttended }: DefaultConditions): ApprovalMode {
  return hasRules || isAttended ? PERMISSION_MODES.ask : "never";
}
