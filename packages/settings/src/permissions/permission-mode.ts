import type { PermissionMode } from "@switchyard/adapter-kit";
import type { ApprovalMode } from "./approval-mode.ts";

export type { PermissionMode } from "@switchyard/adapter-kit";

/**
 * What each means for every engine: `plan` looks and changes nothing, `ask` asks before it changes anything and is denied
 * it where nobody answers, `auto` does what it thinks right.
 */
export const PERMISSION_MODES: Readonly<Record<PermissionMode, ApprovalMode>> = {
  plan: "plan",
  ask: "on-writes",
  auto: "never",
};

/** Whether a value is one of them. */
export function isPermissionMode(value: unknown): value is PermissionMode {
  return typeof value === "string" && Object.hasOwn(PERMISSION_MODES, value);
}

/** What the model is told of `plan`, so that it does not try what is denied. */
export const PLAN_INSTRUCTIONS =
  "Only look in this session: nothing may be changed, and commands and edits are denied. Find out what the task needs, then answer with a plan: what you would change in which files, in which order, how it would be checked, and what is open.";
