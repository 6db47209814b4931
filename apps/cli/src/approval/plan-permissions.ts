import type { ApprovalPolicy } from "@switchyard/agent";
import { type ApprovalChoice, PERMISSION_MODES, toApprovalPolicy, withChoice } from "@switchyard/settings";
import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import type { PermissionOptions } from "./permission-options.ts";

/** What an attempt of a run may do, and whom it asks. */
export interface Permissions {
  /** The rules; nothing where all calls run. */
  readonly approval: ApprovalPolicy | undefined;
  /** Whether the agent may ask questions. */
  readonly askUser: boolean;
  /** What the rules are made of. */
  readonly choice: ApprovalChoice;
}

interface KeptPermissions {
  readonly approval?: ApprovalChoice | undefined;
  readonly askUser?: boolean | undefined;
}

/** What the options say, on top of what was kept with the run. Rejects with `config.invalid` for a rule that is none. */
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
    // Said before anything runs: what is wrong with a glob, or with an address.
    createApprovalPolicy(approval);
  }
  // A question that is open since an attempt before this one is asked again in any case.
  const askUser = options.askUser ?? (kept.askUser === true || hasPerson(context));
  return { approval, askUser, choice };
}
