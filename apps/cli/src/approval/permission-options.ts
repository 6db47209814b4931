import type { ApprovalMode, PermissionMode } from "@switchyard/settings";

/** Permission options of a command. */
export interface PermissionOptions {
  /** Permission mode of the agent. Cannot be combined with `approve`. */
  mode?: PermissionMode | undefined;
  /** Mode that determines which tool calls need the user's approval. */
  approve?: ApprovalMode;
  /** Rules for tool calls that run without approval. */
  allow?: string[];
  /** Rules for tool calls that are always denied. */
  deny?: string[];
  /** Whether the agent may ask the user questions. Default: true on a terminal, otherwise false. */
  askUser?: boolean;
}
