import type { ApprovalMode, PermissionMode } from "@switchyard/settings";

/** What the agent may do, and whether it may ask. */
export interface PermissionOptions {
  /** What the agent may do, in one word; goes without `approve`. */
  mode?: PermissionMode | undefined;
  /** Which tool calls wait for a permission. */
  approve?: ApprovalMode;
  /** Rules for calls that run without a question. */
  allow?: string[];
  /** Rules for calls that never run. */
  deny?: string[];
  /** Whether the agent may ask questions; where somebody sits in front of a terminal, unless it is said. */
  askUser?: boolean;
}
