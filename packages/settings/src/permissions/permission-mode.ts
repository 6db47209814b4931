import type { PermissionMode } from "@switchyard/adapter-kit";
import type { ApprovalMode } from "./approval-mode.ts";

export type { PermissionMode } from "@switchyard/adapter-kit";

/**
 * Approval mode for each permission mode, the same for every engine. `plan` denies changes. `ask` asks before every
 * change, and denies the change if no user can answer. `auto` allows all changes.
 */
export const PERMISSION_MODES: Readonly<Record<PermissionMode, ApprovalMode>> = {
  plan: "plan",
  ask: "on-writes",
  auto: "never",
};

/** Returns true if a value is a permission mode. */
export function isPermissionMode(value: unknown): value is PermissionMode {
  return typeof value === "string" && Object.hasOwn(PERMISSION_MODES, value);
}

/** Instructions for the model in `plan` mode, so that the model does not attempt calls that are denied. */
export const PLAN_INSTRUCTIONS =
  "This session is read-only: commands and edits are denied. Find out what the task needs, then respond with a plan: which files you would change and how, in which order, how to check the result, and which questions are open.";
