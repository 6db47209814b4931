import type { ApprovalOutcome, ApprovalRule } from "./approval-policy.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import type { ApprovalSubject, CommandCall } from "./approval-subject.ts";
import type { CompiledRule } from "./compile-rule.ts";

/** What the rules say about a call. */
export interface Evaluation {
  readonly outcome: ApprovalOutcome;
  /** Why, in words. */
  readonly reason?: string | undefined;
}

const STRICTNESS: Readonly<Record<ApprovalOutcome, number>> = { allow: 0, ask: 1, deny: 2 };

function strictest(judgements: readonly Evaluation[]): Evaluation {
  return judgements.reduce((left, right) => (STRICTNESS[right.outcome] > STRICTNESS[left.outcome] ? right : left));
}

/** A rule about files means a command by its folder alone, and what it says of an unknown one holds as for a file. */
function doubtfulCommand(
  { outcome, reason, command }: ApprovalRule,
  { isElsewhere, place }: CommandCall,
  why: string | undefined,
): Evaluation {
  const problem = place?.kind === "unknown" ? place.problem : undefined;
  if (command === undefined) return { outcome, reason: reason ?? problem };
  const where = isElsewhere ? (problem ?? "the command runs in another folder") : undefined;
  // The reason of a rule that allows says why calls may run, not why this one may not.
  const own = outcome === "allow" ? undefined : reason;
  return { outcome: "ask", reason: own ?? why ?? where ?? "the command is more than one simple command" };
}

/** Judges a call of which the rule cannot tell whether it fits: `why` names the reason for the doubt. */
function doubtful(rule: ApprovalRule, subject: ApprovalSubject, why: string | undefined): Evaluation {
  const { outcome, reason } = rule;
  switch (subject.kind) {
    case "command":
      return doubtfulCommand(rule, subject, why);
    case "url":
      return { outcome, reason: reason ?? "nobody can tell which address it asks, or as what the server reads it" };
    case "path":
    case "tree": {
      if (why !== undefined) return { outcome: "ask", reason: why };
      const unknown = subject.place.kind === "unknown" ? subject.place.problem : undefined;
      return {
        outcome,
        reason: reason ?? unknown ?? "it may reach files that a rule is about; name them more narrowly",
      };
    }
    default:
      return { outcome, reason: reason ?? "the tool does not say what it touches" };
  }
}

/** Whether a search will show nothing of the files for which a rule might deny it. */
function isLeftOut({ outcome }: ApprovalRule, { targets }: ApprovalRequest, subject: ApprovalSubject): boolean {
  return (
    outcome === "deny" &&
    targets?.omitsHiddenFiles === true &&
    subject.kind === "tree" &&
    subject.place.kind === "found"
  );
}

/**
 * Follows the rules to the first that fits for certain. What may fit on the way counts as well, and of all that counts
 * the strictest holds: no trick in the arguments leads past a rule.
 */
function evaluateSubject(
  request: ApprovalRequest,
  subject: ApprovalSubject,
  { rules, otherwise }: { readonly rules: readonly CompiledRule[]; readonly otherwise: ApprovalOutcome },
): Evaluation {
  const counted: Evaluation[] = [];
  for (const { rule, fitOf } of rules) {
    const { fit, reason } = fitOf(request, subject);
    if (fit === "no" || (fit === "maybe" && isLeftOut(rule, request, subject))) continue;
    if (fit === "yes") return strictest([...counted, { outcome: rule.outcome, reason: rule.reason }]);
    counted.push(doubtful(rule, subject, reason));
  }
  return strictest([...counted, { outcome: otherwise }]);
}

/** What the rules say about a call: the strictest of what they say about each thing it touches. */
export function evaluateCall(
  request: ApprovalRequest,
  subjects: readonly ApprovalSubject[],
  policy: { readonly rules: readonly CompiledRule[]; readonly otherwise: ApprovalOutcome },
): Evaluation {
  return strictest(subjects.map((subject) => evaluateSubject(request, subject, policy)));
}
