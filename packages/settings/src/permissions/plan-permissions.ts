import type { ApprovalPolicy } from "@switchyard/agent";
import { type ApprovalChoice, toApprovalPolicy, withChoice } from "./approval-choice.ts";
import { PERMISSION_MODES, type PermissionMode } from "./permission-mode.ts";

/** Permission options of an attempt (one execution of a run). */
export interface PermissionOptions extends ApprovalChoice {
  /** Permission mode of the agent. Not used if `approve` is set. */
  mode?: PermissionMode | undefined;
  /** Whether the agent may ask the user questions. Default: true if the user can answer, otherwise false. */
  askUser?: boolean | undefined;
}

/** Permissions of one attempt of a run. */
export interface Permissions {
  /** Policy that approves or denies tool calls. `undefined` if all calls run without approval. */
  readonly approval: ApprovalPolicy | undefined;
  /** Whether the agent may ask the user questions. */
  readonly askUser: boolean;
  /** The user's permission choice, from which the policy was created. It is stored with the run. */
  readonly approvalChoice: ApprovalChoice;
}

/** Conditions that determine the permissions of an attempt, together with the options of the attempt. */
export interface PermissionConditions {
  /** Permissions that are stored with the run. Default: those of a new run. */
  readonly stored?: { readonly approvalChoice?: ApprovalChoice | undefined; readonly askUser?: boolean | undefined };
  /** Whether a user can answer questions. */
  readonly isAttended: boolean;
}

/**
 * Resolves with the permissions of an attempt (one execution of a run). Options that are not given have the values
 * stored with the run. Rejects with `config.invalid` for an invalid rule.
 */
export async function planPermissions(
  options: PermissionOptions,
  { stored = {}, isAttended }: PermissionConditions,
): Promise<Permissions> {
  const mode = options.mode === undefined ? undefined : PERMISSION_MODES[options.mode];
  const approvalChoice = withChoice(stored.approvalChoice ?? {}, { ...options, approve: options.approve ?? mode });
  const approval = toApprovalPolicy(approvalChoice);
  if (approval !== undefined) {
    const { createApprovalPolicy } = await import("@switchyard/agent");
    // Creates the policy now, to report invalid globs and URLs in rules before the run starts.
    createApprovalPolicy(approval);
  }
  // Even if `askUser` is false, a question that an earlier attempt left unanswered is asked again.
  const askUser = options.askUser ?? (stored.askUser === true || isAttended);
  return { approval, askUser, approvalChoice };
}
