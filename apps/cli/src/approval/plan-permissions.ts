import type { ApprovalPolicy } from "@switchyard/agent";
import { type ApprovalChoice, PERMISSION_MODES, toApprovalPolicy, withChoice } from "@switchyard/settings";
import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import type { PermissionOptions } from "./permission-options.ts";

/** Permissions of one attempt of a run. */
export interface Permissions {
  /** Approval policy; `undefined` if all calls run without approval. */
  readonly approval: ApprovalPolicy | undefined;
  /** Whether the agent may ask the user questions. */
  readonly askUser: boolean;
  /** Choice from which the policy was created. It is stored with the run. */
  readonly choice: ApprovalChoice;
}

interface KeptPermissions {
  readonly approval?: ApprovalChoice | undefined;
  readonly askUser?: boolean | undefined;
}

/**
 * Returns the permissions of an attempt: the options, and for options not given, the permissions stored with the run.
 * Rejects with `config.invalid` for an invalid rule.
 */
export async function planPermissions(
  context: CommandContext,
  options: PermissionOptions,
  kept: KeptPermissions = {},
): Promise<Permissions> {
  const mode = options.mode === undefined ? undefined : PERMISSION_MODES[options.mode];
  const choice = withChoice(kept.approval ?? {}, { ...options, approve: options.approve ?? mode });
  const approval = toApprovalPolicy(choice);
  if (approval !== undefined) {
    const { createApprovalPolicy } = await import("@switchyard/agent");
    // Reports invalid globs and URLs in rules before the run starts.
    createApprovalPolicy(approval);
  }
  // A question that an earlier attempt left open is asked again even if `askUser` is false.
  const askUser = options.askUser ?? (kept.askUser === true || hasPerson(context));
  return { approval, askUser, choice };
}
