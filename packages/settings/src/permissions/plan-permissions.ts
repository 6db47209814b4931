import type { ApprovalPolicy } from "@switchyard/agent";
import { type ApprovalChoice, PERMISSION_MODES, toApprovalPolicy, withChoice } from "@switchyard/settings";
import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import type { PermissionOptions } from "./permission-options.ts";

/** Permissions of one attempt of a run. */
export interface Permissions {
  /** Policy that approves or denies tool calls. `undefined` if all calls run without approval. */
  readonly approval: ApprovalPolicy | undefined;
  /** Whether the agent may ask the user questions. */
  readonly askUser: boolean;
  /** The user's permission choice, from which the policy was created. It is stored with the run. */
  readonly choice: ApprovalChoice;
}

interface StoredPermissions {
  readonly approval?: ApprovalChoice | undefined;
  readonly askUser?: boolean | undefined;
}

/**
 * Returns the permissions of an attempt, from the command-line options. Options that are not given have the values
 * stored with the run. Rejects with `config.invalid` for an invalid rule.
 */
export async function planPermissions(
  context: CommandContext,
  options: PermissionOptions,
  stored: StoredPermissions = {},
): Promise<Permissions> {
  const mode = options.mode === undefined ? undefined : PERMISSION_MODES[options.mode];
  const choice = withChoice(stored.approval ?? {}, { ...options, approve: options.approve ?? mode });
  const approval = toApprovalPolicy(choice);
  if (approval !== undefined) {
    const { createApprovalPolicy } = await import("@switchyard/agent");
    // Creates the policy now, to report invalid globs and URLs in rules before the run starts.
    createApprovalPolicy(approval);
  }
  // Even if `askUser` is false, a question that an earlier attempt left unanswered is asked again.
  const askUser = options.askUser ?? (stored.askUser === true || hasPerson(context));
  return { approval, askUser, choice };
}
