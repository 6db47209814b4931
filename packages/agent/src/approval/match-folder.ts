import type { ApprovalRule } from "./approval-policy.ts";
import type { CommandCall } from "./approval-subject.ts";
import { isSimpleCommand } from "./match-command.ts";
import type { PathGlob } from "./path-glob.ts";
import { anyOf, type Fit } from "./rule-match.ts";

/**
 * Whether a command runs in a folder that a rule names. A rule about files alone lets no command run, and forbids those
 * in a folder of its own; one about commands as well means them there, wherever a `cd` in them may lead.
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
