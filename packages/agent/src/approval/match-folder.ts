import type { ApprovalRule } from "./approval-policy.ts";
import type { CommandCall } from "./approval-subject.ts";
import { isSimpleCommand } from "./match-command.ts";
import type { PathGlob } from "./path-glob.ts";
import { anyOf, type MatchResult } from "./rule-match.ts";

/**
 * Returns whether a rule's `path` matches the folder that a command runs in. `maybe` if the folder is unknown.
 *
 * - An allow rule without `command` never matches.
 * - A deny or ask rule without `command` matches only commands that run outside the session's folder.
 * - If a deny or ask rule has `command` and the command starts in another folder, the result is `maybe` for a command
 *   line that may change folders, for example with `cd`.
 */
export function matchFolder(rule: ApprovalRule, globs: readonly PathGlob[], subject: CommandCall): MatchResult {
  const { command, isElsewhere, location } = subject;
  const isAllowing = rule.outcome === "allow";
  if (rule.command === undefined && (isAllowing || !isElsewhere)) return "no";
  if (location === undefined || location.kind === "unknown") return "maybe";
  const { fit } = anyOf(globs.map((glob) => ({ fit: glob.matchesPath(location.names) })));
  const mayMove = rule.command !== undefined && !isAllowing && !isSimpleCommand(command);
  return fit === "no" && mayMove ? "maybe" : fit;
}
