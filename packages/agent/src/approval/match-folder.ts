import type { ApprovalRule } from "./approval-policy.ts";
import type { CommandCall } from "./approval-subject.ts";
import { isSimpleCommand } from "./match-command.ts";
import type { PathGlob } from "./path-glob.ts";
import { anyOf, type Fit } from "./rule-match.ts";

/**
 * Matches the folder of a command against a rule's paths. A rule without `command` never allows commands, but denies
 * those in a matching folder. A rule with `command` applies to commands that start in a matching folder, even if they
 * change to another one.
 */
export function matchFolder(rule: ApprovalRule, globs: readonly PathGlob[], subject: CommandCall): Fit {
  const { command, isElsewhere, place } = subject;
  const isAllowing = rule.outcome === "allow";
  if (rule.command === undefined && (isAllowing || !isElsewhere)) return "no";
  if (place === undefined || place.kind === "unknown") return "maybe";
  const { fit } = anyOf(globs.map((glob) => ({ fit: glob.matchesPath(place.names) })));
  const mayMove = rule.command !== undefined && !isAllowing && !isSimpleCommand(command);
  return fit === "no" && mayMove ? "maybe" : fit;
}
