import type { ApprovalOutcome, ApprovalRule } from "./approval-policy.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import type { ApprovalSubject, CommandCall } from "./approval-subject.ts";
import type { CompiledRule } from "./compile-rule.ts";

/** Result of applying the approval rules to a tool call. */
export interface Evaluation {
  readonly outcome: ApprovalOutcome;
  /** Reason for the outcome. */
  readonly reason?: string | undefined;
}

const STRICTNESS: Readonly<Record<ApprovalOutcome, number>> = { allow: 0, ask: 1, deny: 2 };

function strictest(judgements: readonly Evaluation[]): Evaluation {
  return judgements.reduce((left, right) => (STRICTNESS[right.outcome] > STRICTNESS[left.outcome] ? right : left));
}

/**
 * Returns the outcome of a rule if it is uncertain whether the rule matches a command. If the rule sets `command`, the
 * user is asked. Otherwise the rule applies to the folder in which the command runs, and the folder is unknown. The
 * rule's outcome then applies unchanged.
 */
function doubtfulCommand(
  { outcome, reason, command }: ApprovalRule,
  { isElsewhere, location }: CommandCall,
  why: string | undefined,
): Evaluation {
  const problem = location?.kind === "unknown" ? location.problem : undefined;
  if (command === undefined) return { outcome, reason: reason ?? problem };
  const problemNote = isElsewhere ? (problem ?? "the command runs in another folder") : undefined;
  // The reason in an allow rule says why calls may run. It does not explain why the user is asked.
  const callReason = outcome === "allow" ? undefined : reason;
  return { outcome: "ask", reason: callReason ?? why ?? problemNote ?? "the command is more than one simple command" };
}

/** Evaluates a resource that a rule may or may not match. `why` is the reason for the uncertainty. */
function doubtful(rule: ApprovalRule, subject: ApprovalSubject, why: string | undefined): Evaluation {
  const { outcome, reason } = rule;
  switch (subject.kind) {
    case "command":
      return doubtfulCommand(rule, subject, why);
    case "url":
      return { outcome, reason: reason ?? "its address cannot be determined" };
    case "path":
    case "tree": {
      if (why !== undefined) return { outcome: "ask", reason: why };
      const unknown = subject.location.kind === "unknown" ? subject.location.problem : undefined;
      return {
        outcome,
        reason: reason ?? unknown ?? "it may reach files that a rule names; name them more narrowly",
      };
    }
    default:
      return { outcome, reason: reason ?? "the tool does not declare what it changes" };
  }
}

/**
 * Returns true if a call of a search tool omits all files that a deny rule may match. The rule then need not deny the
 * call.
 */
function isSkipped({ outcome }: ApprovalRule, { targets }: ApprovalRequest, subject: ApprovalSubject): boolean {
  return (
    outcome === "deny" &&
    targets?.omitsHiddenFiles === true &&
    subject.kind === "tree" &&
    subject.location.kind === "found"
  );
}

/**
 * Applies the approval rules in order, up to the first certain match. Uncertain matches before it count too, and the
 * strictest outcome wins. Ambiguous arguments therefore cannot bypass a rule.
 */
function evaluateSubject(
  request: ApprovalRequest,
  subject: ApprovalSubject,
  { rules, otherwise }: { readonly rules: readonly CompiledRule[]; readonly otherwise: ApprovalOutcome },
): Evaluation {
  const counted: Evaluation[] = [];
  for (const { rule, fitOf } of rules) {
    const { fit, reason } = fitOf(request, subject);
    if (fit === "no" || (fit === "maybe" && isSkipped(rule, request, subject))) continue;
    if (fit === "yes") return strictest([...counted, { outcome: rule.outcome, reason: rule.reason }]);
    counted.push(doubtful(rule, subject, reason));
  }
  return strictest([...counted, { outcome: otherwise }]);
}

/**
 * Evaluates a tool call against the approval rules. The outcome is the strictest one among the resources that the call
 * accesses.
 */
export function evaluateCall(
  request: ApprovalRequest,
  subjects: readonly ApprovalSubject[],
  policy: { readonly rules: readonly CompiledRule[]; readonly otherwise: ApprovalOutcome },
): Evaluation {
  return strictest(subjects.map((subject) => evaluateSubject(request, subject, policy)));
}
