import {
  type PermissionOptions,
  type Permissions,
  planPermissions as plan,
  type RunSettings,
} from "@switchyard/settings";
import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Resolves with the permissions of an attempt (one execution of a run), from the command-line options and the settings
 * that are stored with the run. Rejects with `config.invalid` for an invalid rule.
 */
export function planPermissions(
  context: CommandContext,
  options: PermissionOptions,
  stored: RunSettings = {},
): Promise<Permissions> {
  return plan(options, { stored, isAttended: hasPerson(context) });
}
